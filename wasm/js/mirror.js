// `audit --mirror`: a log in a folder, laid out as tlog-tiles names its parts, so that any server of files serves it.
//
// How can a run be broken off at any moment?
// A file is written in a folder beside, once it was checked, and renamed: what is in its place is whole, and was right. A head is
// kept in `heads` before the first part that it proves is fetched, so that parts never come from a history that the next run does not
// go on from; `checkpoint` is written last, when all that it promises is there.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { EpcisError } from './error.js';
import { Usage } from './files.js';
import { refused } from './output.js';
import { Progress } from './progress.js';

/** How many parts are asked for at once. */
const AT_ONCE = 8;
/** How often one part is asked for, and how long one wait may be, in seconds. */
const TRIES = 5;
const LONGEST_WAIT = 120;
/** The longest entries of one tile: 256 of 65,535 bytes, each behind its length. */
const MAX_ENTRIES = 256 * (2 + 65_535);
/** The bytes that a leaf takes: its hash, and the entry of a gateway. */
const LEAF = 32 + 53;
/** When a file that nobody renamed is left over, in milliseconds: none is written for so long. */
const LEFT_OVER = 600_000;
/** Where files are written, beside all others; it stays, for another run may be writing there. */
const PARTIAL = '.partial';

/** Works on each item, a few at once; the first fault ends it when what was begun is over. */
async function fewAtOnce(items, work) {
  // One for all: whoever fails closes it.
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

/** Asks again where that may help, after as long as the gateway wishes. */
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

  /** Makes the folder ready. @throws {Usage} where it cannot be written, or is the folder of something else */
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
      throw new Usage(`${folder} has parts of a log and no heads: it is no mirror of this command, expected another folder`);
  }

  /** The largest head that is kept: `{note, seen, file}`, if there is one. */
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
   * Fetches what is not there of the log under a head that was audited; how many parts were fetched.
   *
   * Tiles above the leaves are read and checked each time, and fetched anew where they are wrong; tiles of leaves and entries that are
   * there were checked when they were written.
   */
  async take({ engine, head, policy, size, fetched, quiet }) {
    this.#run = { engine, head, policy, fetched };
    this.#progress = Progress.of(this.#folder, size * LEAF, quiet);
    try {
      await this.#write(`heads/${size}.note`, Buffer.from(head));
      // From the root down, so that each is checked by the one above it.
      for (const [path, bytes] of (await this.#edge()).reverse()) await this.#below(path, bytes);
      // Another run may have come further meanwhile.
      if (BigInt(size) >= this.#shown()) await this.#write('checkpoint', Buffer.from(head));
      return this.#fetched;
    } finally {
      this.#progress?.end();
    }
  }

  /** How many leaves the checkpoint of the folder has. */
  #shown() {
    try {
      return BigInt(readFileSync(join(this.#folder, 'checkpoint'), 'utf8').split('\n')[1]);
    } catch {
      return -1n;
    }
  }

  /** The tiles that are not full: path and bytes, the lowest first. */
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
        // One that was there may be wrong: all are fetched.
        if (given.some(Boolean) && error instanceof EpcisError) continue;
        throw error;
      }
      for (const [n, { path }] of edge.entries()) if (parts[n] !== there[n]) await this.#write(path, parts[n]);
      return edge.map(({ path }, n) => [path, parts[n]]);
    }
  }

  /** All that a tile, which was checked, has the hashes of. */
  async #below(path, bytes) {
    const { engine } = this.#run;
    const { tiles, entries } = engine.below(path);
    if (typeof entries === 'string') await this.#entries(entries, bytes);
    const areLeaves = tiles.length > 0 && typeof engine.below(tiles[0].path).entries === 'string';
    if (areLeaves) await fewAtOnce(tiles, (tile) => this.#leaves(tile, bytes));
    else for (const tile of tiles) await this.#below(tile.path, await this.#tile(tile, bytes));
  }

  /** A tile of leaves with its entries, unless both are there. */
  async #leaves(tile, above) {
    const { entries } = this.#run.engine.below(tile.path);
    const lengths = [this.#lengthOf(tile.path), this.#lengthOf(entries)];
    if (lengths[0] === tile.length && lengths[1] >= tile.length / 16) this.#reached(lengths[0] + lengths[1]);
    else await this.#entries(entries, await this.#tile(tile, above));
  }

  /** A full tile, by the one above it. */
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

  /** The entries of a tile; each has two bytes at least. */
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

  /** The bytes of a tile that is there. */
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
        // The name must not be there before the bytes are, even where the power fails.
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
