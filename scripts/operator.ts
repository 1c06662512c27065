// The operator's door of a gateway over objects (worker/js/operator.ts), as programs use it.
import { setTimeout } from 'node:timers/promises';

/** How many objects are asked at once. */
export const AT_ONCE = 8;

/** How often a call is tried: an object that moves or is overloaded refuses for a moment. */
const TRIES = 5;

/** A value of a row. */
export type Value = number | string | null;

/** A row of an answer, whose columns the text of the statement has. */
export type Row = Readonly<Record<string, Value>>;

/** The number in a column of a row. */
export function numberIn(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== 'number') throw new Error(`the column ${column} has ${value}, expected a number`);
  return value;
}

/** The text in a column of a row. */
export function textIn(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw new Error(`the column ${column} has ${value}, expected a text`);
  return value;
}

/** A statement, with the values in it. */
export type Statement = string | readonly [text: string, values: readonly Value[]];

export interface Door {
  /** The rows of each statement. */
  run(object: string, statements: readonly Statement[]): Promise<Row[][]>;
  /** Sets an object back to a bookmark or a time; returns the bookmark that undoes it. */
  restore(object: string, at: string | number): Promise<string>;
  /** The bytes of an object. */
  size(object: string): Promise<number>;
}

/** Opens the door of the gateway at an address, with its secret OPERATOR_KEY. */
export function openDoor(address: string | URL, key: string): Door {
  const url = new URL('/operator', address);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  async function call(body: { object: string; [asked: string]: unknown }) {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if (response.status < 500 || tries === TRIES) throw new Error(`${url} refused, ${body.object}: ${response.status} ${text.slice(0, 500)}`);
      await setTimeout(500 * tries);
    }
  }
  return {
    run: (object, statements) => call({ object, statements: statements.map((one) => (typeof one === 'string' ? [one, []] : one)) }),
    restore: (object, restore) => call({ object, restore }),
    size: (object) => call({ object, size: true }),
  };
}

/** Does work for each of many, some at a time, and returns what each gave, in their order. */
export async function each<One, Given>(many: Iterable<One>, work: (one: One, at: number) => Promise<Given>, atOnce = AT_ONCE): Promise<Given[]> {
  const all = [...many];
  const given = Array<Given>(all.length);
  let next = 0;
  const worker = async () => {
    while (next < all.length) {
      const at = next;
      next += 1;
      given[at] = await work(all[at] as One, at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
  return given;
}

/** The accounts of the directory, in the order of their numbers. */
export async function accountsOf(door: Door): Promise<{ number: number; account: string; begins: number }[]> {
  const accounts: { number: number; account: string; begins: number }[] = [];
  for (;;) {
    const text = 'SELECT number, account, begins FROM accounts WHERE number > ? ORDER BY number LIMIT 5000';
    const [page = []] = await door.run('directory', [[text, [accounts.at(-1)?.number ?? 0]]]);
    if (page.length === 0) return accounts;
    accounts.push(...page.map((row) => ({ number: numberIn(row, 'number'), account: textIn(row, 'account'), begins: numberIn(row, 'begins') })));
  }
}
