// Members that the Build form has no field for, typed as JSON: own fields with a prefix, master data, nested ILMD.

/** The content of a field of a draft: a text, its rows, or whether it is chosen. */
export type Field = string | boolean | readonly (readonly string[])[] | undefined;

/** An event as the form has it: the texts of its fields as typed; what is missing is empty. */
export interface Draft {
  readonly [field: string]: Field;
  readonly type: string;
}

/** Typed identifiers as they were read: their forms in documents, and the GLNs in them. */
export interface Ids {
  readonly spell: (typed: string) => string;
  readonly glnOf: (typed: string) => string | undefined;
}

/** A field as a text, and as rows. */
export const textIn = (draft: Draft, name: string): string => (draft[name] as string | undefined) ?? '';
export const rowsIn = (draft: Draft, name: string): readonly (readonly string[])[] => (draft[name] as readonly (readonly string[])[] | undefined) ?? [];

/** The longest text of further members, in characters. */
const LONGEST = 200_000;

/** Members by their names. */
export type Members = Readonly<Record<string, unknown>>;

const NONE: Members = {};
export const isObject = (value: unknown): value is Members => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The members in a text: `{value}`, or an empty `value` with a `fault` if they cannot be read. */
export function furtherOf(text: string | undefined): { readonly value: Members; readonly fault?: string } {
  if (text === undefined || text.trim() === '') return { value: NONE };
  if (text.length > LONGEST) return { value: NONE, fault: `the further members are longer than ${LONGEST.toLocaleString('en')} characters` };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value } : { value: NONE, fault: 'the further members must be a JSON object, such as `{"example:colour": "red"}`' };
  } catch {
    return { value: NONE, fault: 'the further members are not JSON, expected an object such as `{"example:colour": "red"}`' };
  }
}

/** The names of all members of a value, at any depth. */
export function namesIn(value: unknown): string[] {
  const names: string[] = [];
  const rest = [value];
  while (rest.length > 0) {
    const own = rest.pop();
    if (Array.isArray(own)) rest.push(...own);
    else if (isObject(own)) {
      names.push(...Object.keys(own));
      rest.push(...Object.values(own));
    }
  }
  return names;
}
