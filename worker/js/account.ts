// The objects of a gateway that keeps each account in an object of its own: `a7` has the account with the number 7, `log` has the log.
//
// An object runs SQL alone. It is one thread: with the engine inside, parsing, judging and hashing would be its limit; in front of it are
// as many Workers as there are callers. One log takes the events of all accounts, since no verifier reads proofs of two levels; its
// object has the engine, because a log has one writer anyway.
import { DurableObject } from 'cloudflare:workers';
import migrations from 'migrations';
import { cosign, grow } from './entry.ts';

/** How many numbers an account has: NUMBERS_OF_AN_ACCOUNT of the core. */
const NUMBERS = 1_000_000_000;

/** The least time between two alarms of the log, and of an account, in milliseconds. */
const REST_OF_LOG = 1000;
const REST = 500;

/** After how many milliseconds work that failed is tried again, and an alarm that did not come is set again. */
const AGAIN = 5000;

/** The size in bytes from which an object tells the operator that it ends at 10 GB. */
const LARGE = 8e9;

/** What a deployment over objects has; a variable is empty if it has no value. */
export interface Env {
  readonly DB: D1Database;
  readonly ACCOUNTS: DurableObjectNamespace<Account>;
  readonly ACCOUNTS_JURISDICTION?: DurableObjectJurisdiction | '';
  readonly ACCOUNTS_LOCATION?: DurableObjectLocationHint | '';
  readonly OPERATOR_KEY?: string;
}

/** A statement of SQL with its values. */
export type Statement = readonly [text: string, values: readonly SqlStorageValue[]];

/** An object. The jurisdiction is a part of its identity; where it is made, the location counts. */
export const objectOf = ({ ACCOUNTS, ACCOUNTS_JURISDICTION: jurisdiction, ACCOUNTS_LOCATION: locationHint }: Env, name: string): DurableObjectStub<Account> =>
  (jurisdiction ? ACCOUNTS.jurisdiction(jurisdiction) : ACCOUNTS).getByName(name, locationHint ? { locationHint } : {});

/** The environment with what the engine calls: statements run in the object of a name. */
export const withObjects = (env: Env) => ({
  ...env,
  OBJECTS: {
    run: async (name: string, statements: readonly Statement[]) => objectOf(env, name).run(statements),
    append: async (name: string, statements: readonly Statement[]) => objectOf(env, name).append(statements),
    wake: async () => objectOf(env, 'log').wake(),
  },
});

/** A database that runs the statements of the Workers in front, and nothing else: one object is one thread. */
export class Account extends DurableObject<Env> {
  #isLog: boolean;
  /** When the next alarm is, in milliseconds since 1970; 0 if none is set, or after a start. */
  #next = 0;
  /** When the last alarm was. */
  #last = 0;
  #isLarge = false;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    const { id, storage } = state;
    this.#isLog = id.name === 'log';
    if (!this.#isLog && !/^a[1-9][0-9]*$/.test(id.name ?? '')) throw new Error(`there is no object ${id.name}`);
    const done = storage.kv.get<number>('migrations') ?? 0;
    if (done < migrations.length)
      storage.transactionSync(() => {
        for (const statement of migrations.slice(done).flat()) storage.sql.exec(statement);
        storage.kv.put('migrations', migrations.length);
      });
    // Whatever became of its alarm.
    if (this.#newest() > (storage.kv.get<number>('told') ?? 0)) this.wake();
  }

  #newest = (): number => this.ctx.storage.sql.exec<{ newest: number }>('SELECT coalesce(max(sequence), 0) AS newest FROM events').one().newest;

  #rows = ([text, values]: Statement) => this.ctx.storage.sql.exec(text, ...values).toArray();

  /** Runs statements as one transaction. Returns the JSON text of the rows of each. */
  run(statements: readonly Statement[]): string {
    return JSON.stringify(this.ctx.storage.transactionSync(() => statements.map(this.#rows)));
  }

  /** As `run`, for a capture: the log will be told. */
  append(statements: readonly Statement[]): string {
    const answer = this.run(statements);
    // Without an await since the statements, both are committed together.
    this.wake();
    return answer;
  }

  /** Tells the log of the newest event of an account, and sees to it that the events up to it get leaves. */
  grew(newest: number): void {
    const told = 'INSERT INTO grown (account, newest) VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET newest = max(newest, excluded.newest)';
    this.#rows([told, [Math.floor(newest / NUMBERS), newest]]);
    this.wake();
  }

  /** Begins again at a moment of the last 30 days: a bookmark, or milliseconds since 1970. Returns the bookmark that undoes it. */
  async restore(at: string | number): Promise<string> {
    const { storage } = this.ctx;
    const bookmark = typeof at === 'number' ? await storage.getBookmarkForTime(at) : at;
    const undo = await storage.onNextSessionRestoreBookmark(bookmark);
    this.ctx.waitUntil(scheduler.wait(100).then(() => this.ctx.abort('restored')));
    return undo;
  }

  /** Sets the alarm, unless it is set. One that is overdue is lost. */
  wake(at = Math.max(Date.now(), this.#last + (this.#isLog ? REST_OF_LOG : REST))): void {
    if (Date.now() < this.#next + AGAIN) return;
    this.#next = at;
    this.ctx.storage.setAlarm(at);
  }

  /** What was told once may be told again. An alarm never fails, because the runtime gives up after some failures. */
  override async alarm(): Promise<void> {
    this.#next = 0;
    this.#last = Date.now();
    const isDone = await (this.#isLog ? this.#grow() : this.#tell()).catch((error) => console.error('an alarm failed', error));
    if (!isDone) this.wake(Date.now() + AGAIN);
  }

  /** The bytes of the database. */
  size(): number {
    return this.ctx.storage.sql.databaseSize;
  }

  async #tell(): Promise<boolean> {
    if (!this.#isLarge && this.size() >= LARGE) {
      this.#isLarge = true;
      console.error(`the object ${this.ctx.id.name} has ${this.size()} bytes, and holds 10 GB: docs/scale.md says what to do`);
    }
    const newest = this.#newest();
    if (newest > 0) await objectOf(this.env, 'log').grew(newest);
    // After a capture meanwhile, the next alarm is set, and keeps it: so it is not one more write for each alarm under load.
    if (this.#next === 0) this.ctx.storage.kv.put('told', newest);
    return true;
  }

  async #grow(): Promise<boolean> {
    const isDone = await grow(withObjects(this.env));
    // No leaf waits for a witness.
    cosign(withObjects(this.env)).catch((error) => console.error('the witnesses could not be asked', error));
    if (!isDone) return false;
    if (this.#rows(['SELECT 1 FROM grown LIMIT 1', []]).length > 0) this.wake();
    return true;
  }
}
