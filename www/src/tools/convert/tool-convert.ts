// The Convert tool: shows a GS1 identifier in its other spellings, with its parts, its check digit and a QR code.
import type { Around, Tool } from '../../page/modes.ts';
import { button, type Child, copyButton, h, icon, put, s, save } from '../../shared/dom.ts';
import { banner } from '../../shared/parts.ts';
import { capital } from '../../shared/words.ts';

import type { Converted, NotConverted, Part } from './convert.ts';

const EXAMPLES = ['urn:epc:id:sgtin:9521141.012345.A1', 'https://id.gs1.org/00/095211410000000175', '(414)9521141000014', '09521141001233'];

/** Builds the tool; the engine's thread does the work. */
export function makeConvert(room: HTMLElement, { engine }: Around): Tool {
  const answer = h('div', { class: 'convert-answer', 'aria-live': 'polite' });
  let turn = 0;
  const input = h('input', {
    class: 'field',
    id: 'convert-input',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'EPC URN, GS1 Digital Link, (01)… or digits',
    oninput: () => ask(),
  });
  const show = (text: string) => {
    input.value = text;
    ask();
  };

  async function ask(): Promise<void> {
    const text = input.value.trim();
    const own = (turn += 1);
    if (text === '') {
      put(answer);
      return;
    }
    const found = await engine.tool('convert', text);
    if (own === turn) draw(found);
  }

  const other = (words: string, text: string) => button('swap', words, () => show(text), { class: 'button' });
  const line = (title: string, text: string) => h('div', { class: 'convert-line' }, h('dt', {}, title), h('dd', {}, h('code', {}, text), copyButton(text)));

  async function draw(found: Converted | NotConverted): Promise<void> {
    if (found.problem !== undefined) {
      put(
        answer,
        banner('bad', 'Not converted', found.problem),
        found.corrected !== undefined && h('p', { class: 'convert-tools' }, other(`Correct the check digit: ${found.corrected}`, found.corrected)),
        found.others?.map(({ kind, text }) => h('p', { class: 'convert-tools' }, other(`Read it as ${kind}`, text))),
        parts(found.parts ?? []),
      );
      return;
    }
    const { digitalLink, own, lost, elementString, urns, kind, others } = found;
    const urnRoom = h('dl', { class: 'convert-lines' });
    const able = urns.filter(({ urn }) => urn !== undefined);
    const drawUrn = (length: number | undefined) => {
      const { urn, why }: Partial<Converted['urns'][number]> = urns.find((one) => one.length === length) ?? {};
      put(urnRoom, urn === undefined ? h('p', { class: 'remark' }, icon('info'), why ?? 'There is no EPC URN for this.') : line('EPC URN', urn));
    };
    const length = found.length ?? able.find((one) => one.length === 7)?.length ?? able[0]?.length;
    const choice =
      able.length > 0 &&
      h(
        'label',
        { class: 'convert-length' },
        'Digits of the company prefix ',
        h(
          'select',
          { class: 'select', id: 'convert-length', onchange: (event) => drawUrn(Number((event.target as HTMLSelectElement).value)) },
          able.map((one) => h('option', { value: String(one.length), selected: one.length === length }, String(one.length))),
        ),
        found.length === undefined && h('span', { class: 'fine' }, 'A Digital Link does not say it: look it up where the key was issued.'),
      );
    put(
      answer,
      banner('good', capital(kind), 'The same identifier in every form'),
      h(
        'dl',
        { class: 'convert-lines' },
        line('GS1 Digital Link', digitalLink),
        line('Element string', elementString),
        own !== digitalLink && line('In an EPCIS event', own),
      ),
      urnRoom,
      lost.length > 0 &&
        h(
          'p',
          { class: 'remark convert-lost' },
          icon('info'),
          `An EPC URN and the identifier of an event cannot hold ${lost.map(({ ai, name }) => `(${ai}) ${name}`).join(', ')}. An event has other fields for these, such as ilmd.`,
        ),
      choice,
      others.map((one) => h('p', { class: 'convert-tools' }, other(`Read the same digits as ${one.kind}`, one.text))),
      parts(found.parts),
      h('h3', { class: 'caption' }, 'QR code of the Digital Link'),
      await qr(digitalLink),
    );
    drawUrn(length);
  }

  const parts = (list: readonly Part[]): Child =>
    list.length > 0 && [
      h('h3', { class: 'caption' }, 'Parts'),
      h(
        'div',
        { class: 'table-room', tabindex: '0', role: 'region', 'aria-label': 'Parts' },
        h(
          'table',
          { class: 'hashes' },
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              ['AI', 'Key', 'Value', 'Check digit'].map((name) => h('th', { scope: 'col' }, name)),
            ),
          ),
          h(
            'tbody',
            {},
            list.map(({ ai, name, value, check }) =>
              h(
                'tr',
                {},
                h('td', {}, ai),
                h('td', {}, name),
                h('td', {}, h('code', {}, value)),
                h(
                  'td',
                  { class: check === undefined ? '' : check.found === check.expected ? 'verdict good' : 'verdict bad' },
                  check === undefined ? '' : check.found === check.expected ? `${check.found}, correct` : `${check.found}, expected ${check.expected}`,
                ),
              ),
            ),
          ),
        ),
      ),
    ];

  put(
    room,
    h('h2', { class: 'tool-title' }, 'Convert identifiers'),
    h('p', { class: 'tool-about' }, 'EPC URN, GS1 Digital Link, element string and plain keys, each to the others, with check digits verified.'),
    h('label', { class: 'caption', for: 'convert-input' }, 'Identifier'),
    input,
    h(
      'p',
      { class: 'convert-tools' },
      EXAMPLES.map((text) => h('button', { type: 'button', class: 'button quiet example', onclick: () => show(text) }, text)),
    ),
    answer,
  );
  return { open: () => input.focus({ preventScroll: true }) };
}

/** The QR code of a text, black on white in either theme, with a button that saves it. */
async function qr(text: string): Promise<HTMLElement> {
  const { generate } = await import('lean-qr');
  const code = generate(text);
  const margin = 4;
  let path = '';
  for (let y = 0; y < code.size; y += 1) for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x + margin} ${y + margin}h1v1h-1z`;
  const size = code.size + 2 * margin;
  const svg = s(
    'svg',
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': `QR code of ${text}`, 'shape-rendering': 'crispEdges' },
    s('rect', { width: size, height: size, fill: '#fff' }),
    s('path', { d: path, fill: '#000' }),
  );
  const file = () => {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    copy.removeAttribute('class');
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.setAttribute('width', String(size * 10));
    copy.setAttribute('height', String(size * 10));
    return new XMLSerializer().serializeToString(copy);
  };
  return h(
    'div',
    { class: 'qr-room' },
    svg,
    button('download', 'QR code', () => save('digital-link.svg', file(), 'image/svg+xml'), { class: 'button quiet' }),
  );
}
