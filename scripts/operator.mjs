// The operator's door of a gateway over objects (worker/js/operator.ts), as programs use it.
import { setTimeout } from 'node:timers/promises';

/** How many objects are asked at once. */
export const AT_ONCE = 8;

/** How often a call is tried: an object that moves or is overloaded refuses for a moment. */
const TRIES = 5;

/**
 * Opens the door of a gateway.
 *
 * @param address the address of the gateway
 * @param key its secret OPERATOR_KEY
 * @returns `{ run(object, statements), restore(object, at), size(object) }`: the rows of each statement, `[text, values]`; the bookmark that
 *   undoes; bytes
 */
export function openDoor(address, key) {
  const url = new URL('/operator', address);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  async function call(body) {
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
export async function each(many, work, atOnce = AT_ONCE) {
  const all = [...many];
  const given = Array(all.length);
  let next = 0;
  const worker = async () => {
    while (next < all.length) {
      const at = next;
      next += 1;
      given[at] = await work(all[at], at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
  return given;
}

/** The accounts of the directory, in the order of their numbers: `{ number, account, begins }`. */
export async function accountsOf(door) {
  const accounts = [];
  for (;;) {
    const text = 'SELECT number, account, begins FROM accounts WHERE number > ? ORDER BY number LIMIT 5000';
    const [page] = await door.run('directory', [[text, [accounts.at(-1)?.number ?? 0]]]);
    if (page.length === 0) return accounts;
    accounts.push(...page);
  }
}
