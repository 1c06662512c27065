// One request's connection to PostgreSQL, over node-postgres, through Hyperdrive or another transaction pooler.
//
// Nothing is kept between transactions: no prepared statement, no session setting. Read-only statements are sent together and
// answered together, so any number of them takes one round trip.
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { CloudflareSocket } from 'pg-cloudflare';

/** The time limits for a statement and for waiting for the turn, in milliseconds. Both are below Hyperdrive's limit of a minute. */
const STATEMENT_MS = 50_000;
const TURN_MS = 20_000;
/** The time limits for connecting and for receiving the answer to a statement, in milliseconds. */
const CONNECT_MS = 8_000;
const SILENCE_MS = 58_000;
/** The time limit for taking a capture back, in milliseconds: its caller is still waiting for an answer. */
const TAKE_BACK_MS = 5_000;
/** How often a transaction is tried if it conflicts with another, and the unit of the pauses in between, in milliseconds. */
const ATTEMPTS = 5;
const PAUSE_MS = 30;

/** The SQLSTATE codes of a transaction that was aborted in favour of another. It may be tried again. */
const GAVE_WAY = new Set(['40001', '40P01']);

/**
 * The SQLSTATE classes and codes of errors that mean that the server or the pooler is temporarily unavailable: connections (08),
 * resources such as the disk (53), operators and crashes (57), system errors (58), no writing on a standby (25006), a turn that did
 * not come (55P03), repeated conflicts (40001, 40P01).
 */
const UNAVAILABLE = /^(08|53|57|58|25006|55P03|40001|40P01)/;
const NETWORK = /^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/;

/**
 * The settings at the start of every transaction. If a table has no statistics yet, PostgreSQL estimates such high costs that it
 * compiles the statement first, half a second each time, for a statement that runs 50 ms. Without compilation, a capture into an
 * empty store takes as long as one after a million events. Parallel processes for one statement do not help either: see
 * worker/postgres/0001_store.sql.
 */
const SETTINGS = [
  `statement_timeout = ${STATEMENT_MS}`,
  `lock_timeout = ${TURN_MS}`,
  `idle_in_transaction_session_timeout = ${STATEMENT_MS}`,
  'jit = off',
  'max_parallel_workers_per_gather = 0',
]
  .map((setting) => `SET LOCAL ${setting}`)
  .join('; ');

/** Reads 64-bit integers as numbers: none of ours is beyond 2^53. */
const types = { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) };

/** The error for the engine, without the values of the statement. */
function told(error) {
  const { code = '', message } = error;
  const isOfServer = /^[0-9A-Z]{5}$/.test(code) && error.severity !== undefined;
  const said = new Error(code ? `${message} (${code})` : message);
  said.code = code;
  said.gaveWay = GAVE_WAY.has(code);
  // An error that is not the server's answer to a statement is a connection error. A pooler reports its own problems as 08P01.
  said.isUnavailable = !isOfServer || UNAVAILABLE.test(code) || NETWORK.test(code);
  return said;
}

/** A socket that sends the messages of a statement together, as Node's sockets do when corked. Otherwise it would send five. */
class Socket extends CloudflareSocket {
  #held;

  cork() {
    this.#held ??= [];
  }

  uncork() {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (held.length > 0) super.write(Buffer.concat(held));
  }

  write(data, ...rest) {
    if (this.#held === undefined) return super.write(data, ...rest);
    this.#held.push(data);
    return true;
  }
}

const pause = (attempt) => setTimeout(attempt === 0 ? 0 : PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));

export class Session {
  #address;
  #client;
  /** Whether the last failed capture was aborted in favour of another transaction. */
  mayRetry = false;
  /** Whether the outcome of the last failed capture is unknown: it may be stored, now or later. */
  isUnsettled = false;

  constructor(address) {
    this.#address = address;
  }

  /** The connection, opened on first use. */
  async #connected() {
    if (this.#client) return this.#client;
    const client = new pg.Client({
      connectionString: this.#address,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: SILENCE_MS,
      pipeline: true,
      stream: ({ ssl }) => new Socket(ssl),
      types,
    });
    // Its queries report the same error.
    client.on('error', () => this.#drop(client));
    await client.connect();
    this.#client = client;
    return client;
  }

  #drop(client) {
    if (this.#client === client) this.#client = undefined;
  }

  async #rows(client, [text, values]) {
    try {
      const { rows } = await client.query({ text, values });
      return rows;
    } catch (error) {
      // A lost connection cannot be used again.
      if (error.severity === undefined || error.severity === 'FATAL') {
        this.#drop(client);
        client.end().catch(() => {});
      }
      throw error;
    }
  }

  /** Sends statements without waiting for the answers in between. Returns the rows of each. */
  async #pipelined(client, statements) {
    const answers = await Promise.allSettled(statements.map((statement) => this.#rows(client, statement)));
    // After the first failure, all later statements fail too.
    const failed = answers.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    return answers.map(({ value }) => value);
  }

  /** Runs a single statement, or several read-only ones on one snapshot. */
  async #atOnce(client, statements, isTransaction) {
    if (!isTransaction) return this.#pipelined(client, statements);
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${SETTINGS}`;
    return (await this.#pipelined(client, [[begin], ...statements, ['COMMIT']])).slice(1, -1);
  }

  /**
   * Runs statements that store something, as one transaction. Waits for each: if the transaction did not begin, a statement sent
   * after it would be stored on its own.
   */
  async #write(client, statements) {
    const all = [];
    await this.#rows(client, [`BEGIN; ${SETTINGS}`]);
    for (const statement of statements) all.push(await this.#rows(client, statement));
    await this.#rows(client, ['COMMIT']);
    return all;
  }

  /**
   * Runs a single statement, or all as one transaction, on one snapshot if they only read. Returns the JSON text of the rows of
   * each.
   */
  async run(statements, isTransaction, reads) {
    const stores = isTransaction && !reads;
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (attempt > 0) await pause(attempt);
        const client = await this.#connected();
        return JSON.stringify(await (stores ? this.#write(client, statements) : this.#atOnce(client, statements, isTransaction)));
      } catch (error) {
        const said = told(error);
        if (stores) await this.rollback();
        if (!said.gaveWay || attempt + 1 >= ATTEMPTS) throw said;
      }
    }
  }

  /** A unique name for a capture. */
  token = () => crypto.randomUUID();

  /** Stages rows of a capture. Alone they have no effect. */
  async aside(statement) {
    this.isUnsettled = false;
    this.mayRetry = false;
    try {
      await this.#rows(await this.#connected(), statement);
    } catch (error) {
      throw told(error);
    }
  }

  /**
   * Stores a capture. Returns the JSON text of an array with its row. `store` is a transaction by itself; `settle`, sent together
   * with it, waits until all readers see the events, and returns the row.
   */
  async capture(store, settle) {
    this.isUnsettled = false;
    this.mayRetry = false;
    try {
      const client = await this.#connected();
      this.isUnsettled = true;
      const [stored, settled] = await Promise.allSettled([this.#rows(client, store), this.#rows(client, settle)]);
      if (stored.status === 'rejected') {
        // The server refused the statement, so nothing was done.
        if (stored.reason.severity === 'ERROR') this.isUnsettled = false;
        throw stored.reason;
      }
      if (settled.status === 'rejected') throw settled.reason;
      if (settled.value.length === 0) throw new Error('the outcome of the capture is no longer in the table outcomes');
      this.isUnsettled = false;
      return JSON.stringify(settled.value);
    } catch (error) {
      const said = told(error);
      this.mayRetry = said.gaveWay;
      throw said;
    }
  }

  /** Takes back a capture whose outcome is unknown. Returns the JSON text of an array with its row. */
  async takeBack([text, values]) {
    try {
      const client = await this.#connected();
      const { rows } = await client.query({ text, values, query_timeout: TAKE_BACK_MS });
      return JSON.stringify(rows);
    } catch (error) {
      throw told(error);
    }
  }

  async rollback() {
    const client = this.#client;
    if (!client) return;
    try {
      await this.#rows(client, ['ROLLBACK']);
    } catch {
      this.#drop(client);
    }
  }

  /** Closes the connection. Uncommitted work is lost. */
  async end() {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}
