// What our scripts, benchmarks and tests are given by arguments and variables. A name or a value that is not known ends the program: a
// run that ignored it would look like one that did as it was told.

/** Ends the program. */
export function refuse(found, advice) {
  console.error(`${found}\n    what to do: ${advice}`);
  process.exit(2);
}

/** The things whose name contains a text; all of them if it is empty. */
export function namedLike(text, things) {
  const found = things.filter(({ name }) => name.includes(text));
  if (found.length === 0) refuse(`no name contains ${JSON.stringify(text)}`, `take a part of one of\n${things.map(({ name }) => `      ${name}`).join('\n')}`);
  return found;
}

/** A value that must be one of these if it is given. */
export function oneOf(values, what, value) {
  if (value !== undefined && !values.includes(value)) refuse(`${what} is ${value}`, `choose one of ${values.join(', ')}`);
  return value;
}

/** The number in a text; it may be written in groups, such as 1_000_000 or 1,000,000. */
export function countOf(text, what, least = 1) {
  const count = /^\d[\d_,]*$/.test(text) ? Number(text.replaceAll(/[_,]/g, '')) : undefined;
  if (count === undefined || count < least) refuse(`${what} is ${text}`, `give a whole number from ${least}`);
  return count;
}

/** Whether a variable is set to 1. */
export const isOn = (name) => oneOf(['1'], name, process.env[name]) === '1';

/** The number in a variable, if it is set. */
export const countIn = (name, otherwise) => (process.env[name] === undefined ? otherwise : countOf(process.env[name], name));
