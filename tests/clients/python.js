// Python with the official client, in a separate environment below target/.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACKAGE = 'mcp==2.3.0';
const home = fileURLToPath(new URL('../../target/mcp-client/', import.meta.url));
const run = promisify(execFile);

/** The interpreter. Without Python the test is skipped, unless EPCIS_EDGE_REQUIRE_PEERS is 1. */
export async function python(t) {
  const interpreter = `${home}bin/python`;
  try {
    if (!existsSync(`${home}ready`)) {
      await run('python3', ['-m', 'venv', '--clear', home]);
      await run(interpreter, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]);
      await run('touch', [`${home}ready`]);
    }
    return interpreter;
  } catch (error) {
    if (process.env.EPCIS_EDGE_REQUIRE_PEERS === '1') throw error;
    t.skip(`the Python client ${PACKAGE} could not be installed: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}
