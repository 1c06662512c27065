// The page: what is in the editor goes to the engine's thread, what comes back goes to the panels.
/* global ENGINE_WORKER, ENGINE_WASM, ENGINE_VERSION */
import { makeAsCode } from './as-code.js';
import { decode, formatOf } from './detect.js';
import { announce, button, h, icon, put, save } from './dom.js';
import { createEditor, EDITABLE, isEditable } from './editor.js';
import { Engine, Superseded } from './engine.js';
import { showEvents } from './panel-events.js';
import { showHashes } from './panel-hash.js';
import { makeProof } from './panel-proof.js';
import { makeTranslate } from './panel-translate.js';
import { showErrorLines, showOthers, showVerdict } from './panel-validate.js';
import { waiting } from './parts.js';
import { prettyJson, prettyXml } from './pretty.js';
import { LONGEST, pack, unpack } from './share.js';
import { makeTabs } from './tabs.js';
import { themeButton } from './theme.js';
import { count, sizeText } from './words.js';

/** How long nobody types before the engine is asked, in milliseconds. */
const QUIET = 140;
/** As much of a large document as is shown before the engine has read it, in bytes; and of one that is a single line. */
const HEAD = { lines: 16_000, line: 5000 };
/** The largest file that is opened: beyond, the page would run out of memory. */
const LARGEST = 100_000_000;

const at = (id) => document.getElementById(id);
const TABS = [
  { id: 'validate', title: 'Validate' },
  { id: 'events', title: 'Events' },
  { id: 'hash', title: 'Hash' },
  { id: 'translate', title: 'Translate' },
  { id: 'proof', title: 'Proof' },
];
const STAGE_OF = { validate: 'verdict', events: 'events', hash: 'hashes', translate: 'translation' };
const STAGE_WORDS = { verdict: 'Validating', events: 'Reading the events', hashes: 'Hashing', translation: 'Translating', places: 'Finding the places' };

const state = { tab: 'validate', format: 'empty', back: '2.0', name: '', large: undefined, parts: {} };

// The engine: compiled once, beside the page's own work, for every thread.
const file = (name) => new URL(name, import.meta.url);
const compiled = fetch(file(ENGINE_WASM)).then(async (response) => {
  if (!response.ok) throw new Error(`${ENGINE_WASM}: ${response.status}`);
  // A host that does not know the media type costs the streaming, not the page.
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
});
const engine = new Engine(() => new Worker(file(ENGINE_WORKER), { type: 'module' }), compiled, {
  stage: onStage,
  part: onPart,
  done: onDone,
  failed: onFailed,
});
const quietly = (promise) => promise.catch((error) => onFailed(error.message));
/** Asks about the document; what is asked of one that something newer has replaced is never answered, for nobody waits for it. */
const ask = (about, argument) =>
  engine.ask(about, argument).catch((error) => {
    if (!(error instanceof Superseded)) onFailed(error.message);
    return new Promise(() => undefined);
  });

// What is being fetched or read from a file when something newer is opened, or typed, is too late.
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
function edited() {
  clearTimeout(timer);
  opened += 1;
  state.name = '';
  examples.value = '';
  if (location.hash !== '') history.replaceState(undefined, '', location.pathname + location.search);
  timer = setTimeout(() => judge(editor.text()), QUIET);
  setEmpty(editor.length() === 0);
}

function setEmpty(isEmpty) {
  at('empty').hidden = !isEmpty;
  document.body.classList.toggle('is-empty', isEmpty);
}

/** Sends the text of the editor to the engine. */
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
  state.started = performance.now();
  drawCode();
  quietly(engine.open(bytes, { first: STAGE_OF[state.tab], back: state.back, isText }));
}

/** Puts a text into the editor and asks. */
function openText(text, name = '') {
  clearTimeout(timer);
  if (!isEditable(text)) {
    openLarge(new TextEncoder().encode(text), name, true);
    return;
  }
  setNotice();
  state.name = name;
  const format = formatOf(text.slice(0, 4096));
  editor.set(text, { format, isLocked: false });
  state.format = format;
  setEmpty(text === '');
  judge(editor.text());
}

/** Whether a file that reads as UTF-8 is not declared to be something else: then its bytes decide, as everywhere. */
const isUtf8 = (text, bytes) => {
  const [, encoding = 'utf-8'] = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(text) ?? [];
  return /^utf-?8$/i.test(encoding) || bytes.length === text.length;
};

/** Opens bytes as they are: edited when they are text that may be, else shown in a window while the engine has them all. */
function openBytes(bytes, name) {
  if (bytes.length <= 4 * EDITABLE) {
    const { text, isExact } = decode(bytes);
    if (isExact && isEditable(text) && isUtf8(text, bytes)) {
      openText(text, name);
      return;
    }
  }
  openLarge(bytes, name, false);
}

/** Shows the start of bytes, and asks about all of them; `isText` when they were text and are UTF-8, whatever they declare. */
function openLarge(bytes, name, isText) {
  clearTimeout(timer);
  examples.value = '';
  state.name = name;
  const head = decode(bytes.subarray(0, bytes.subarray(0, HEAD.line).includes(10) ? HEAD.lines : HEAD.line));
  const text = head.text.replace(/\uFFFD$/, '');
  const format = formatOf(text);
  state.large = { size: bytes.length };
  editor.set(text, { format, isLocked: true });
  setFormat(format, bytes.length);
  setEmpty(false);
  setNotice(
    bytes.length > EDITABLE
      ? `${sizeText(bytes.length)}: the answers are for the whole document; here is the start of it, to be read only.`
      : 'The answers are for the bytes of the file; here is how they read, to be read only.',
  );
  begin(bytes, isText);
}

async function openFile(given) {
  if (given === undefined) return;
  if (given.size > LARGEST) {
    setNotice(
      `${given.name} has ${sizeText(given.size)}; the playground takes ${sizeText(LARGEST)}. The command line takes more: npx epcis-edge validate ${given.name}`,
    );
    return;
  }
  announce(`Opening ${given.name}`);
  const isStillWanted = waitingForIt();
  const bytes = await given.arrayBuffer();
  if (!isStillWanted()) return;
  // A proof belongs to the document that is there already, and so does whom one trusts.
  if (bytes.byteLength < 300_000 && proof.take(decode(new Uint8Array(bytes)).text)) tabs.choose('proof', true);
  else openBytes(new Uint8Array(bytes), given.name);
}

function setNotice(text = '') {
  at('notice').hidden = text === '';
  put(at('notice'), ...(text === '' ? [] : [icon('info'), h('span', {}, text)]));
}

// The answers.
// Asked for by the panel of proofs before there are any.
let tabs;
const panels = new Map(TABS.map(({ id }) => [id, h('div', { id: `panel-${id}`, class: 'panel', tabindex: '0', hidden: true })]));
at('panels').append(...panels.values());
const translate = makeTranslate(panels.get('translate'), {
  jump: (index) => jumpTo(state.parts.places?.notes[index]),
  jumpToProblem: () => jumpTo(state.parts.places?.errors[0]),
  download,
  async back(version) {
    state.back = version;
    drawCode();
    await quietly(
      ask('back', version).then(({ translation, places }) => {
        state.parts.translation = translation;
        state.parts.places = places;
        show('translation', translation);
        mark();
      }),
    );
  },
  use: () =>
    quietly(
      ask('download', 'translation').then((text) => {
        openText(state.format === 'xml' ? text : prettyXml(text));
        announce('The translation is the document now');
      }),
    ),
});
const proof = makeProof(panels.get('proof'), {
  verify: (proved, trusted) => ask('proof', { proof: proved, policy: trusted }),
  onVerdict: (holds) => tabs?.badge('proof', holds === undefined ? '' : holds ? '✓' : '✗', holds ? 'good' : 'bad', holds ? 'logged' : 'not proved'),
});
const code = makeAsCode(at('answers'));
tabs = makeTabs(at('tabs'), TABS, {
  panelOf: (id) => panels.get(id),
  onChoose(id) {
    state.tab = id;
    if (id === 'translate') translate.reveal();
    mark();
    drawCode();
  },
});

function drawCode() {
  const base = location.protocol.startsWith('http') ? location.origin : 'http://127.0.0.1:8787';
  code.show(state.tab, { format: state.format, back: state.back, base, file: state.format === 'xml' ? 'document.xml' : 'document.json' });
}

function onStage({ stage, index, of }) {
  const room = at('progress');
  room.setAttribute('aria-valuenow', String(index));
  room.setAttribute('aria-valuetext', STAGE_WORDS[stage]);
  at('progress-bar').style.width = `${((index + 0.4) / of) * 100}%`;
  // What is quick needs no bar.
  if (room.hidden && room.dataset.due === undefined) room.dataset.due = String(setTimeout(() => (room.hidden = false), 250));
  room.dataset.stage = STAGE_WORDS[stage];
}

function endProgress() {
  const room = at('progress');
  clearTimeout(Number(room.dataset.due));
  delete room.dataset.due;
  room.hidden = true;
}

function onPart({ part, value, isExact }) {
  state.parts[part] = value;
  if (part === 'verdict' && value.format === 'empty') {
    for (const panel of panels.values())
      if (!['panel-translate', 'panel-proof'].includes(panel.id)) put(panel, waiting('Paste a document, drop a file, or take an example.'));
    showNoTranslation();
    for (const { id } of TABS) tabs.badge(id, '');
    proof.judge();
    editor.mark([]);
    return;
  }
  if (state.parts.verdict?.format === 'empty') return;
  state.parts.isExact = isExact;
  show(part, value);
  if (part !== 'places' && state.parts.verdict?.problem === undefined)
    showOthers(panels.get('validate'), state.parts, (id) => {
      tabs.choose(id, true);
      at(`tab-${id}`).focus();
    });
  if (part === 'places') {
    showErrorLines(panels.get('validate'), value.errors);
    mark();
  }
}

const showNoTranslation = () =>
  translate.show({ direction: 'to-json', problem: { type: '', title: 'Nothing to translate', detail: 'Paste a document, drop a file, or take an example.' } });

function show(part, value) {
  const jumpToProblem = () => jumpTo(state.parts.places?.errors[0]);
  switch (part) {
    case 'verdict': {
      const number = value.errors.length;
      showVerdict(panels.get('validate'), value, { jump: (index) => jumpTo(state.parts.places?.errors[index]), download });
      if (value.valid) tabs.badge('validate', '✓', 'good', 'valid');
      else
        tabs.badge(
          'validate',
          value.problem === undefined ? (number >= 1000 ? '1000+' : String(number)) : '!',
          'bad',
          value.problem === undefined ? count(number, 'error') : 'cannot be read',
        );
      performance.mark('verdict');
      at('answers').dataset.verdict = value.valid ? 'valid' : 'invalid';
      announce(value.valid ? 'Valid' : value.problem === undefined ? `Not valid, ${count(number, 'error')}` : value.problem.title);
      break;
    }
    case 'events':
      showEvents(panels.get('events'), value, { ask, jumpToProblem, jumpToEvent: (index) => quietly(ask('place', index).then((place) => jumpTo(place))) });
      tabs.badge('events', value.problem === undefined ? value.total.toLocaleString('en') : '', '', count(value.total, 'event'));
      break;
    case 'hashes': {
      showHashes(panels.get('hash'), value, { ask, download, jumpToProblem });
      const { 'matches-none': wrong = 0, matches: right = 0 } = value.tally ?? {};
      tabs.badge(
        'hash',
        value.problem !== undefined ? '' : wrong > 0 ? `${wrong} ✗` : right > 0 ? '✓' : '',
        wrong > 0 ? 'bad' : 'good',
        wrong > 0 ? `${count(wrong, 'eventID')} wrong` : 'eventIDs verified',
      );
      break;
    }
    case 'translation': {
      translate.show(value);
      const { report, problem } = value;
      tabs.badge(
        'translate',
        problem !== undefined ? '' : report.isClean ? '✓' : String(report.losses),
        report?.isClean ? 'good' : 'warn',
        report?.isClean ? 'nothing lost' : count(report?.losses ?? 0, 'loss'),
      );
      break;
    }
  }
}

function onDone() {
  endProgress();
  at('answers').dataset.done = String(Number(at('answers').dataset.done ?? 0) + 1);
  performance.mark('done');
  quietly(proof.judge());
}

function onFailed(message) {
  endProgress();
  setNotice(`The engine stopped: ${message}. Reload the page, and please report the document that did this.`);
}

// Marks in the text: errors always, losses while the translation is looked at.
function mark() {
  const { verdict, translation, places } = state.parts;
  if (places === undefined) return;
  const faults = verdict.problem === undefined ? verdict.errors : [verdict.problem];
  const marks = faults.flatMap((fault, index) => {
    const place = places.errors[index];
    return place === undefined ? [] : [{ ...place, severity: 'error', message: (fault.message ?? fault.detail ?? fault.title).replaceAll('`', '\u2009') }];
  });
  if (state.tab === 'translate') {
    for (const [index, note] of (translation?.report?.notes ?? []).entries()) {
      const place = places.notes[index];
      if (place !== undefined)
        marks.push({ ...place, severity: note.isLoss ? 'warning' : 'info', message: `${note.isLoss ? 'Does not come back: ' : ''}${note.text}` });
    }
  }
  editor.mark(marks.map(({ from, to, severity, message }) => ({ from, to, severity, message })));
}

/** Shows a place of the text; of a large document, the part around it. */
async function jumpTo(place) {
  if (place === undefined) {
    announce('This has no place of its own in the text');
    return;
  }
  if (state.large !== undefined && !(editor.has(place.from) && editor.has(place.to) && state.large.isPart)) {
    const part = await ask('window', place.from);
    state.large.isPart = true;
    // In the middle of a line nobody knows what is a string: no colours are better than wrong ones.
    editor.set(part.text, { format: part.isWholeLine ? state.format : 'plain', isLocked: true, base: part.base, line: part.line, keepMarks: true });
    setNotice(
      `${sizeText(state.large.size)}: the answers are for the whole document; here is the part from ${part.line > 1 ? `line ${part.line.toLocaleString('en')}` : `character ${part.base.toLocaleString('en')}`}, to be read only.`,
    );
  }
  editor.show(place);
  // On a small screen the document stands above the answers.
  at('editor').scrollIntoView({ block: 'nearest' });
}

const NAMES = { verdict: 'verdict.json', hashes: 'hashes.json', report: 'fidelity-report.json' };
/** Saves a result, or gives its text. */
async function download(what, isText = false) {
  const text = await ask('download', what);
  if (isText) return text;
  const isXml = what === 'translation' && state.format === 'json';
  const name = NAMES[what] ?? `translation.${isXml ? 'xml' : 'json'}`;
  save(name, text, isXml ? 'application/xml' : 'application/json');
  announce(`${name} is saved`);
  return undefined;
}

// Tools.
const examples = h(
  'select',
  { class: 'select', id: 'examples', 'aria-label': 'Examples', onchange: () => examples.value !== '' && openExample(examples.value, true) },
  h('option', { value: '' }, 'Examples…'),
);
const picker = at('file');
picker.addEventListener('change', () => {
  quietly(openFile(picker.files[0]));
  picker.value = '';
});
at('source-tools').append(
  examples,
  button('open', 'Open', () => picker.click(), { class: 'button quiet', title: 'Open a file; or drop one anywhere' }),
  button(
    'indent',
    'Format',
    () => {
      if (state.large !== undefined || editor.length() === 0) return;
      openText((state.format === 'xml' ? prettyXml : prettyJson)(editor.text()), state.name);
    },
    { class: 'button quiet', title: 'Indent; every value keeps its spelling' },
  ),
  button('share', 'Share', shareLink, { class: 'button quiet', title: 'Copy a link that holds the document; it is never sent' }),
  button(
    'clear',
    'Clear',
    () => {
      openText('');
      examples.value = '';
      history.replaceState(undefined, '', location.pathname + location.search);
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
  const fragment = await pack({ text: editor.text(), tab: state.tab, back: state.back });
  if (fragment.length > LONGEST) {
    setNotice(
      `The link would have ${fragment.length.toLocaleString('en')} characters; more than ${LONGEST.toLocaleString('en')} do not survive mail and chat. Send the file instead.`,
    );
    return;
  }
  history.replaceState(undefined, '', `#${fragment}`);
  let isCopied = true;
  await navigator.clipboard.writeText(location.href).catch(() => (isCopied = false));
  setNotice(
    `${isCopied ? 'The link is copied' : 'The link is in the address bar'}; it holds the whole document (${fragment.length.toLocaleString('en')} characters), and browsers do not send it to any server.`,
  );
  announce(isCopied ? 'The link is copied' : 'The link is in the address bar');
}

// Files that are dropped.
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
  quietly(openFile(event.dataTransfer.files[0]));
});

// Examples, and what the address says.
let listed = [];
async function openExample(name, isByPerson) {
  const example = listed.find((entry) => entry.name === name);
  if (example === undefined) return;
  const isStillWanted = waitingForIt();
  const text = await fetch(file(`../examples/${example.file}`)).then((response) => response.text());
  if (!isStillWanted()) return;
  openText(text, example.file);
  examples.value = name;
  tabs.choose(example.tab);
  history.replaceState(undefined, '', isByPerson ? `#${name}` : location.pathname + location.search + location.hash);
  if (isByPerson) announce(`Example: ${example.title}`);
}

async function openAddress() {
  const fragment = location.hash.slice(1);
  try {
    const isStillWanted = waitingForIt();
    const shared = await unpack(fragment);
    if (!isStillWanted()) return;
    if (shared !== undefined) {
      if (['2.0', '1.2'].includes(shared.back)) state.back = shared.back;
      tabs.choose(TABS.some(({ id }) => id === shared.tab) ? shared.tab : 'validate');
      openText(shared.text);
      return;
    }
  } catch {
    openText('');
    setNotice('The link is damaged: perhaps a part of it was cut off on the way.');
    return;
  }
  await openExample(listed.some(({ name }) => name === fragment) ? fragment : listed[0]?.name, false);
}

addEventListener('hashchange', () => {
  // Other fragments are places of the page: a document that is being worked on stays.
  const fragment = location.hash.slice(1);
  if (fragment.startsWith('1.') || listed.some(({ name }) => name === fragment)) quietly(openAddress());
});
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  at('answers').focus();
});

tabs.choose('validate');
for (const panel of panels.values()) if (panel.childElementCount === 0) panel.append(waiting('Loading the engine'));
listed = await fetch(file('../examples/index.json'))
  .then((response) => response.json())
  .catch(() => []);
examples.append(...listed.map(({ name, title }) => h('option', { value: name }, title)));
at('empty').append(
  h(
    'div',
    { class: 'empty-words' },
    h('p', { class: 'empty-title' }, 'Paste EPCIS here, or drop a file'),
    h('p', {}, 'JSON-LD 2.0, or XML 1.0 to 2.0: which it is, is seen by itself.'),
  ),
  h(
    'ul',
    { class: 'tiles' },
    listed.map(({ name, title, about }) =>
      h('li', {}, h('button', { type: 'button', class: 'tile', onclick: () => openExample(name, true) }, h('b', {}, title), h('span', {}, about))),
    ),
  ),
);
await openAddress();
