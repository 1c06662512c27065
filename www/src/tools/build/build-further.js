// Members that the Build form has no field for, typed as JSON: own fields with a prefix, master data, nested ILMD.

/** The longest text of further members, in characters. */
const LONGEST = 200_000;

const NONE = {};
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The members in a text: `{value}`, or an empty `value` with a `fault` if they cannot be read. */
export function furtherOf(text) {
  if ((text ?? '').trim() === '') return { value: NONE };
  if (text.length > LONGEST) return { value: NONE, fault: `the further members are longer than ${LONGEST.toLocaleString('en')} characters` };
  try {
    const value = JSON.parse(text);
    return isObject(value) ? { value } : { value: NONE, fault: 'the further members must be a JSON object, such as `{"example:colour": "red"}`' };
  } catch {
    return { value: NONE, fault: 'the further members are not JSON, expected an object such as `{"example:colour": "red"}`' };
  }
}

/** The names of all members of a value, at any depth. */
export function namesIn(value) {
  const names = [];
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
