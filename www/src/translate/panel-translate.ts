// The panel of the translation: the result and the losses of a round trip.
import type { Page } from '../page/page.ts';
import type { VerdictError } from '../verdict/document-verdict.ts';
import { announce, button, type Child, copyButton, h, icon, put } from '../shared/dom.ts';
import { createEditor } from '../editor/editor.ts';
import { banner, more, refusal, rich, trail } from '../shared/parts.ts';
import { errorContent, found } from '../verdict/verdict-view.ts';
import { capital, count, sizeText } from '../shared/words.ts';

import type { Fidelity, Note, TranslationAnswer, XmlVersion } from './document-translation.ts';

const SHOWN = 60;

/** Builds the panel. `page` has the state of the page and its actions. Returns `{show}`: `show(translation)` fills it. */
export function makeTranslate(panel: HTMLElement, page: Page): { show(translation: TranslationAnswer): void } {
  const { state, ask, jumpTo, jumpToProblem, download } = page;
  const jump = (index: number) => jumpTo(state.parts.places?.notes[index]);
  /** Goes to the place in the XML that an error of its translation comes from. */
  const toFault = ({ source }: Pick<VerdictError, 'source'>) =>
    jumpTo(state.parts.places?.errors[state.parts.verdict?.errors.findIndex((error) => error.source?.path === source?.path) ?? -1]);

  /** Translates JSON to another XML version. */
  async function back(version: XmlVersion) {
    state.back = version;
    page.drawCode();
    const { translation, places } = await ask('back', version);
    state.parts.translation = translation;
    state.parts.places = places;
    page.showBadge({ part: 'translation', value: translation });
    await page.draw('translate');
    page.mark();
  }

  /** Opens the translation as a document of its own. */
  async function use() {
    const [text, { prettyXml }] = await Promise.all([ask('download', 'translation'), import('../shared/pretty.ts')]);
    const name = page.baseName();
    const isOpen = page.openText(state.format === 'xml' ? text : prettyXml(text), {
      name: name === '' ? '' : `${name}.${state.format === 'xml' ? 'json' : 'xml'}`,
    });
    if (isOpen) announce('The translation is open as a document of its own');
  }

  const top = h('div', {});
  const host = h('div', { class: 'editor output' });
  const editor = createEditor(host, { label: 'Translation', isReadOnly: true });
  const heading = h('h3', { class: 'caption' });
  const cutNote = h('p', { class: 'fine', hidden: true });
  const useButton = button('swap', 'Open as document', () => use());
  const result = h(
    'div',
    { class: 'translation', hidden: true },
    h(
      'div',
      { class: 'sheet-head' },
      heading,
      useButton,
      copyButton(() => download('translation', true)),
      button('download', 'Translation', () => download('translation'), { class: 'button quiet' }),
    ),
    host,
    cutNote,
  );
  put(panel, top, result);

  const versions: readonly XmlVersion[] = ['2.0', '1.2'];
  const versionChoice = (chosen: string | undefined) =>
    h(
      'fieldset',
      { class: 'segments' },
      h('legend', { class: 'unseen' }, 'XML version'),
      versions.map((version) =>
        h(
          'label',
          {},
          h('input', { type: 'radio', name: 'back', value: version, checked: version === chosen, onchange: () => back(version) }),
          h('span', {}, `XML ${version}`),
        ),
      ),
    );

  return {
    show(translation) {
      // The panel may hold the hint for an empty document instead.
      if (!top.isConnected) put(panel, top, result);
      const { direction, version } = translation;
      const isBack = direction === 'to-xml';
      if (translation.problem !== undefined) {
        result.hidden = true;
        put(top, ...(isBack ? [versionChoice(version)] : []), refusal(translation.problem, jumpToProblem));
        return;
      }
      const { report, events, errors = [] } = translation;
      const from = isBack ? 'JSON-LD' : `XML ${version}`;
      const to = isBack ? `XML ${version}` : 'JSON-LD';
      const tool = button('download', 'Report', () => download('report'), { class: 'button quiet' });
      const about = `${count(events, 'event')}, ${from} to ${to}, verified by a round trip`;
      const verdict =
        errors.length > 0
          ? banner('bad', 'Not valid', `${about}; ${found(errors.length)} by the official JSON schema, so it is no document to send`, tool)
          : report.isClean
            ? banner(translation.isValid ? 'good' : 'calm', 'Nothing is lost', translation.isValid ? about : `${about}; but the document is not valid`, tool)
            : banner('warn', capital(report.summary), `${about}; marked in the document`, tool);
      put(
        top,
        ...(isBack ? [versionChoice(version)] : []),
        verdict,
        errors.length > 0 && faults(errors, toFault),
        errors.length > 0 && !report.isClean && h('p', { class: 'remark' }, icon('warn'), `${capital(report.summary)}.`),
        report.total > 0 ? notes(report, jump, undefined) : '',
      );
      heading.textContent = isBack ? `EPCIS XML ${version}` : `EPCIS 2.0 JSON-LD${errors.length > 0 ? ', not valid' : ''}`;
      result.hidden = false;
      cutNote.hidden = !translation.isCut;
      cutNote.textContent = `This is the beginning of ${sizeText(translation.size)}; the download has all of it.`;
      useButton.hidden = translation.isCut;
      editor.set(translation.output, { format: isBack ? 'xml' : 'json', isLocked: true });
    },
  };
}

/** A list of entries, with a button for more. */
function listed<Entry>(entries: readonly Entry[], own: (entry: Entry, index: number) => HTMLElement): Child {
  const list = h('ol', { class: 'errors' });
  const draw = (from: number, to: number) => list.append(...entries.slice(from, to).map((entry, at) => own(entry, from + at)));
  draw(0, SHOWN);
  let drawn = SHOWN;
  const rest =
    entries.length > SHOWN &&
    more('Show 200 more', () => {
      draw(drawn, drawn + 200);
      drawn += 200;
      return drawn >= entries.length;
    });
  return [list, rest];
}

/** What the JSON schema says of the translation, with the places in it. */
const faults = (errors: readonly VerdictError[], jump: (error: Pick<VerdictError, 'source'>) => unknown): Child =>
  listed(errors, ({ source, ...error }) =>
    h(
      'li',
      {},
      h('button', { type: 'button', class: 'error', onclick: () => jump(source === undefined ? {} : { source }) }, errorContent(error), icon('jump')),
    ),
  );

function notes(report: Fidelity, jump: (index: number) => unknown, title: string | undefined): HTMLElement {
  const isLong = report.notes.length > 6;
  const body = [
    listed(report.notes, (note, index) => item(note, index, jump)),
    report.total > report.notes.length &&
      h('p', { class: 'fine' }, `The first thousand of ${report.total.toLocaleString('en')} notes; the report has all of them.`),
  ];
  return h('details', { class: 'plain notes-room', open: !isLong }, h('summary', {}, title ?? count(report.total, 'note')), body);
}

function item(note: Note, index: number, jump: (index: number) => unknown): HTMLElement {
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: `error ${note.isLoss ? 'is-loss' : 'is-note'}`, onclick: () => jump(index) },
      h(
        'span',
        { class: 'error-message' },
        rich(note.text),
        note.value !== undefined && [': ', h('code', {}, note.value.length > 120 ? `${note.value.slice(0, 120)}…` : note.value)],
      ),
      h('span', { class: 'error-place' }, trail(note.path), h('span', { class: 'error-keyword' }, note.isLoss ? 'lost' : 'noted')),
      icon('jump'),
    ),
  );
}
