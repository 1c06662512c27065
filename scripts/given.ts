// What our scripts, benchmarks and tests are given by arguments and variables. A name or a value that is not known ends the program: a
// run that ignored it would look like one that did as it was told.

/** Ends the program. */
export function refuse(found: string, advice: string): never {
  console.error(`${found}\n    what to do: ${advice}`);
  process.exit(2);
}

/** What `parseArgs` read; a wrong option is told by `fail`. */
export function readOptions<Read>(read: () => Read, fail: (message: string) => never): Read {
  try {
    return read();
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** The things whose name contains a text; all of them if it is empty. */
export function namedLike<Thing extends { readonly name: string }>(text: string, things: readonly Thing[]): Thing[] {
  const found = things.filter(({ name }) => name.includes(text));
  if (found.length === 0) refuse(`no name contains ${JSON.stringify(text)}`, `take a part of one of\n${things.map(({ name }) => `      ${name}`).join('\n')}`);
  return found;
}

/** A value that must be one of these if it is given. */
export function oneOf<Value extends string>(values: readonly Value[], what: string, value: string | undefined): Value | undefined {
  const found = values.find((one) => one === value);
  if (value !== undefined && found === undefined) refuse(`${what} is ${value}`, `choose one of ${values.join(', ')}`);
  return found;
}

/** The number in a text; it may be written in groups, such as 1_000_000 or 1,000,000. */
export function countOf(text: string, what: string, least = 1): number {
  const count = /^\d[\d_,]*$/.test(text) ? Number(text.replaceAll(/[_,]/g, '')) : undefined;
  if (count === undefined || count < least) refuse(`${what} is ${text}`, `give a whole number from ${least}`);
  return count;
}

/** Whether a variable is set to 1. */
export const isOn = (name: string): boolean => oneOf(['1'], name, process.env[name]) === '1';

/** The number in a variable, if it is set. */
export const countIn = (name: string, otherwise: number): number => (process.env[name] === undefined ? otherwise : countOf(process.env[name], name));
