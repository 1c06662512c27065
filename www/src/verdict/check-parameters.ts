// What a pack of checks may be told, such as your own GLNs: a form with a field for each of its parameters.
import type { Quietly } from '../page/state.ts';
import type { Choice } from './asked.ts';
import { h, put } from '../shared/dom.ts';

/** A parameter, as its pack declares it. */
interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly oneOf?: readonly string[];
}
declare const PACK_PARAMETERS: Readonly<Record<string, readonly Parameter[]>>;

type Given = NonNullable<Choice['parameters']>;

/** The parameters of each pack that has any. */
const DECLARED = PACK_PARAMETERS;
/** The bounds of the engine: texts for a parameter, and bytes in one. */
const MOST = { texts: 100, bytes: 400 };
const bytesIn = (text: string) => new TextEncoder().encode(text).length;

/**
 * Makes the form. `given` has for each pack the values of its parameters; `changed(given)` is called with new ones, unless a field is
 * wrong. `glnFaults(texts)` asks the engine what is wrong with each GLN, and `quietly` takes the failure of that. Returns `{room, show}`:
 * `show(packs)` shows the fields of these packs.
 */
export function makeParameters(
  given: Given,
  {
    changed,
    glnFaults,
    quietly,
  }: { changed(given: Given): void; glnFaults(texts: readonly string[]): Promise<readonly (string | undefined)[]>; readonly quietly: Quietly },
): { readonly room: HTMLElement; show(packs: readonly { readonly id: string; readonly name: string }[]): void } {
  const room = h('div', { class: 'parameters' });
  let shown = '';
  let values = given;

  /** What is wrong with the texts for a parameter, in words; undefined if nothing is. */
  async function faultOf(texts: readonly string[], isGln: boolean): Promise<string | undefined> {
    if (texts.length > MOST.texts) return `More than ${MOST.texts} values`;
    if (texts.some((text) => bytesIn(text) > MOST.bytes)) return `A value has more than ${MOST.bytes} bytes`;
    return isGln ? (await glnFaults(texts)).find(Boolean) : undefined;
  }

  function take(pack: string, name: string, value: string | readonly string[]): void {
    const { [name]: _, ...others } = values[pack] ?? {};
    values = { ...values, [pack]: value.length === 0 ? others : { ...others, [name]: value } };
    changed(values);
  }

  function field(pack: string, { name, about, oneOf }: Parameter): HTMLElement {
    const id = `parameter-${pack}-${name}`;
    const isGln = /\bGLNs?\b/.test(about);
    const type = oneOf === undefined ? `${isGln ? 'GLNs' : 'texts'}, one a line` : 'one word';
    const told = values[pack]?.[name] ?? [];
    const fault = h('p', { class: 'parameter-fault', id: `${id}-fault`, role: 'alert' });
    const input =
      oneOf === undefined
        ? h('textarea', { class: 'field', id, rows: '2', spellcheck: 'false', autocomplete: 'off' }, [told].flat().join('\n'))
        : h(
            'select',
            { class: 'select', id },
            h('option', { value: '' }, 'not told'),
            oneOf.map((word) => h('option', { value: word, selected: told === word }, word)),
          );
    input.setAttribute('aria-describedby', `${id}-about ${id}-fault`);
    const read = async () => {
      const { value } = input;
      const texts = oneOf === undefined ? value.split(isGln ? /[\s,;]+/ : '\n').flatMap((text) => text.trim() || []) : [];
      const wrong = await faultOf(texts, isGln);
      // Another value came while the engine was asked.
      if (input.value !== value) return;
      put(fault, wrong);
      input.setAttribute('aria-invalid', String(wrong !== undefined));
      if (wrong === undefined) take(pack, name, oneOf === undefined ? texts : value);
    };
    input.addEventListener('change', () => quietly(read()));
    return h(
      'div',
      { class: 'parameter' },
      h('label', { for: id }, h('code', {}, name), h('span', { class: 'pack-about' }, ` (${type}; not told by default)`)),
      input,
      h('p', { class: 'fine', id: `${id}-about` }, about),
      fault,
    );
  }

  return {
    room,
    show(packs) {
      const wanted = packs.filter(({ id }) => DECLARED[id] !== undefined);
      const key = wanted.map(({ id }) => id).join();
      if (key === shown) return;
      shown = key;
      put(
        room,
        wanted.map(({ id, name }) =>
          h(
            'details',
            { class: 'plain', open: Object.keys(values[id] ?? {}).length > 0 },
            h('summary', {}, `What you may tell the checks for ${name}`),
            DECLARED[id]?.map((parameter) => field(id, parameter)),
            h('p', { class: 'fine' }, 'A rule that asks for what is not told is not asked.'),
          ),
        ),
      );
    },
  };
}
