// One request's connection to PostgreSQL, over node-postgres: Hyperdrive, or another pooler of transactions, stands between.
//
// Nothing is kept between transactions: no prepared statement, no setting of a session. What only reads goes over as one write, and
// comes back as one answer: a round trip, however many statements it has.
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { CloudflareSocket } from 'pg-cloudflare';

/** How long a statement may take, and how long one waits for its turn, in milliseconds: below Hyperdrive's limit of a minute. */
const STATEMENT_MS = 50_000;
const TURN_MS = 20_000;
/** How long connecting may take, and how long nothing may be heard of a statement. */
const CONNECT_MS = 8_000;
const SILENCE_MS = 58_000;
/** How long taking a capture back may take: its caller waits for an answer already. */
const TAKE_BACK_MS = 5_000;
/** How often a transaction that was in the way of another is run, and how long is waited before the second time. */
const ATTEMPTS = 5;
const PAUSE_MS = 30;

/** What PostgreSQL says when a transaction gave way to another: it may begin anew. */
const GAVE_WAY = new Set(['40001', '40P01']);

/**
 * What it says when it, or the pooler, cannot serve for now: classes and codes of SQLSTATE. Connections (08), resources such as the
 * disk (53), operators and crashes (57), system errors (58), no writing on a standby (25006), a turn that did not come (55P03).
 */
const UNAVAILABLE = /^(08|53|57|58|25006|55P03|40001|40P01)/;
const NETWORK = /^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/;

/**
 * What every transaction is begun with. Where a table has no statistics yet, PostgreSQL guesses costs at which it compiles the
 * statement first, half a second each time, for one that runs 50 ms: without the compiler a capture into an empty store takes as long
 * as one behind a million events. Several processes for one statement are no help either: worker/postgres/0003_planner.sql.
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

/** Numbers as numbers: none of ours is beyond 2^53. */
const types = { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) };

/** An error as the engine reads it: without the values of the statement. */
function told(error) {
  const { code = '', message } = error;
  const isOfServer = /^[0-9A-Z]{5}$/.test(code) && error.severity !== undefined;
  const said = new Error(code ? `${message} (${code})` : message);
  said.gaveWay = GAVE_WAY.has(code);
  // Whatever is no word of the server about a statement is the connection, or its end. A pooler tells its own troubles as 08P01.
  said.isUnavailable = !isOfServer || UNAVAILABLE.test(code) || NETWORK.test(code);
  return said;
}

/** A socket that sends what a statement consists of as one, as sockets of Node do when they are told to: five messages otherwise. */
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
  /** Whether the capture that failed last had given way to another. */
  mayRetry = false;
  /** Whether the capture that failed last may be stored, or be stored yet. */
  isUnsettled = false;

  constructor(address) {
    this.#address = address;
  }

  /** The connection, made when it is needed first. */
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
    // Its queries tell the same.
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
      // Behind a connection that is lost nothing follows on it.
      if (error.severity === undefined || error.severity === 'FATAL') {
        this.#drop(client);
        client.end().catch(() => {});
      }
      throw error;
    }
  }

  /** The rows of statements that are sent without waiting for the answer to the one before. */
  async #pipelined(client, statements) {
    const answers = await Promise.allSettled(statements.map((statement) => this.#rows(client, statement)));
    // Behind the first that fails, all do.
    const failed = answers.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    return answers.map(({ value }) => value);
  }

  /** Runs one statement, by itself, or several that only read and see one moment. */
  async #atOnce(client, statements, isTransaction) {
    if (!isTransaction) return this.#pipelined(client, statements);
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${SETTINGS}`;
    return (await this.#pipelined(client, [[begin], ...statements, ['COMMIT']])).slice(1, -1);
  }

  /**
   * Runs statements that store something, as one transaction. Each is waited for: what is sent behind a transaction that did not begin
   * would be stored by itself.
   */
  async #write(client, statements) {
    const all = [];
    await this.#rows(client, [`BEGIN; ${SETTINGS}`]);
    for (const statement of statements) all.push(await this.#rows(client, statement));
    await this.#rows(client, ['COMMIT']);
    return all;
  }

  /** Runs statements, one alone or all as one transaction, at one moment where they only read: the JSON text of the rows of each. */
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

  /** A name that no other capture has. */
  token = () => crypto.randomUUID();

  /** Puts rows of a capture aside: they alone are nothing. */
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
   * Has a capture stored: the JSON text of an array with its row. `store` answers one where the turn is free; otherwise the capture
   * waits, and `wait` answers when its turn has come.
   */
  async capture(store, wait) {
    this.isUnsettled = false;
    this.mayRetry = false;
    try {
      const client = await this.#connected();
      const stored = await this.#alone(client, store);
      if (stored.length > 0) return JSON.stringify(stored);
      this.isUnsettled = true;
      const answered = await this.#alone(client, wait);
      this.isUnsettled = answered.length === 0;
      if (this.isUnsettled) throw new Error('the inbox was emptied');
      return JSON.stringify(answered);
    } catch (error) {
      const said = told(error);
      this.mayRetry = said.gaveWay;
      throw said;
    }
  }

  /** Runs one statement, which is a transaction by itself. */
  async #alone(client, statement) {
    const wasUnsettled = this.isUnsettled;
    this.isUnsettled = true;
    try {
      const rows = await this.#rows(client, statement);
      this.isUnsettled = wasUnsettled;
      return rows;
    } catch (error) {
      // Refused by the server, so that nothing of it is done.
      if (error.severity === 'ERROR') this.isUnsettled = wasUnsettled;
      throw error;
    }
  }

  /** Takes a capture back of which it is not known what became of it: the JSON text of an array with its row. */
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

  /** Closes the connection: what is not committed is gone. */
  async end() {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}
