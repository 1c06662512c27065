// `audit --mirror`: keeps a copy of a log in a folder, in the paths of tlog-tiles, so that any file server can serve it.
//
// How can a run be interrupted at any moment?
// A checked file is written to another folder and then renamed, so every file in its place is complete and was checked. A head is
// kept in `heads` before the first part under it is fetched, so that all parts belong to a history that the next run continues.
// `checkpoint` is written last, when everything under it is there.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { EpcisError } from './error.js';
import { Usage } from './files.js';
import { refused } from './output.js';
import { Progress } from './progress.js';

/** The number of parts fetched concurrently. */
const AT_ONCE = 8;
/** The maximum number of tries for one part, and the longest wait between two, in seconds. */
const TRIES = 5;
const LONGEST_WAIT = 120;
/** The longest entries of one tile, in bytes: 256 entries of 65,535 bytes, each after its two-byte length. */
const MAX_ENTRIES = 256 * (2 + 65_535);
/** The size of a leaf, for the progress bar, in bytes: its hash, and the entry of a gateway. */
const LEAF = 32 + 53;
/** The age at which a file that was not renamed counts as abandoned, in milliseconds. Writing one never takes that long. */
const LEFT_OVER = 600_000;
/** The folder where files are written first. It is never removed, since another run may be writing there. */
const PARTIAL = '.partial';

/** Works on all items, a few concurrently. After the first fault no new item is started, and the fault is thrown when the rest is done. */
async function fewAtOnce(items, work) {
  // All workers share one iterator, which a failing worker closes.
  const rest = (function* () {
    yield* items;
  })();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

/** Repeats a request if that may help, after the wait that the gateway requests. */
async function patiently(ask) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!error.mayPass || tries === TRIES) throw error;
      await setTimeout(Math.min(error.retryAfter ?? 2 ** (tries - 1), LONGEST_WAIT) * 1000);
    }
  }
}

export class Mirror {
  #folder;
  #made = new Set();
  #run;
  #progress;
  #done = 0;
  #fetched = 0;

  /** Prepares the folder. @throws {Usage} if it cannot be written, or is not a mirror */
  constructor(folder) {
    this.#folder = folder;
    try {
      for (const name of ['', 'heads', PARTIAL]) mkdirSync(join(folder, name), { recursive: true });
      for (const name of readdirSync(join(folder, PARTIAL))) {
        const file = join(folder, PARTIAL, name);
        const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
        if (since !== undefined && since < Date.now() - LEFT_OVER) rmSync(file, { force: true });
      }
    } catch (error) {
      if (error.code === 'EEXIST') throw new Usage(`cannot write ${folder}: there is a file, expected a folder`);
      throw refused(folder, error);
    }
    const isForeign = ['checkpoint', 'tile'].some((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
    if (isForeign && this.newest() === undefined)
      throw new Usage(`${folder} has parts of a log but no heads, so it is not a mirror made by this command; choose another folder`);
  }

  /** The largest kept head: `{note, seen, file}`; undefined if there is none. */
  newest() {
    const sizes = readdirSync(join(this.#folder, 'heads')).flatMap((name) => /^(0|[1-9]\d{0,19})\.note$/.exec(name)?.[1] ?? []);
    if (sizes.length === 0) return undefined;
    const largest = sizes.map(BigInt).reduce((one, other) => (one > other ? one : other));
    const file = join(this.#folder, 'heads', `${largest}.note`);
    try {
      return { note: readFileSync(file, 'utf8'), seen: statSync(file).mtime.toISOString(), file };
    } catch (error) {
      throw new Usage(`cannot read ${file}: ${error.code ?? error.message}`);
    }
  }

  /**
   * Fetches the missing parts of the log under an audited head. Returns the number of parts fetched.
   *
   * Tiles above the leaves are read and checked each time, and fetched again if they are wrong. Existing tiles of leaves and entries
   * were checked when they were written.
   */
  async take({ engine, head, policy, size, fetched, quiet }) {
    this.#run = { engine, head, policy, fetched };
    this.#progress = Progress.of(this.#folder, size * LEAF, quiet);
    try {
      await this.#write(`heads/${size}.note`, Buffer.from(head));
      // Go down from the root, so that each tile is checked by the one above it.
      for (const [path, bytes] of (await this.#edge()).reverse()) await this.#below(path, bytes);
      // Another run may have got further meanwhile.
      if (BigInt(size) >= this.#shown()) await this.#write('checkpoint', Buffer.from(head));
      return this.#fetched;
    } finally {
      this.#progress?.end();
    }
  }

  /** The number of leaves in the folder's checkpoint; -1 if there is none. */
  #shown() {
    try {
      return BigInt(readFileSync(join(this.#folder, 'checkpoint'), 'utf8').split('\n')[1]);
    } catch {
      return -1n;
    }
  }

  /** The tiles that are not full: path and bytes, lowest first. */
  async #edge() {
    const { engine, head, policy } = this.#run;
    const edge = engine.edge(head, policy);
    const check = (parts) => engine.checkEdge(head, policy, Buffer.concat(parts));
    const there = await Promise.all(edge.map((tile) => this.#there(tile)));
    for (const given of [there, []]) {
      const parts = [];
      for (const [n, { path, length }] of edge.entries()) parts.push(given[n] ?? (await this.#fetch(path, length)));
      try {
        check(parts);
      } catch (error) {
        // An existing tile may be wrong: fetch all of them.
        if (given.some(Boolean) && error instanceof EpcisError) continue;
        throw error;
      }
      for (const [n, { path }] of edge.entries()) if (parts[n] !== there[n]) await this.#write(path, parts[n]);
      return edge.map(({ path }, n) => [path, parts[n]]);
    }
  }

  /** Fetches all missing parts below a checked tile. */
  async #below(path, bytes) {
    const { engine } = this.#run;
    const { tiles, entries } = engine.below(path);
    if (typeof entries === 'string') await this.#entries(entries, bytes);
    const areLeaves = tiles.length > 0 && typeof engine.below(tiles[0].path).entries === 'string';
    if (areLeaves) await fewAtOnce(tiles, (tile) => this.#leaves(tile, bytes));
    else for (const tile of tiles) await this.#below(tile.path, await this.#tile(tile, bytes));
  }

  /** Fetches a tile of leaves with its entries, unless both exist. */
  async #leaves(tile, above) {
    const { entries } = this.#run.engine.below(tile.path);
    const lengths = [this.#lengthOf(tile.path), this.#lengthOf(entries)];
    if (lengths[0] === tile.length && lengths[1] >= tile.length / 16) this.#reached(lengths[0] + lengths[1]);
    else await this.#entries(entries, await this.#tile(tile, above));
  }

  /** The bytes of a full tile, checked by the tile above it; fetched if missing or wrong. */
  async #tile(tile, above) {
    const { engine } = this.#run;
    const there = await this.#there(tile);
    if (there) {
      try {
        engine.checkTile(tile.path, there, above);
        return there;
      } catch (error) {
        if (!(error instanceof EpcisError)) throw error;
      }
    }
    const bytes = await this.#fetch(tile.path, tile.length);
    engine.checkTile(tile.path, bytes, above);
    await this.#write(tile.path, bytes);
    return bytes;
  }

  /** Fetches the entries of a tile, unless they exist. Each entry has at least two bytes. */
  async #entries(path, tile) {
    const length = this.#lengthOf(path);
    if (length >= tile.length / 16) return this.#reached(length);
    const bytes = await this.#fetch(path, MAX_ENTRIES);
    this.#run.engine.checkEntries(path, bytes, tile);
    return this.#write(path, bytes);
  }

  async #fetch(path, most) {
    const bytes = await patiently(() => this.#run.fetched(path, most));
    this.#fetched += 1;
    this.#reached(bytes.length);
    return bytes;
  }

  /** The bytes of an existing tile; undefined if it is missing or of another length. */
  async #there({ path, length }) {
    if (this.#lengthOf(path) !== length) return undefined;
    const bytes = await readFile(join(this.#folder, path));
    this.#reached(bytes.length);
    return bytes;
  }

  #lengthOf(path) {
    const stats = statSync(join(this.#folder, path), { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : undefined;
  }

  async #write(path, bytes) {
    const file = join(this.#folder, path);
    const partial = join(this.#folder, PARTIAL, randomBytes(9).toString('hex'));
    try {
      const folder = dirname(file);
      if (!this.#made.has(folder)) await mkdir(folder, { recursive: true });
      this.#made.add(folder);
      const handle = await open(partial, 'wx');
      try {
        await handle.writeFile(bytes);
        // The bytes must be on disk before the file gets its name, in case the power fails.
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { force: true });
      throw refused(file, error);
    }
  }

  #reached(bytes) {
    this.#done += bytes;
    this.#progress?.reached(this.#done);
  }
}
