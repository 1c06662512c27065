// Where a finding stands in the text: line and column, both from 1, the column in the code units of UTF-16, as editors count them.

/** The same with columns in characters, of places that have them in bytes; of a text in another encoding than UTF-8 as they are. */
export function inCharacters(places, bytes) {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return places.map((place) => {
    const start = starts[place.line - 1];
    if (start === undefined) return place;
    try {
      return { ...place, column: decoder.decode(bytes.subarray(start, start + place.column - 1)).length + 1 };
    } catch {
      return place;
    }
  });
}

const [QUOTE, BACKSLASH, LINE_FEED] = [...Buffer.from('"\\\n')];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA, COLON] = [...Buffer.from('{}[],:')];
const isSpace = (byte) => byte === 32 || byte === 9 || byte === 13 || byte === LINE_FEED;

const partsOf = (pointer) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Finds the values of JSON Pointers in JSON, and the names before them; it comes in chunks. */
class Finder {
  #root = { next: new Map() };
  #line = 1;
  #column = 1;
  /** The open containers: `{node, index}`, the index of an array alone. */
  #open = [];
  /** What the next value is, as far as anybody asks. */
  #child = this.#root;
  #isName = false;
  #isInString = false;
  #isEscaped = false;
  #isInScalar = false;
  #name = undefined;

  /** Looks for a value; `{value, name}` are its place and that of its name, once they came. */
  wanted(pointer) {
    let node = this.#root;
    for (const part of partsOf(pointer)) {
      let next = node.next.get(part);
      if (next === undefined) node.next.set(part, (next = { next: new Map() }));
      node = next;
    }
    return node;
  }

  push(chunk) {
    for (const byte of chunk) {
      if (this.#isInString) this.#inString(byte);
      else this.#outside(byte);
      if (byte === LINE_FEED) {
        this.#line += 1;
        this.#column = 1;
      } else if (byte < 0x80 || byte >= 0xc0) this.#column += byte >= 0xf0 ? 2 : 1;
    }
  }

  #inString(byte) {
    this.#name?.push(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInString = false;
      if (this.#name === undefined) return;
      const { node } = this.#open.at(-1);
      this.#child = node.next.get(JSON.parse(Buffer.from(this.#name).toString('utf8')));
      if (this.#child) this.#child.name = this.#name.place;
      this.#name = undefined;
    }
  }

  #outside(byte) {
    const isScalar = this.#isInScalar;
    this.#isInScalar = false;
    if (isSpace(byte)) return;
    const around = this.#open.at(-1);
    if (byte === QUOTE) {
      this.#isInString = true;
      if (!this.#isName) this.#begin();
      else if (around.node) this.#name = Object.assign([QUOTE], { place: this.#here() });
      else this.#child = undefined;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#begin();
      const node = this.#child;
      const isArray = byte === OPEN_ARRAY;
      this.#open.push({ node, index: isArray ? 0 : undefined });
      this.#isName = !isArray;
      this.#child = isArray ? node?.next.get('0') : undefined;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#open.pop();
      this.#isName = false;
    } else if (byte === COMMA) {
      if (around.index === undefined) this.#isName = true;
      else {
        around.index += 1;
        this.#child = around.node?.next.get(String(around.index));
      }
    } else if (byte === COLON) this.#isName = false;
    else {
      if (!isScalar && byte < 0x80) this.#begin();
      this.#isInScalar = true;
    }
  }

  #here() {
    return { line: this.#line, column: this.#column };
  }

  #begin() {
    if (this.#child) this.#child.value = this.#here();
  }
}

/** Keywords that are about names, which their message has. */
const OF_NAMES = ['propertyNames', 'additionalProperties'];

/**
 * Where errors of the JSON schema stand, of each `{line, column}`: the value, or the name that must not be there. An error that has a
 * place keeps it.
 *
 * @param chunks of the document
 */
export function placedInJson(errors, chunks) {
  const finder = new Finder();
  const sought = errors.map(({ path, keyword, message }) => {
    const names = OF_NAMES.includes(keyword) ? [...message.matchAll(/`([^`]+)`/g)].map(([, name]) => name.replaceAll('~', '~0').replaceAll('/', '~1')) : [];
    return { node: finder.wanted(path), names: names.map((name) => finder.wanted(`${path}/${name}`)) };
  });
  for (const chunk of chunks) finder.push(chunk);
  return errors.map((error, at) => {
    const { node, names } = sought[at];
    return { ...(names.find(({ name }) => name)?.name ?? node.value), ...error };
  });
}

/** Where errors of either schema stand. */
export function placed(errors, bytes) {
  if (errors.length === 0) return errors;
  return errors[0].line === undefined ? placedInJson(errors, [bytes]) : inCharacters(errors, bytes);
}

/** A place as terminals and editors open it, `file:line:column`; a line of NDJSON is a document of its own. */
export const placeOf = (label, { line, column }) => `${label.file}:${label.line ?? line}:${column}`;
