// The page: sends the text of the editor to the engine's thread and its answers to the panels.
import { makeAddresses } from './page/addresses.ts';
import { makeAsCodeSection } from './page/as-code-section.ts';
import { askedOf } from './verdict/asked.ts';
import { setBadge } from './page/badges.ts';
import { formatOf } from '../../wasm/document/detect.ts';
import { announce, button, h, icon, put } from './shared/dom.ts';
import { makeDownload } from './page/downloads.ts';
import { acceptDrops } from './editor/drop.ts';
import { createEditor } from './editor/editor.ts';
import type { Fix, Range } from './engine/answers.ts';
import { Engine, type PartMessage, Superseded } from './engine/engine.ts';
import type { PageOptions, Questions, Tools } from './engine/engine.worker.ts';
import { makeExamples } from './editor/example-list.ts';
import { partsOf } from './page/fragment.ts';
import { showIntroduction } from './page/introduction.ts';
import { showPart, showStart } from './editor/large-document.ts';
import { laterStyle } from './page/later.ts';
import { marksOf } from './editor/marks.ts';
import { makeModes } from './page/modes.ts';
import { setNotice } from './page/notice.ts';
import { makeItems } from './item/items.ts';
import { keepOffline } from './page/offline.ts';
import { makeOpening } from './editor/open-files.ts';
import { showErrorLines, showFixes, showVerdict } from './verdict/panel-validate.ts';
import { makePanels, NOTHING, PART_OF, STAGE_OF, TABS } from './page/panels.ts';
import { waiting } from './shared/parts.ts';
import { endProgress, showProgress } from './page/progress.ts';
import { makeSession } from './page/session.ts';
import type { Answered, PageAsk, State } from './page/state.ts';
import { showSourceTools } from './editor/source-tools.ts';
import { themeButton } from './page/theme.ts';
import { verdictLine } from './verdict/verdict-line.ts';
import { count, sizeText } from './shared/words.ts';

declare const ENGINE_WASM: string;
declare const ENGINE_VERSION: string;

/** The largest document that is checked automatically, in bytes. */
const CHECKED = 2_000_000;
/** The pause in typing after which the document is sent to the engine, in milliseconds. */
const QUIET = 140;

/** An element of the page. */
const at = (id: string) => document.getElementById(id)!;

const state: State = { tab: 'validate', format: 'empty', back: '2.0', packs: [], unwanted: [], parameters: {}, large: undefined, item: undefined, parts: {} };

// The engine is compiled once, in the background, and shared by all threads.
const compiled = fetch(new URL(ENGINE_WASM, import.meta.url)).then(async (response) => {
  if (!response.ok) throw new Error(`${ENGINE_WASM}: ${response.status}`);
  // Without the media type `application/wasm` the module cannot be compiled while it streams in, only afterwards.
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
});
const engine = new Engine<Questions, Tools, PageOptions>(() => new Worker(at('script').dataset.worker ?? '', { type: 'module' }), compiled, {
  stage: showProgress,
  part: (message: PartMessage) => onPart(message as Answered & PartMessage),
  done: onDone,
  failed: onFailed,
});
const quietly = (promise: Promise<unknown>) => promise.catch((error: Error) => onFailed(error.message));
/** Asks the engine about the shown document. If a newer document replaces it, the promise never settles. */
const ask: PageAsk = (about, ...argument) =>
  engine.ask(about, ...argument).catch((error: Error) => {
    if (!(error instanceof Superseded)) onFailed(error.message);
    return new Promise<never>(() => undefined);
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
let timer: ReturnType<typeof setTimeout> | undefined;
function edited({ isWhole = false } = {}) {
  clearTimeout(timer);
  opened += 1;
  examples.choice.value = '';
  session.edited(isWhole);
  timer = setTimeout(() => judge(editor.text()), QUIET);
  state.isOpening ||= isWhole || state.format === 'empty';
  setEmpty(editor.length() === 0);
}

function setEmpty(isEmpty: boolean): void {
  at('empty').hidden = !isEmpty;
  document.body.classList.toggle('is-empty', isEmpty);
}

/** Sends the text of the editor to the engine, with its format. */
function judge(text: string): void {
  state.large = undefined;
  const format = formatOf(text.slice(0, 4096));
  if (format !== state.format) editor.setFormat(format);
  setFormat(format, text.length);
  begin(new TextEncoder().encode(text), true);
}

function setFormat(format: State['format'], size: number): void {
  state.format = format;
  at('format').textContent = format === 'empty' ? '' : `${format === 'xml' ? 'XML' : 'JSON'} · ${sizeText(size)}`;
}

function begin(bytes: Uint8Array<ArrayBuffer>, isText: boolean | undefined): void {
  opened += 1;
  state.parts = {};
  outdate();
  // The answers about the document before are grey until the verdict on this one is there.
  at('panels').classList.add('is-outdated');
  tabs.badge('checks', '');
  drawCode();
  // The first example, which opens by itself, is not checked until the Checks tab is chosen: the checks are a wasm file of their own.
  const { shown } = session;
  const isChecked = bytes.length <= CHECKED && (shown?.isEdited || shown?.example === undefined || shown.example !== examples.first);
  state.isUnchecked = !isChecked;
  quietly(
    engine.open(bytes, {
      first: STAGE_OF[state.tab],
      back: state.back,
      choice: { packs: state.packs, unwanted: state.unwanted, parameters: state.parameters },
      isText,
      width: at('panels').clientWidth,
      checks: isChecked,
    }),
  );
}

// The open documents.
const session = makeSession({
  room: at('documents'),
  footer: at('footer'),
  textOf: () => editor.text(),
  openAddress: () => quietly(openAddress()),
  notice: setNotice,
  leave(one) {
    clearTimeout(timer);
    one.kept = one.bytes === undefined ? editor.keep() : undefined;
  },
  show(one) {
    clearTimeout(timer);
    setNotice();
    items.close();
    state.isOpening = true;
    examples.choice.value = one.example !== undefined && !one.isEdited ? one.example : '';
    if (one.bytes !== undefined) {
      showLarge(one.bytes, one.isText);
      return;
    }
    const { text = '' } = one;
    if (one.kept !== undefined) editor.restore(one.kept);
    else editor.set(text, { format: formatOf(text.slice(0, 4096)), isLocked: false });
    state.format = formatOf(text.slice(0, 4096));
    setEmpty(text === '');
    judge(editor.text());
    if (one.cleared !== undefined) offerCleared(one.cleared);
  },
});

const { openText, openFiles } = makeOpening({
  open: session.open,
  unzip: (bytes) => engine.tool('unzip', bytes),
  waitingForIt,
  openProof() {
    tabs.choose('proof', true);
    return makeOf('proof');
  },
});
acceptDrops(at('drop'), (files) => quietly(openFiles(files)));

/** Replaces the text of the shown document, as one step to undo. */
function changeText(text: string): void {
  editor.set(text, { format: formatOf(text.slice(0, 4096)), isChange: true });
  edited();
}

/** Offers to restore the text of a cleared document. */
const offerCleared = (text: string) =>
  setNotice(
    'The document is cleared.',
    button('undo', 'Undo', () => {
      changeText(text);
      setNotice();
    }),
  );

/**
 * Shows the start of a document read-only, and sends all its bytes to the engine. `isText`: the bytes were made from text, so they are
 * UTF-8 whatever an XML declaration says.
 */
function showLarge(bytes: Uint8Array<ArrayBuffer>, isText: boolean | undefined): void {
  state.large = { size: bytes.length };
  setFormat(showStart(editor, bytes), bytes.length);
  setEmpty(false);
  begin(bytes.slice(), isText);
}

// The answers.
const items = makeItems({ state, session, tabs: () => tabs, stale: () => (panelOf('item').dataset.stale = ''), leaveTool: () => modes.open('', false) });
const drawCode = makeAsCodeSection(at('code'), {
  now: () => ({
    tab: state.tab,
    format: state.format,
    back: state.back,
    packs: [...state.packs, ...(state.parts.checks?.found ?? [])],
    parameters: state.parameters,
    name: session.shown?.name ?? '',
    item: state.item,
  }),
  quietly,
});
const download = makeDownload(ask, state);
const { tabs, panelOf, makeOf, loadedOf, draw, outdate } = makePanels(at('tabs'), at('panels'), {
  state,
  engine,
  session,
  ask,
  quietly,
  openText,
  download,
  jumpTo,
  showBadge,
  answered: onPart,
  items,
  shareItem: () => quietly(shareItem()),
  drawCode,
  mark,
  summarise,
});

const line = verdictLine(() => tabs.choose('validate', true));
at('panels').prepend(line);

function onPart(answered: Answered): void {
  const { part, value } = answered;
  // The packs were chosen anew while these checks ran.
  if (part === 'checks' && value?.asked !== askedOf(state)) return;
  Object.assign(state.parts, { [part]: value });
  if (part === 'verdict') {
    at('panels').classList.remove('is-outdated');
    // What is not valid opens on its errors, unless another tab was chosen meanwhile.
    if (state.isOpening && value.valid === false) tabs.choose('validate');
    state.isOpening = false;
  }
  if (part === 'verdict' && value.format === 'empty') {
    put(panelOf('validate'), waiting(NOTHING));
    line.hidden = true;
    for (const { id } of TABS) tabs.badge(id, '');
    tabs.hide('master', true);
    delete at('answers').dataset.verdict;
    quietly(draw(state.tab));
    editor.mark([]);
    return;
  }
  if (state.parts.verdict?.format === 'empty') return;
  showBadge(answered);
  if (PART_OF[state.tab] === part) quietly(draw(state.tab));
  quietly(summarise());
  if (part === 'checks' && value !== undefined && value.found.length > 0) drawCode();
  if (part === 'places') {
    showErrorLines(panelOf('validate'), value.errors);
    if (state.large === undefined) showFixes(panelOf('validate'), value.fixes, correct);
    mark();
  }
}

/** Writes the summary of the verdict from the answers that are there. Of the first example it is written when its tab is chosen. */
async function summarise(): Promise<void> {
  const isFirst = !session.shown?.isEdited && session.shown?.example !== undefined && session.shown.example === examples.first;
  if (state.parts.verdict === undefined || (isFirst && state.tab !== 'validate')) return;
  panelOf('validate').setAttribute('aria-busy', 'true');
  const { showSummary } = await import('./verdict/verdict-summary.ts');
  showSummary(panelOf('validate'), line, state.parts, {
    choose(id: string) {
      tabs.choose(id, true);
      at(`tab-${id}`).focus();
    },
    isUnchecked: state.isUnchecked,
    print: () => import('./verdict/verdict-print.ts').then(({ printVerdict }) => printVerdict(engine, session.file())),
  });
  panelOf('validate').removeAttribute('aria-busy');
}

/** Applies suggested corrections to the text, as one step to undo. */
function correct(fixes: readonly Fix[]): void {
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

/** Puts the shown events into a document: in the editor, as one step to undo, or as another document if they are too large to edit. */
async function inDocument(): Promise<void> {
  const text = await ask('inDocument');
  if (text === undefined) return;
  if (state.large !== undefined) openText(text, { name: `${session.shown?.name.replace(/\.\w+$/, '')}-document.json` });
  else changeText(text);
}

/** Opens the dialog that makes events of a table. */
async function makeEvents() {
  const [{ openTable }] = await Promise.all([import('./table/table-dialog.ts'), laterStyle()]);
  await openTable({ ask, openText, name: session.shown?.name ?? '' });
}

/** Sets the badge of one answer; the verdict is also shown and announced. */
function showBadge(answered: Answered): void {
  const verdict = answered.part === 'verdict' ? answered.value : undefined;
  if (verdict !== undefined)
    showVerdict(panelOf('validate'), line, verdict, { jump: (index) => jumpTo(state.parts.places?.errors[index]), download, inDocument, makeEvents });
  setBadge(tabs, answered, state.parts.verdict?.valid === true);
  if (verdict === undefined) return;
  performance.mark('verdict');
  const { valid, problem, errors } = verdict;
  tabs.hide('master', !verdict.hasMasterData);
  at('answers').dataset.verdict = valid ? 'valid' : problem?.isOther ? 'other' : 'invalid';
  announce(valid ? 'Valid' : problem === undefined ? `Not valid, ${count(errors.length, 'error')}` : problem.title);
}

async function onDone(): Promise<void> {
  endProgress();
  await summarise();
  await draw(state.tab);
  modes.refresh();
  at('answers').dataset.done = String(Number(at('answers').dataset.done ?? 0) + 1);
  performance.mark('done');
  const proof = loadedOf('proof');
  if (proof !== undefined) quietly(proof.then((panel) => panel.judge()));
}

function onFailed(message: string): void {
  endProgress();
  at('panels').classList.remove('is-outdated');
  setNotice(`The engine stopped: ${message}. Reload the page, and please report which document caused this.`);
}

/** Marks the answers in the text, if their places are known. */
function mark(): void {
  const marks = marksOf(state.parts, state.tab);
  if (marks !== undefined) editor.mark(marks);
}

/** Scrolls the editor to a place in the text. For a large document, the engine gives the part around it. */
async function jumpTo(place: Pick<Range, 'from' | 'to'> | undefined): Promise<void> {
  if (place === undefined) {
    announce('This has no place in the text');
    return;
  }
  if (state.large !== undefined && !(editor.has(place.from) && editor.has(place.to) && state.large.isPart)) {
    const part = await ask('window', place.from);
    state.large.isPart = true;
    showPart(editor, part, { format: state.format, size: state.large.size });
  }
  // On a small screen the text is behind a button.
  sourceTools.showText(true);
  editor.show(place);
  at('editor').scrollIntoView({ block: 'nearest' });
}

const examples = makeExamples({ state, tabs, openText, waitingForIt });
const { openAddress, shareLink, shareItem } = makeAddresses({
  state,
  editor,
  session,
  tabs,
  examples,
  openText,
  openMode: (fragment) => modes.open(fragment, false),
  openItem: items.open,
  waitingForIt,
});
const sourceTools = showSourceTools(at('source-tools'), at('file') as HTMLInputElement, {
  state,
  editor,
  session,
  examples,
  openFiles,
  quietly,
  shareLink,
  changeText,
  offerCleared,
});
at('promise').append(icon('lock'), h('span', {}, 'Nothing leaves this page'));
at('top-tools').append(h('span', { class: 'version' }, ENGINE_VERSION), themeButton());

document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  at('answers').focus();
});

const modes = makeModes(
  { room: at('modes'), tool: at('tool') },
  {
    engine,
    session,
    openText,
    tabs,
    makeOf,
    state,
    ask,
    examples,
    /** The open document as JSON text, translated if it is XML. */
    document: async () =>
      state.format === 'xml' ? ask('download', 'translation') : state.large === undefined ? editor.text() : new TextDecoder().decode(session.bytes()),
  },
);
// The Back button also moves between tools; opening one adds an entry to the history.
addEventListener('popstate', ({ state: own }) => {
  modes.open(location.hash.slice(1), false);
  // An address that names a document, too, was opened with it.
  if (own?.document !== undefined || partsOf(location.hash.slice(1)).document === '') items.follow();
});
showIntroduction(at('introduction'));

tabs.choose('validate');
put(panelOf('validate'), waiting('Loading the engine'));
const kept = ['packs', 'unwanted', 'parameters'].map(session.kept);
const [bringBack, packs = [], unwanted = [], parameters = {}] = await Promise.all([session.restore(), ...kept, examples.load()]);
Object.assign(state, { packs, unwanted, parameters });
examples.show(at('empty'));
const named = location.hash.slice(1);
const { document: first, item } = partsOf(named);
if (first.startsWith('1.') || examples.has(first)) await openAddress();
else {
  if (bringBack) bringBack();
  else await examples.open(examples.first, false);
  // Keep the tool in the address, so that a reload opens it again.
  if (modes.open(named, false) || item !== undefined) history.replaceState(history.state, '', `#${named}`);
  if (item !== undefined) items.open(item, { isNew: false });
}
keepOffline();
