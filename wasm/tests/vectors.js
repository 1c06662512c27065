// The project's own vectors, and the third-party vectors if present.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const outside = process.env.EPCIS_EDGE_VECTORS ?? join(root, '../shared/vectors');
export const folders = [join(root, 'tests/vectors'), ...(existsSync(outside) ? [outside] : [])];

/** The paths of all vector files whose names have one of these endings, sorted. */
export function files(...ends) {
  const found = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && ends.some((end) => entry.name.endsWith(end)))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return found.sort();
}

export const read = (file) => new Uint8Array(readFileSync(file));

/** The result of a call, or the problem that it throws. */
export function outcome(call) {
  try {
    return { answer: call() };
  } catch (error) {
    if (error.name !== 'EpcisError') throw error;
    return { problem: error.problem, message: error.message };
  }
}
