// The page: sends the text of the editor to the engine's thread and its answers to the panels.
/* global ENGINE_WASM, ENGINE_VERSION */
import { decode, foreignOf, formatOf } from './detect.js';
import { announce, button, h, icon, put, save } from './dom.js';
import { LARGEST as KEPT } from './documents.js';
import { createEditor, EDITABLE, isEditable } from './editor.js';
import { Engine, Superseded } from './engine.js';
import { showIntroduction } from './introduction.js';
import { laterStyle } from './later.js';
import { makeModes } from './modes.js';
import { keepOffline } from './offline.js';
import { showErrorLines, showFixes, showOthers, showVerdict } from './panel-validate.js';
import { waiting } from './parts.js';
import { isDisclosure, isPolicy, isProof } from './proof-kind.js';
import { makeSession } from './session.js';
import { makeTabs } from './tabs.js';
import { themeButton } from './theme.js';
import { count, sizeText } from './words.js';

/** The pause in typing after which the document is sent to the engine, in milliseconds. */
const QUIET = 140;
/** How many bytes of a large document are shown at first: `lines`, or `line` if its start has no line break. */
const HEAD = { lines: 16_000, line: 5000 };
/** The largest file that the page opens, in bytes: a larger one would exhaust its memory. */
const LARGEST = 100_000_000;

const at = (id) => document.getElementById(id);
const TABS = [
  { id: 'validate', title: 'Validate' },
  { id: 'checks', title: 'Checks' },
  { id: 'events', title: 'Events' },
  { id: 'table', title: 'Table' },
  { id: 'hash', title: 'Hash' },
  { id: 'translate', title: 'Translate' },
  { id: 'proof', title: 'Proof' },
  { id: 'master', title: 'Master data' },
];
const STAGE_OF = { validate: 'verdict', events: 'events', table: 'events', hash: 'hashes', translate: 'translation' };
const STAGE_WORDS = {
  verdict: 'Validating',
  events: 'Reading the events',
  hashes: 'Hashing',
  translation: 'Translating',
  places: 'Finding the places',
  checks: 'Checking',
};

const state = { tab: 'validate', format: 'empty', back: '2.0', large: undefined, parts: {} };

// The engine is compiled once, in the background, and shared by all threads.
const file = (name) => new URL(name, import.meta.url);
const compiled = fetch(file(ENGINE_WASM)).then(async (response) => {
  if (!response.ok) throw new Error(`${ENGINE_WASM}: ${response.status}`);
  // Without the media type `application/wasm` the module cannot be compiled while it streams in, only afterwards.
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
});
const engine = new Engine(() => new Worker(at('script').dataset.worker, { type: 'module' }), compiled, {
  stage: onStage,
  part: onPart,
  done: onDone,
  failed: onFailed,
});
const quietly = (promise) => promise.catch((error) => onFailed(error.message));
/** Asks the engine about the shown document. If a newer document replaces it, the promise never settles. */
const ask = (about, argument) =>
  engine.ask(about, argument).catch((error) => {
    if (!(error instanceof Superseded)) onFailed(error.message);
    return new Promise(() => undefined);
  });

// A counter of openings and edits. `waitingForIt()` returns a function that says whether neither has happened since:
// a fetch or a file read that finishes later is dropped.
let opened = 0;
function waitingForIt() {
  const own = (opened += 1);
  return () => own === opened;
}

// The editor.
const editor = createEditor(at('editor'), {
  label: 'EPCIS document, JSON or XML',
  onChange: edited,
  onLargePaste: (text) => openText(text),
});
let timer;
function edited({ isWhole = false } = {}) {
  clearTimeout(timer);
  opened += 1;
  examples.value = '';
  session.edited(isWhole);
  timer = setTimeout(() => judge(editor.text()), QUIET);
  setEmpty(editor.length() === 0);
}

function setEmpty(isEmpty) {
  at('empty').hidden = !isEmpty;
  document.body.classList.toggle('is-empty', isEmpty);
}

/** Sends the text of the editor to the engine, with its format. */
function judge(text) {
  state.large = undefined;
  const format = formatOf(text.slice(0, 4096));
  if (format !== state.format) editor.setFormat(format);
  setFormat(format, text.length);
  begin(new TextEncoder().encode(text), true);
}

function setFormat(format, size) {
  state.format = format;
  at('format').textContent = format === 'empty' ? '' : `${format === 'xml' ? 'XML' : 'JSON'} · ${sizeText(size)}`;
}

function begin(bytes, isText) {
  opened += 1;
  state.parts = {};
  for (const id of LAZY) panels.get(id).dataset.stale = '';
  tabs.badge('checks', '');
  drawCode();
  // The first example, which opens by itself, is not checked until the Checks tab is chosen: the checks are a wasm file of their own.
  const { example, isEdited } = session.shown;
  quietly(
    engine.open(bytes, { first: STAGE_OF[state.tab], back: state.back, isText, checks: isEdited || example === undefined || example !== listed[0]?.name }),
  );
}

// The open documents.
const session = makeSession({
  room: at('documents'),
  footer: at('footer'),
  textOf: () => editor.text(),
  openAddress: () => quietly(openAddress()),
  notice: (text, ...tools) => setNotice(text, ...tools),
  leave(one) {
    clearTimeout(timer);
    one.kept = one.bytes === undefined ? editor.keep() : undefined;
  },
  show(one) {
    clearTimeout(timer);
    setNotice();
    examples.value = one.example !== undefined && !one.isEdited ? one.example : '';
    if (one.bytes !== undefined) {
      showLarge(one);
      return;
    }
    if (one.kept !== undefined) editor.restore(one.kept);
    else editor.set(one.text, { format: formatOf(one.text.slice(0, 4096)), isLocked: false });
    state.format = formatOf(one.text.slice(0, 4096));
    setEmpty(one.text === '');
    judge(editor.text());
    if (one.cleared !== undefined) offerCleared(one.cleared);
  },
});

/** Opens a text as a new document, read-only if it is too large to edit. Returns false if too many documents are open. */
function openText(text, about = {}, how) {
  if (isEditable(text)) return session.open({ text, ...about }, how);
  return session.open({ bytes: new TextEncoder().encode(text), isText: true, ...about }, how);
}

/** Replaces the text of the shown document, as one step to undo. */
function changeText(text) {
  editor.set(text, { format: formatOf(text.slice(0, 4096)), isChange: true });
  edited();
}

/** Offers to restore the text of a cleared document. */
const offerCleared = (text) =>
  setNotice(
    'The document is cleared.',
    button('undo', 'Undo', () => {
      changeText(text);
      setNotice();
    }),
  );

/**
 * Whether a file that decodes as UTF-8 can be edited as text. It cannot if it has non-ASCII characters and its XML declaration names
 * another encoding: then the engine must get the bytes.
 */
const isUtf8 = (text, bytes) => {
  const [, encoding = 'utf-8'] = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(text) ?? [];
  return /^utf-?8$/i.test(encoding) || bytes.length === text.length;
};

/** Opens the bytes of a file: in the editor if they are UTF-8 text of a suitable size, otherwise read-only. */
function openBytes(bytes, name) {
  if (bytes.length <= 4 * EDITABLE) {
    const { text, isExact } = decode(bytes);
    if (isExact && isEditable(text) && isUtf8(text, bytes) && foreignOf(bytes, text) === undefined) {
      openText(text, { name });
      return;
    }
  }
  session.open({ bytes, isText: false, name });
}

/**
 * Shows the start of a document read-only, and sends all its bytes to the engine. `isText`: the bytes were made from text, so they are
 * UTF-8 whatever an XML declaration says.
 */
function showLarge({ bytes, isText }) {
  const head = decode(bytes.subarray(0, bytes.subarray(0, HEAD.line).includes(10) ? HEAD.lines : HEAD.line));
  const text = head.text.replace(/\uFFFD$/, '');
  const format = formatOf(text);
  state.large = { size: bytes.length };
  editor.set(text, { format, isLocked: true });
  setFormat(format, bytes.length);
  setEmpty(false);
  setNotice(
    bytes.length > EDITABLE
      ? `${sizeText(bytes.length)}: the answers cover the whole document; shown here is its beginning, read-only.${bytes.length > KEPT ? ' It is too large to be kept in this browser.' : ''}`
      : 'The answers cover the bytes of the file; shown here is how they read, read-only.',
  );
  begin(bytes.slice(), isText);
}

async function openFile(given) {
  if (given === undefined) return;
  if (given.size > LARGEST) {
    setNotice(
      `${given.name} is ${sizeText(given.size)}; the playground takes up to ${sizeText(LARGEST)}. The command line takes more: npx epcis-edge validate ${given.name}`,
    );
    return;
  }
  announce(`Opening ${given.name}`);
  const isStillWanted = waitingForIt();
  const bytes = await given.arrayBuffer();
  if (!isStillWanted()) return;
  // A proof or a trust policy goes to the Proof tab of the shown document; it is not a document of its own.
  const text = bytes.byteLength < 300_000 ? decode(new Uint8Array(bytes)).text : '';
  const isShown = isDisclosure(decode(new Uint8Array(bytes, 0, Math.min(200, bytes.byteLength))).text);
  if (isShown || isProof(text) || isPolicy(text)) {
    tabs.choose('proof', true);
    const panel = await makeOf('proof');
    if (isShown) panel.show({ bytes: new Uint8Array(bytes), name: given.name });
    else panel.take(text);
  } else openBytes(new Uint8Array(bytes), given.name);
}

async function openFiles(files) {
  for (const one of files) await openFile(one);
}

function setNotice(text = '', ...tools) {
  at('notice').hidden = text === '';
  put(at('notice'), ...(text === '' ? [] : [icon('info'), h('span', {}, text), ...tools]));
}

// The panels of answers. The code of a panel is loaded when its tab is first chosen; a panel is drawn only while its tab is chosen.
const panels = new Map(TABS.map(({ id }) => [id, h('div', { id: `panel-${id}`, class: 'panel', tabindex: '0', hidden: true })]));
at('panels').append(...panels.values());
const LAZY = ['checks', 'events', 'table', 'hash', 'translate', 'master', 'proof'];
const jumpToProblem = () => jumpTo(state.parts.places?.errors[0]);

/** Loads the code of each panel. Each gives a function that draws an answer, except `proof`, which gives its panel object. */
const makers = {
  checks: () =>
    import('./panel-checks.js').then(
      ({ showChecks }) =>
        ({ valid }) =>
          showChecks(panels.get('checks'), {
            isValid: valid,
            ask: async () => (state.parts.checks ??= await ask('checks')),
            jump: jumpTo,
            onReport: (report) => badgeOf('checks', report),
          }),
    ),
  events: () =>
    import('./panel-events.js').then(
      ({ showEvents }) =>
        (value) =>
          showEvents(panels.get('events'), value, {
            ask,
            jumpToProblem,
            jumpToEvent: (index) => quietly(ask('place', index).then((place) => jumpTo(place))),
            openTable: () => tabs.choose('table', true),
          }),
    ),
  table: () =>
    import('./panel-table.js').then(
      ({ showTable }) =>
        (value) =>
          showTable(panels.get('table'), value, { ask, download, openEvent, jumpToProblem }),
    ),
  hash: () =>
    import('./panel-hash.js').then(
      ({ showHashes }) =>
        (value) =>
          showHashes(panels.get('hash'), value, { ask, download, jumpToProblem }),
    ),
  master: () =>
    import('./panel-master.js').then(
      ({ showMasterData }) =>
        () =>
          showMasterData(panels.get('master'), { ask }),
    ),
  translate: () =>
    import('./panel-translate.js').then(({ makeTranslate }) => {
      const panel = makeTranslate(panels.get('translate'), {
        jump: (index) => jumpTo(state.parts.places?.notes[index]),
        jumpToProblem,
        download,
        async back(version) {
          state.back = version;
          drawCode();
          const { translation, places } = await ask('back', version);
          state.parts.translation = translation;
          state.parts.places = places;
          badgeOf('translation', translation);
          await draw('translate');
          mark();
        },
        async use() {
          const [text, { prettyXml }] = await Promise.all([ask('download', 'translation'), import('./pretty.js')]);
          const name = session.shown.name.replace(/\.\w+$/, '');
          const isOpen = openText(state.format === 'xml' ? text : prettyXml(text), {
            name: name === '' ? '' : `${name}.${state.format === 'xml' ? 'json' : 'xml'}`,
          });
          if (isOpen) announce('The translation is open as a document of its own');
        },
      });
      return (value) => panel.show(value);
    }),
  proof: () =>
    import('./panel-proof.js').then(({ makeProof }) =>
      makeProof(panels.get('proof'), {
        verify: (proved, trusted) => ask('proof', { proof: proved, policy: trusted }),
        part: {
          fields: (proved) => ask('disclosable', proved),
          disclose: (proved, show) => ask('disclose', { proof: proved, show }),
          verify: (disclosure, trusted) => engine.tool('verifyDisclosure', { disclosure, policy: trusted }),
          save: (text) => save(`${session.shown.name.replace(/\.\w+$/, '') || 'event'}.disclosure.json`, text, 'application/json'),
        },
        onVerdict: (holds) => tabs.badge('proof', holds === undefined ? '' : holds ? '✓' : '✗', holds ? 'good' : 'bad', holds ? 'logged' : 'not proved'),
      }),
    ),
};
const made = new Map();
function makeOf(id) {
  if (!made.has(id)) made.set(id, makers[id]());
  return made.get(id);
}

const PART_OF = { checks: 'verdict', events: 'events', table: 'events', hash: 'hashes', translate: 'translation', master: 'verdict' };
/** Draws a panel. Until its answer arrives the panel is marked as busy. */
async function draw(id) {
  if (!LAZY.includes(id)) return;
  const panel = panels.get(id);
  panel.setAttribute('aria-busy', 'true');
  let isThere = true;
  try {
    const [show] = await Promise.all([makeOf(id), id === 'events' ? undefined : laterStyle()]);
    const { parts } = state;
    const part = parts[PART_OF[id]];
    if (id === 'proof') delete panel.dataset.stale;
    else if (parts.verdict?.format === 'empty') put(panel, waiting(NOTHING));
    else if (part === undefined) isThere = false;
    else if (panel.dataset.stale !== undefined || id === 'translate') {
      delete panel.dataset.stale;
      await show(part);
    }
  } catch (error) {
    put(panel, h('p', { class: 'waiting' }, 'This part of the page could not be loaded. Are you offline? Then choose its tab again later.'));
    made.delete(id);
    panel.dataset.stale = '';
    console.warn(error);
  }
  if (isThere) panel.removeAttribute('aria-busy');
}

async function openEvent(index) {
  tabs.choose('events', true);
  const { openCard } = await import('./panel-events.js');
  await draw('events');
  await openCard(panels.get('events'), index);
}

const tabs = makeTabs(at('tabs'), TABS, {
  panelOf: (id) => panels.get(id),
  onChoose(id) {
    state.tab = id;
    quietly(draw(id));
    mark();
    drawCode();
  },
});
tabs.hide('master', true);

// "Do this in code": the code is loaded when the section is first opened.
let code;
const codeRoom = h(
  'details',
  {
    class: 'as-code',
    ontoggle: () =>
      quietly(
        import('./as-code.js').then(({ makeAsCode }) => {
          code ??= makeAsCode(codeRoom);
          drawCode();
        }),
      ),
  },
  h('summary', {}, 'Do this in code'),
);
at('code').append(codeRoom);
function drawCode() {
  const base = location.protocol.startsWith('http') ? location.origin : 'http://127.0.0.1:8787';
  at('code').hidden = state.format === 'empty';
  code?.show(state.tab, { format: state.format, back: state.back, base, file: fileName() });
}

/** The file name of the document in the code shown, such as `document.json` if it has none that fits. */
function fileName() {
  const name = session.shown?.name ?? '';
  const isXml = state.format === 'xml';
  return /^\w[\w.-]*\.\w+$/.test(name) && /\.xml$/i.test(name) === isXml ? name : `document.${isXml ? 'xml' : 'json'}`;
}

function onStage({ stage, index, of }) {
  const room = at('progress');
  room.setAttribute('aria-valuenow', String(index));
  room.setAttribute('aria-valuetext', STAGE_WORDS[stage]);
  at('progress-bar').style.width = `${((index + 0.4) / of) * 100}%`;
  // The bar appears only after 250 ms.
  if (room.hidden && room.dataset.due === undefined) room.dataset.due = String(setTimeout(() => (room.hidden = false), 250));
  room.dataset.stage = STAGE_WORDS[stage];
}

function endProgress() {
  const room = at('progress');
  clearTimeout(Number(room.dataset.due));
  delete room.dataset.due;
  room.hidden = true;
}

const NOTHING = 'Paste a document, drop a file, or choose an example.';

function onPart({ part, value, isExact }) {
  state.parts[part] = value;
  if (part === 'verdict' && value.format === 'empty') {
    put(panels.get('validate'), waiting(NOTHING));
    for (const { id } of TABS) tabs.badge(id, '');
    tabs.hide('master', true);
    delete at('answers').dataset.verdict;
    quietly(draw(state.tab));
    editor.mark([]);
    return;
  }
  if (state.parts.verdict?.format === 'empty') return;
  state.parts.isExact = isExact;
  badgeOf(part, value);
  if (PART_OF[state.tab] === part) quietly(draw(state.tab));
  if (part !== 'places' && state.parts.verdict?.problem === undefined)
    showOthers(panels.get('validate'), state.parts, (id) => {
      tabs.choose(id, true);
      at(`tab-${id}`).focus();
    });
  if (part === 'places') {
    showErrorLines(panels.get('validate'), value.errors);
    if (state.large === undefined) showFixes(panels.get('validate'), value.fixes, correct);
    mark();
  }
}

/** Applies suggested corrections to the text, as one step to undo. */
function correct(fixes) {
  const edits = new Map(fixes.flatMap((fix) => fix.edits).map((edit) => [edit.from, edit]));
  editor.apply([...edits.values()].sort((a, b) => a.from - b.from));
  setNotice(
    `${count(edits.size, 'correction')} made.`,
    button('undo', 'Undo', () => {
      editor.undo();
      setNotice();
    }),
  );
  announce(`${count(edits.size, 'correction')} made`);
}

/** Sets the badges beside the titles of the tabs. None is green if the document is not valid. */
function badgeOf(part, value) {
  const isGood = state.parts.verdict?.valid === true;
  switch (part) {
    case 'verdict': {
      const number = value.errors.length;
      showVerdict(panels.get('validate'), value, { jump: (index) => jumpTo(state.parts.places?.errors[index]), download });
      const isUnread = value.problem !== undefined || value.refused !== undefined;
      if (value.problem?.isOther) tabs.badge('validate', '');
      else if (value.valid) tabs.badge('validate', '✓', value.repeated?.length > 0 ? 'warn' : 'good', 'valid');
      else tabs.badge('validate', isUnread ? '!' : number >= 1000 ? '1000+' : String(number), 'bad', isUnread ? 'cannot be read' : count(number, 'error'));
      performance.mark('verdict');
      tabs.hide('master', !value.hasMasterData);
      at('answers').dataset.verdict = value.valid ? 'valid' : value.problem?.isOther ? 'other' : 'invalid';
      announce(value.valid ? 'Valid' : value.problem === undefined ? `Not valid, ${count(number, 'error')}` : value.problem.title);
      break;
    }
    case 'checks': {
      const { counts, events } = value ?? {};
      const number = (counts?.error ?? 0) + (counts?.warning ?? 0);
      if (number > 0) tabs.badge('checks', String(number), counts.error > 0 ? 'bad' : 'warn', count(number, 'finding'));
      else tabs.badge('checks', isGood && events > 0 && counts.hint === 0 ? '✓' : '', 'good', 'nothing found');
      break;
    }
    case 'events': {
      const number = value.total - value.others;
      tabs.badge('events', value.problem === undefined ? number.toLocaleString('en') : '', '', count(number, 'event'));
      break;
    }
    case 'hashes': {
      const { 'matches-none': wrong = 0, matches: right = 0 } = value.tally ?? {};
      tabs.badge(
        'hash',
        value.problem !== undefined ? '' : wrong > 0 ? `${wrong} ✗` : right > 0 ? '✓' : '',
        wrong > 0 ? 'bad' : isGood ? 'good' : '',
        wrong > 0 ? `${count(wrong, 'eventID')} wrong` : 'eventIDs verified',
      );
      break;
    }
    case 'translation': {
      const { report, problem } = value;
      tabs.badge(
        'translate',
        problem !== undefined ? '' : report.isClean ? '✓' : String(report.losses),
        report?.isClean ? (isGood ? 'good' : '') : 'warn',
        report?.isClean ? 'nothing lost' : count(report?.losses ?? 0, 'loss'),
      );
      break;
    }
  }
}

async function onDone() {
  endProgress();
  await draw(state.tab);
  at('answers').dataset.done = String(Number(at('answers').dataset.done ?? 0) + 1);
  performance.mark('done');
  if (made.has('proof')) quietly(made.get('proof').then((proof) => proof.judge()));
}

function onFailed(message) {
  endProgress();
  setNotice(`The engine stopped: ${message}. Reload the page, and please report which document caused this.`);
}

// Marks errors in the text, and losses while the Translate tab is chosen.
function mark() {
  const { verdict, translation, places } = state.parts;
  if (places === undefined || verdict === undefined) return;
  const { problem, errors, repeated = [] } = verdict;
  const faults = problem === undefined ? [...errors, ...repeated] : [problem];
  const marks = faults.flatMap((fault, index) => {
    const place = places.errors[index];
    return place === undefined
      ? []
      : [
          {
            ...place,
            severity: problem !== undefined || index < errors.length ? 'error' : 'warning',
            message: (fault.message ?? fault.detail ?? fault.title).replaceAll('`', '\u2009'),
          },
        ];
  });
  if (state.tab === 'translate') {
    for (const [index, note] of (translation?.report?.notes ?? []).entries()) {
      const place = places.notes[index];
      if (place !== undefined)
        marks.push({ ...place, severity: note.isLoss ? 'warning' : 'info', message: `${note.isLoss ? 'Lost in a round trip: ' : ''}${note.text}` });
    }
  }
  editor.mark(marks.map(({ from, to, severity, message }) => ({ from, to, severity, message })));
}

/** Scrolls the editor to a place in the text. For a large document, the engine gives the part around it. */
async function jumpTo(place) {
  if (place === undefined) {
    announce('This has no place of its own in the text');
    return;
  }
  if (state.large !== undefined && !(editor.has(place.from) && editor.has(place.to) && state.large.isPart)) {
    const part = await ask('window', place.from);
    state.large.isPart = true;
    // A part that begins inside a line may begin inside a string; it is not coloured, since the colours could be wrong.
    editor.set(part.text, { format: part.isWholeLine ? state.format : 'plain', isLocked: true, base: part.base, line: part.line, keepMarks: true });
    setNotice(
      `${sizeText(state.large.size)}: the answers cover the whole document; shown here is the part from ${part.line > 1 ? `line ${part.line.toLocaleString('en')}` : `character ${part.base.toLocaleString('en')}`}, read-only.`,
    );
  }
  editor.show(place);
  // On a small screen the document is above the answers.
  at('editor').scrollIntoView({ block: 'nearest' });
}

const NAMES = { verdict: 'verdict.json', hashes: 'hashes.json', report: 'fidelity-report.json', csv: 'events.csv' };
/** Saves a result as a file, or returns its text if `isText`. */
async function download(what, isText = false) {
  const text = await ask('download', what);
  if (isText) return text;
  const isXml = what === 'translation' && state.format === 'json';
  const name = NAMES[what] ?? `translation.${isXml ? 'xml' : 'json'}`;
  save(name, text, isXml ? 'application/xml' : what === 'csv' ? 'text/csv' : 'application/json');
  announce(`${name} is saved`);
  return undefined;
}

// The buttons above the editor.
const examples = h(
  'select',
  { class: 'select', id: 'examples', 'aria-label': 'Examples', onchange: () => examples.value !== '' && openExample(examples.value, true) },
  h('option', { value: '' }, 'Examples…'),
);
const picker = at('file');
picker.addEventListener('change', () => {
  quietly(openFiles([...picker.files]));
  picker.value = '';
});
at('source-tools').append(
  examples,
  button('open', 'Open', () => picker.click(), { class: 'button quiet', title: 'Open files, or drop them anywhere' }),
  button(
    'indent',
    'Format',
    async () => {
      const { prettyJson, prettyXml } = await import('./pretty.js');
      if (state.large !== undefined || editor.length() === 0) return;
      changeText((state.format === 'xml' ? prettyXml : prettyJson)(editor.text()));
    },
    { class: 'button quiet', title: 'Indent; every value keeps its spelling' },
  ),
  button('share', 'Share', shareLink, { class: 'button quiet', title: 'Copy a link that holds the document; it is never sent' }),
  button(
    'clear',
    'Clear',
    () => {
      if (state.large !== undefined) {
        session.close(session.shown.id);
        return;
      }
      if (editor.length() > 0) {
        const text = editor.text();
        changeText('');
        session.cleared(text);
        offerCleared(text);
      }
      editor.view.focus();
    },
    { class: 'button quiet icon-narrow' },
  ),
);
at('promise').append(icon('lock'), h('span', {}, 'Nothing leaves this page'));
at('top-tools').append(h('span', { class: 'version' }, ENGINE_VERSION), themeButton());

async function shareLink() {
  if (state.large !== undefined || editor.length() === 0) {
    setNotice(state.large === undefined ? 'There is nothing to share yet.' : 'This document is too large for a link; send the file instead.');
    return;
  }
  const { LONGEST, pack } = (await sharing()) ?? {};
  if (pack === undefined) return;
  const fragment = await pack({ text: editor.text(), tab: state.tab, back: state.back, name: session.shown.name });
  if (fragment.length > LONGEST) {
    setNotice(
      `The link would be ${fragment.length.toLocaleString('en')} characters long; mail and chat cut off more than ${LONGEST.toLocaleString('en')}. Send the file instead.`,
    );
    return;
  }
  session.linked(`#${fragment}`);
  let isCopied = true;
  await navigator.clipboard.writeText(location.href).catch(() => (isCopied = false));
  setNotice(
    `${isCopied ? 'The link is copied' : 'The link is in the address bar'}; it holds the whole document (${fragment.length.toLocaleString('en')} characters), and browsers do not send it to any server.`,
  );
  announce(isCopied ? 'The link is copied' : 'The link is in the address bar');
}

// Files dropped on the page. `depth` counts the nested elements that the pointer has entered.
let depth = 0;
const hasFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;
const dropping = (is) => (at('drop').hidden = !is);
addEventListener('dragenter', (event) => hasFiles(event) && (event.preventDefault(), (depth += 1), dropping(true)));
addEventListener('dragleave', (event) => hasFiles(event) && (depth = Math.max(0, depth - 1)) === 0 && dropping(false));
addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
addEventListener('drop', (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  depth = 0;
  dropping(false);
  quietly(openFiles([...event.dataTransfer.files]));
});

// The examples, and the fragment of the address.
let listed = [];
async function openExample(name, isByPerson) {
  const example = listed.find((entry) => entry.name === name);
  if (example === undefined) return;
  const isStillWanted = waitingForIt();
  const text = await fetch(file(`../examples/${example.file}`)).then((response) => response.text());
  if (!isStillWanted()) return;
  const before = state.tab;
  tabs.choose(example.tab);
  if (!openText(text, { name: example.file, example: name }, { isNew: isByPerson })) {
    tabs.choose(before);
    examples.value = '';
  } else if (isByPerson) announce(`Example: ${example.title}`);
}

/** Loads the module that makes and reads links. If that fails, shows a notice and gives undefined. */
const sharing = () => import('./share.js').catch(() => setNotice('Links could not be loaded. Are you offline? Then try again later.'));

/** Opens what the fragment of the address names: a tool, an example or a shared document. */
async function openAddress() {
  const fragment = location.hash.slice(1);
  if (modes.open(fragment, false)) return;
  if (!fragment.startsWith('1.')) {
    if (listed.some(({ name }) => name === fragment)) await openExample(fragment, false);
    return;
  }
  const isStillWanted = waitingForIt();
  const { unpack } = (await sharing()) ?? {};
  if (unpack === undefined) return;
  try {
    const shared = await unpack(fragment);
    if (!isStillWanted()) return;
    if (['2.0', '1.2'].includes(shared.back)) state.back = shared.back;
    tabs.choose(TABS.some(({ id }) => id === shared.tab) ? shared.tab : 'validate');
    openText(shared.text, { name: typeof shared.name === 'string' ? shared.name : '', address: location.hash }, { isNew: false });
  } catch {
    session.open({ text: '' }, { isNew: false });
    setNotice('The link is damaged: perhaps part of it was cut off on the way.');
  }
}

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  at('answers').focus();
});

const modes = makeModes(
  { room: at('modes'), main: document.querySelector('main'), tool: at('tool') },
  {
    engine,
    session,
    openText,
    tabs,
    makeOf,
    /** The open document as JSON text, translated if it is XML. */
    document: async () =>
      state.format === 'xml' ? ask('download', 'translation') : state.large === undefined ? editor.text() : new TextDecoder().decode(session.bytes()),
  },
);
// The Back button also moves between tools; opening one adds an entry to the history.
addEventListener('popstate', () => modes.open(location.hash.slice(1), false));
showIntroduction(at('introduction'));

tabs.choose('validate');
put(panels.get('validate'), waiting('Loading the engine'));
const [bringBack] = await Promise.all([
  session.restore(),
  fetch(file('../examples/index.json'))
    .then((response) => response.json())
    .then(
      (list) => (listed = list),
      () => undefined,
    ),
]);
examples.append(...listed.map(({ name, title }) => h('option', { value: name }, title)));
at('empty').append(
  h(
    'div',
    { class: 'empty-words' },
    h('p', { class: 'empty-title' }, 'Paste EPCIS here, or drop files'),
    h('p', {}, 'JSON-LD 2.0, XML 1.0 to 2.0, an array of events, or NDJSON; the format is detected automatically.'),
  ),
  h(
    'ul',
    { class: 'tiles' },
    listed.map(({ name, title, about }) =>
      h('li', {}, h('button', { type: 'button', class: 'tile', onclick: () => openExample(name, true) }, h('b', {}, title), h('span', {}, about))),
    ),
  ),
);
const named = location.hash.slice(1);
if (named.startsWith('1.') || listed.some(({ name }) => name === named)) await openAddress();
else {
  if (bringBack) bringBack();
  else await openExample(listed[0]?.name, false);
  // Keep the tool in the address, so that a reload opens it again.
  if (modes.open(named, false)) history.replaceState(history.state, '', `#${named}`);
}
keepOffline();
