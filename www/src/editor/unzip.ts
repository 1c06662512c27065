// Unpacks a ZIP archive, within bounds, in the engine's thread. Loaded with the first archive.
import { Unzip, UnzipInflate } from 'fflate';

/** The most that may be inside, in bytes and in files. What is claimed about sizes is not believed: what comes out is counted. */
export const LIMITS = { bytes: 100_000_000, entries: 1000 };
/** How many bytes are given to the unpacker at a time: one of them can become a thousand. */
const PIECE = 16_384;

/** A file of an archive. */
export interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Why an archive is not opened. */
export type ArchiveProblem = { readonly kind: 'size' | 'entries'; readonly limit: number } | { readonly kind: 'damaged'; readonly limit?: undefined };

/** Why a file of an archive is left out. */
export type SkippedKind = 'archive' | 'encrypted' | 'method' | 'damaged';

export type Unzipped =
  | { readonly entries: readonly Entry[]; readonly skipped: readonly { readonly name: string; readonly kind: SkippedKind }[]; readonly problem?: undefined }
  | { readonly problem: ArchiveProblem };

const isIgnored = (name: string) => name.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.)/.test(name);
const ARCHIVE = /\.(?:zip|gz|7z|rar|tar|tgz)$/i;

/**
 * The files in an archive: `{entries: [{name, bytes}], skipped: [{name, kind}]}`, without folders and hidden files, or `{problem}`, whose
 * kind is `size` or `entries` with the `limit` that is passed, or `damaged`. `skipped` are archives inside of it, and files that cannot be
 * unpacked: their kind is `archive`, `encrypted`, `method` or `damaged`.
 */
export function unzip(archive: Uint8Array, limits = LIMITS): Unzipped {
  const entries: Entry[] = [];
  const skipped: { readonly name: string; readonly kind: SkippedKind }[] = [];
  let [total, seen]: [number, number] = [0, 0];
  let problem: ArchiveProblem | undefined;
  const encrypted = encryptedIn(archive);
  const unpacker = new Unzip((file) => {
    seen += 1;
    if (seen > limits.entries) problem ??= { kind: 'entries', limit: limits.entries };
    if (problem !== undefined || isIgnored(file.name)) return;
    const skip = (kind: SkippedKind) => skipped.push({ name: file.name, kind });
    if (ARCHIVE.test(file.name)) return skip('archive');
    if (encrypted.has(file.name)) return skip('encrypted');
    if (file.compression !== 0 && file.compression !== 8) return skip('method');
    const pieces: Uint8Array[] = [];
    let size = 0;
    let isBroken = false;
    file.ondata = (error, piece, isLast) => {
      if (problem !== undefined || isBroken) return;
      if (error) {
        isBroken = true;
        skip('damaged');
        return;
      }
      total += piece.length;
      size += piece.length;
      if (total > limits.bytes) {
        problem = { kind: 'size', limit: limits.bytes };
        file.terminate();
        return;
      }
      // What is given is written over by the next piece.
      pieces.push(piece.slice());
      if (!isLast) return;
      const bytes = new Uint8Array(size);
      let at = 0;
      for (const own of pieces) {
        bytes.set(own, at);
        at += own.length;
      }
      // The name of an archive inside may be any.
      if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) skip('archive');
      else entries.push({ name: file.name, bytes });
    };
    file.start();
  });
  unpacker.register(UnzipInflate);
  try {
    for (let at = 0; at < archive.length && problem === undefined; at += PIECE) unpacker.push(archive.subarray(at, at + PIECE), at + PIECE >= archive.length);
  } catch {
    problem ??= { kind: 'damaged' };
  }
  if (problem === undefined && seen === 0) problem = { kind: 'damaged' };
  return problem === undefined ? { entries, skipped } : { problem };
}

/** The names of the encrypted files, from the central directory. */
function encryptedIn(archive: Uint8Array): Set<string> {
  const names = new Set<string>();
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  for (let at = archive.length - 22; at >= 0 && at > archive.length - 66_000; at -= 1) {
    if (view.getUint32(at, true) !== 0x06054b50) continue;
    let entry = view.getUint32(at + 16, true);
    for (let left = view.getUint16(at + 10, true); left > 0 && entry + 46 <= archive.length && view.getUint32(entry, true) === 0x02014b50; left -= 1) {
      const length = view.getUint16(entry + 28, true);
      if (view.getUint16(entry + 8, true) & 1) names.add(new TextDecoder().decode(archive.subarray(entry + 46, entry + 46 + length)));
      entry += 46 + length + view.getUint16(entry + 30, true) + view.getUint16(entry + 32, true);
    }
    break;
  }
  return names;
}
