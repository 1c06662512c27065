// The panel of hashes: the hash of each event, its pre-hash string, and a field to check a hash.
import { PROFILES } from '../../../wasm/js/engine/answers.ts';
import type { EventHash, Profile } from '../../../wasm/js/engine/index.ts';
import type { Page } from '../page/page.ts';
import type { PageAsk } from '../page/state.ts';
import { announce, button, type Child, copyButton, h, icon, put } from '../shared/dom.ts';
import { banner, more, refusal } from '../shared/parts.ts';
import { FACETS, tokens } from './pre-hash.ts';
import { count, entryOf, phrase, typeName } from '../shared/words.ts';

import type { HashesAnswer, HashRow, PreHashText } from './document-hashes.ts';
import type { Explained } from './explain.ts';

type Strings = Readonly<Partial<Record<Profile, PreHashText>>>;

const ABOUT: Readonly<Record<Profile, string>> = {
  'CBV2.0': 'CBV 2.0 standard (default)',
  'CBV2.1': 'Draft of CBV 2.1',
  REF2025: 'What the 2025 reference code computes',
};

const digestOf = (uri: EventHash) => uri.slice('ni:///sha-256;'.length, uri.indexOf('?'));

export function showHashes(panel: HTMLElement, hashes: HashesAnswer, { ask, download, jumpToProblem }: Page): void {
  if (hashes.problem !== undefined) {
    put(panel, refusal(hashes.problem, jumpToProblem));
    return;
  }
  const { total, tally, agreeing, matched } = hashes;
  const named = total - tally['not-hash-form'];
  const wrong = tally['matches-none'];
  const names = Object.entries(matched)
    .map(([profile, number]) => `${number === named ? '' : `${number.toLocaleString('en')} under `}${profile}`)
    .join(', ');
  const detail =
    named === 0
      ? `${agreeing === total ? 'All three hash profiles agree' : `The hash profiles differ on ${agreeing === 0 ? 'every event' : `${(total - agreeing).toLocaleString('en')} of ${count(total, 'event')}`}. Tell your partners which one you use`}. No eventID is a hash`
      : wrong > 0
        ? `${wrong.toLocaleString('en')} of ${count(named, 'eventID')} ${wrong === 1 ? 'does not match its' : 'do not match their'} event`
        : `${count(named, 'eventID')} verified: ${names}`;
  const detailBox = h('div', { class: 'hash-event' });
  const table = h(
    'tbody',
    {},
    hashes.page.map((entry) => rowOf(entry, open)),
  );
  let drawn = hashes.page.length;

  async function open(index: number): Promise<void> {
    stepper.value = String(index + 1);
    back.disabled = index === 0;
    forth.disabled = index === total - 1;
    for (const row of table.rows) row.classList.toggle('is-chosen', Number(row.dataset.index) === index);
    const [strings, [entry]] = await Promise.all([ask('preHash', index), ask('hashPage', index)]);
    if (entry !== undefined) drawEvent(detailBox, strings, entry, () => ask('explain', index));
  }
  const chosen = () => Math.min(Math.max(Number(stepper.value) || 1, 1), total) - 1;
  const stepper: HTMLInputElement = h('input', {
    type: 'number',
    class: 'number',
    min: '1',
    max: String(total),
    value: '1',
    'aria-label': 'Event number',
    onchange: () => open(chosen()),
  });
  const back = h('button', { type: 'button', class: 'button icon-only', 'aria-label': 'Previous event', onclick: () => open(chosen() - 1) }, icon('left'));
  const forth = h('button', { type: 'button', class: 'button icon-only', 'aria-label': 'Next event', onclick: () => open(chosen() + 1) }, icon('right'));

  put(
    panel,
    banner(
      wrong > 0 ? 'bad' : !hashes.isValid ? 'calm' : agreeing < total && named === 0 ? 'warn' : 'good',
      `${count(total, 'event')} hashed`,
      detail,
      button('download', 'Hashes', () => download('hashes'), { class: 'button quiet' }),
    ),
    !hashes.isValid && h('p', { class: 'remark' }, icon('info'), 'The document is not valid: other tools may refuse to hash it, or hash it differently.'),
    hashes.isTranslated &&
      h(
        'p',
        { class: 'remark' },
        icon('info'),
        hashes.losses === 0
          ? 'The XML was translated first; nothing was lost.'
          : `The XML was translated first, and ${count(hashes.losses, 'value')} ${hashes.losses === 1 ? 'was' : 'were'} lost: a tool that hashes the XML itself may give another hash.`,
      ),
    verifier(ask, open),
    h('div', { class: 'stepper' }, h('h3', { class: 'caption' }, 'Event'), back, stepper, h('span', {}, `of ${total.toLocaleString('en')}`), forth),
    detailBox,
    h('h3', { class: 'caption' }, 'All hashes'),
    h(
      'div',
      { class: 'table-room', tabindex: '0', role: 'region', 'aria-label': 'All hashes' },
      h(
        'table',
        { class: 'hashes' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['#', 'Event', 'CBV2.0 digest', 'Profiles', 'eventID'].map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        table,
      ),
    ),
    total > drawn &&
      more('Show 50 more', async () => {
        const page = await ask('hashPage', drawn);
        table.append(...page.map((entry) => rowOf(entry, open)));
        drawn += page.length;
        return drawn >= total;
      }),
  );
  open(0);
}

function rowOf({ index, hashes, verified, type, bizStep }: HashRow, open: (index: number) => unknown): HTMLElement {
  const digests = new Set(Object.values(hashes).map(digestOf));
  const words = { matches: [verified?.profiles.join(', '), 'good'], 'matches-none': ['no match', 'bad'], 'not-hash-form': ['–', ''] } as const;
  const verdict = verified === undefined ? ['', ''] : words[verified.result];
  const first = hashes['CBV2.0'];
  return h(
    'tr',
    { dataset: { index } },
    h('td', {}, String(index + 1)),
    h('td', {}, h('button', { type: 'button', class: 'link', onclick: () => open(index) }, bizStep === '' ? typeName(type) : phrase(bizStep))),
    h('td', {}, h('code', { title: first }, first !== undefined && `${digestOf(first).slice(0, 16)}…`)),
    h('td', {}, digests.size === 1 ? 'all agree' : 'differ'),
    h('td', { class: `verdict ${verdict[1]}`, title: verified?.reading ?? '' }, verdict[0]),
  );
}

function verifier(ask: PageAsk, open: (index: number) => unknown): HTMLElement {
  const answer = h('output', { class: 'verify-answer', for: 'verify-hash' });
  const input: HTMLInputElement = h('input', {
    id: 'verify-hash',
    class: 'field',
    placeholder: 'ni:///sha-256;…?ver=CBV2.0',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: judge,
  });
  async function judge(): Promise<void> {
    const text = input.value.trim();
    if (text === '') {
      put(answer);
      answer.className = 'verify-answer';
      return;
    }
    const say = (tone: 'good' | 'warn' | 'bad', ...words: readonly Child[]) => {
      answer.className = `verify-answer ${tone}`;
      put(answer, icon(tone === 'good' ? 'check' : tone === 'warn' ? 'warn' : 'cross'), h('span', {}, ...words));
    };
    const result = await ask('find', text);
    if (input.value.trim() !== text) return;
    if (result === undefined) return say('bad', 'Not an event hash: expected 64 hexadecimal digits, in the form ni:///sha-256;…?ver=CBV2.0');
    if (result.found.length === 0) return say('bad', 'No event of this document has this hash, under any of the three profiles.');
    const byEvent = new Map<number, Profile[]>();
    for (const { index, profile } of result.found) byEvent.set(index, [...(byEvent.get(index) ?? []), profile]);
    const [[index, profiles] = [0, []]] = byEvent;
    const labels = new Set(result.found.map(({ uri }) => uri.slice(uri.indexOf('=') + 1)));
    const others = byEvent.size - 1;
    const sentence = [
      `The hash of event ${index + 1} under ${profiles.join(' and ')}${others > 0 ? `, and of ${count(others, 'other event')} with the same content` : ''}. `,
      h('button', { type: 'button', class: 'link', onclick: () => open(index) }, 'Show it'),
    ];
    if (result.label !== undefined && !labels.has(result.label))
      return say('warn', 'The digest matches, but not its label, ', h('code', {}, result.label), '. ', ...sentence);
    return say('good', ...sentence);
  }
  return h('div', { class: 'verify' }, h('label', { for: 'verify-hash' }, 'Check a hash'), input, answer);
}

function drawEvent(box: HTMLElement, strings: Strings | undefined, entry: HashRow, explain: () => Promise<Explained | undefined>): void {
  if (strings === undefined) {
    put(box);
    return;
  }
  const { verified, eventID } = entry;
  const lines = h('div', { class: 'pieces' });
  const hashOf = (profile: Profile) => strings[profile]?.hash;
  const digests = PROFILES.map((profile) => {
    const hash = hashOf(profile);
    return hash === undefined ? '' : digestOf(hash);
  });
  const show = (profile: Profile) => drawPieces(lines, strings, profile);
  const name = 'profile';
  put(
    box,
    h(
      'div',
      { class: 'profiles', role: 'radiogroup', 'aria-label': 'Profile whose string is shown' },
      PROFILES.map((profile, which) => {
        const twin = digests.indexOf(digests[which] ?? '');
        const isNamed = verified?.reading === undefined && verified?.profiles.includes(profile);
        return h(
          'div',
          { class: 'profile' },
          h(
            'label',
            {},
            h('input', { type: 'radio', name, value: profile, checked: which === 0, onchange: () => show(profile) }),
            h('b', {}, profile),
            h('span', { class: 'profile-about' }, ABOUT[profile]),
          ),
          h('div', { class: 'profile-hash' }, h('code', {}, hashOf(profile)), copyButton(hashOf(profile) ?? '')),
          h(
            'div',
            { class: 'chips' },
            twin < which && h('span', { class: 'chip' }, `same digest as ${PROFILES[twin]}`),
            twin === which && which > 0 && h('span', { class: 'chip warn' }, 'differs'),
            isNamed && h('span', { class: 'chip good' }, icon('check'), 'equals the eventID'),
          ),
        );
      }),
    ),
    eventID !== undefined && verified?.result === 'matches-none' && stale(eventID, explain),
    verified?.reading !== undefined && h('p', { class: 'fine' }, `The eventID is the hash of the event ${verified.reading}, which were added later.`),
    lines,
  );
  show('CBV2.0');
}

/** The section about an eventID in hash form that is not the hash of its event: what was tried, and the likely cause. */
function stale(eventID: string, explain: () => Promise<Explained | undefined>): HTMLElement {
  const more = h('div', { class: 'stale-more' });
  const own = h(
    'section',
    { class: 'stale', 'aria-label': 'Why the eventID does not match' },
    h('p', { class: 'remark bad' }, icon('cross'), h('span', {}, 'This eventID has the form of a hash but does not match the event: ', h('code', {}, eventID))),
    more,
  );
  explain().then(
    (found) => {
      if (found === undefined) return;
      const { tried, without, profile } = found;
      put(
        more,
        h(
          'p',
          {},
          `We recomputed it with ${tried.map((one) => one.profile).join(', ')}, and again without each field.${without === undefined ? ' Nothing matches.' : ''}`,
        ),
        h(
          'ul',
          {},
          tried.map((one) => h('li', {}, h('b', {}, one.profile), ' gives ', h('code', {}, one.hash))),
        ),
        without === undefined
          ? h(
              'p',
              {},
              'The event was probably edited after its eventID was made, or the eventID was never a real hash. Many published examples are like that. If the event is yours and nothing refers to it yet, use the hash above. Otherwise keep the eventID and publish a correction.',
            )
          : h(
              'p',
              {},
              h('b', {}, `Without ${without} it is the hash under ${profile}: `),
              'this field was added or changed after the eventID was made. Restore the field, or give the changed event a new eventID.',
            ),
      );
    },
    () => undefined,
  );
  return own;
}

function drawPieces(box: HTMLElement, strings: Strings, profile: Profile): void {
  const own = strings[profile];
  if (own === undefined) return;
  const { pieces, text, length } = own;
  const others = new Set(
    Object.entries(strings)
      .filter(([name]) => name !== profile)
      .flatMap(([, { pieces: list }]) => list.map((piece) => piece.text)),
  );
  const isShared = Object.values(strings).every((string) => string.text === text);
  put(
    box,
    h('div', { class: 'pieces-head' }, h('h3', { class: 'caption' }, `Pre-hash string, ${count(length, 'character')}`), copyButton(text, 'Copy string')),
    h('p', { class: 'fine' }, 'The digest is the SHA-256 of these pieces, one after the other, with nothing between them.'),
    length > text.length
      ? h('pre', { class: 'raw', tabindex: '0' }, `${text}…`)
      : h(
          'ol',
          { class: 'piece-list' },
          pieces.map(({ field, text: part }) =>
            h(
              'li',
              { class: `piece facet-${entryOf(FACETS, field) ?? 'more'} ${!isShared && !others.has(part) ? 'is-own' : ''}` },
              h('span', { class: 'piece-label' }, field ?? 'other', !isShared && !others.has(part) && h('em', {}, `only in ${profile}`)),
              h(
                'span',
                { class: 'piece-text' },
                tokens(part).map(({ kind, text: word }) => (kind === 'name' ? h('b', {}, word) : word)),
              ),
            ),
          ),
        ),
  );
  if (box.isConnected && document.activeElement?.getAttribute('name') === 'profile') announce(`The string of ${profile}`);
}
