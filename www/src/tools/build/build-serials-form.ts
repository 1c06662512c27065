// The form of the Build tool that makes several events from a list of serials.
import { ownOffset, ownTime } from './build-event.ts';
import { draftsOfSerials, itemsOf, linesOf, MOST } from './build-serials.ts';
import type { EngineOfPage } from '../../page/state.ts';
import { announce, type Attributes, button, h, put } from '../../shared/dom.ts';
import { count } from '../../shared/words.ts';

import type { Draft } from './build-further.ts';
import type { JudgedItem } from './build-tools.ts';
import type { Serials } from './build-serials.ts';

/** How a place or a pallet is read. */
interface Reading {
  readonly key: string;
  readonly digits: number;
  readonly expected: string;
  readonly isKey: boolean;
}

/** The most faults that are listed. */
const LISTED = 20;
/** How long ago the first event is by default, in minutes: the last shall not be in the future. */
const AGO = 60;
const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;

/** Builds the form. `engine` reads identifiers; `make(drafts)` gets the drafts. */
export function makeSerials({ engine, make }: { readonly engine: EngineOfPage; make(drafts: readonly Draft[]): void }): HTMLElement {
  const judge = (list: readonly string[]) => engine.tool('judged', { list });
  const field = (label: string, control: HTMLInputElement) => h('div', { class: 'form-field' }, h('label', { for: control.id }, label), control);
  const text = (id: string, attributes: Attributes) => h('input', { class: 'field', id: `serials-${id}`, autocomplete: 'off', spellcheck: 'false', ...attributes });
  const controls = {
    gtin: text('gtin', { placeholder: '09521141123454, or empty' }),
    parent: text('parent', { placeholder: '(00)195211412345678900' }),
    readPoint: text('readPoint', { placeholder: '9521141000014' }),
    bizLocation: text('bizLocation', { placeholder: '9521141000014' }),
    destination: text('destination', { placeholder: '9521141000090' }),
    order: text('order', { placeholder: '4711' }),
    issuer: text('issuer', { placeholder: 'empty: the destination' }),
    time: text('time', { type: 'datetime-local', step: '1', value: ownTime(AGO) }),
    offset: text('offset', { value: ownOffset(), placeholder: '+01:00' }),
    minutes: text('minutes', { type: 'number', min: '1', max: String(MOST.minutes), value: '10' }),
  };
  const items = h('textarea', {
    class: 'field',
    id: 'serials-items',
    rows: '5',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: '(01)09521141123454(21)A1',
    'aria-describedby': 'serials-help',
    oninput: () => tally(),
  });
  const help = h('p', { class: 'fine', id: 'serials-help' });
  const tally = () => {
    const lines = linesOf(items.value).length;
    help.textContent = `${lines === 0 ? '' : `${count(lines, 'line')}. `}In any spelling; at most ${MOST.lines.toLocaleString('en')}.`;
  };
  tally();
  const received = h('input', { type: 'checkbox', id: 'serials-received' });
  const answer = h('div', { class: 'serials-answer' });
  const pair = (...fields: readonly HTMLElement[]) => h('div', { class: 'form-pair' }, fields);

  /** Reads a place or a pallet: `{id}` or `{fault}`. `key` is the application identifier that bare digits have there. */
  async function one(name: keyof typeof controls, label: string, { key, digits, expected, isKey }: Reading): Promise<{ readonly id?: string; readonly fault?: string }> {
    const typed = controls[name].value.trim();
    if (typed === '') return { id: '' };
    const bare = typed.replace(/[\s-]/g, '');
    const [read] = await judge([new RegExp(`^\\d{${digits}}$`).test(bare) ? `(${key})${bare}` : typed]);
    const { id, urn, problem }: Partial<JudgedItem> = read ?? {};
    if (id !== undefined && (urn === undefined ? !isKey : id.includes(`id.gs1.org/${key}/`))) return { id };
    return { fault: `${label}: found ${typed.slice(0, 60)}, expected ${expected}${problem === undefined ? '' : `: ${problem.replace(/\.$/, '')}`}.` };
  }

  async function read(): Promise<{ readonly faults: readonly string[]; readonly given: Serials }> {
    const faults: string[] = [];
    const taken = ({ id, fault }: Awaited<ReturnType<typeof one>>) => {
      if (fault !== undefined) faults.push(fault);
      return id ?? '';
    };
    const place = { key: '414', digits: 13, expected: 'a GLN, such as 9521141000014, or a URI', isKey: false };
    const gtin = controls.gtin.value.replace(/[\s-]/g, '');
    let listed: Awaited<ReturnType<typeof itemsOf>> = { ids: [], faults: [] };
    if (gtin !== '') {
      const [judged] = await judge([`(01)${gtin}`]);
      if (judged?.problem !== undefined) faults.push(`GTIN: found ${gtin.slice(0, 60)}, expected 8, 12, 13 or 14 digits with a right check digit.`);
      else listed = await itemsOf(items.value, gtin, judge);
    } else listed = await itemsOf(items.value, '', judge);
    faults.push(...listed.faults);
    const parent = taken(await one('parent', 'Parent', { key: '00', digits: 18, expected: 'an SSCC, such as (00)195211412345678900', isKey: true }));
    if (parent === '' && controls.parent.value.trim() === '') faults.push('Parent: it is empty, expected the SSCC of the pallet or case.');
    const readPoint = taken(await one('readPoint', 'Read point', place));
    const bizLocation = taken(await one('bizLocation', 'Business location', place));
    const destination = taken(await one('destination', 'Destination', place));
    const [order, issuer, offset] = [controls.order.value.trim(), controls.issuer.value.trim(), controls.offset.value.trim()];
    const gln = issuer === '' ? '' : (await engine.tool('read', { list: [issuer] }))[0]?.gln;
    if (gln === undefined) faults.push(`GLN of who issued the order: found ${issuer.slice(0, 60)}, expected 13 digits with a right check digit.`);
    const minutes = Number(controls.minutes.value);
    if (controls.time.value === '') faults.push('Start: it is empty, expected a date and time.');
    if (!OFFSET.test(offset)) faults.push(`Time zone offset: found ${offset.slice(0, 20) || 'nothing'}, expected one such as +01:00.`);
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > MOST.minutes)
      faults.push(
        `Minutes: found ${controls.minutes.value.slice(0, 20) || 'nothing'}, expected a whole number from 1 to ${MOST.minutes.toLocaleString('en')}.`,
      );
    if (received.checked && controls.destination.value.trim() === '')
      faults.push('Destination: it is empty, expected the place that receives, since it is to be received.');
    const given = { ids: listed.ids, parent, readPoint, bizLocation, destination, order, issuer, time: controls.time.value, offset, minutes };
    return { faults, given: { ...given, isReceived: received.checked } };
  }

  const go: HTMLButtonElement = button('plus', 'Make the events', async () => {
    go.disabled = true;
    const { faults, given } = await read();
    go.disabled = false;
    if (faults.length === 0) {
      put(answer);
      make(draftsOfSerials(given));
      return;
    }
    put(
      answer,
      h('p', { class: 'serials-refused' }, `Nothing is made: ${count(faults.length, 'thing')} to correct.`),
      h(
        'ul',
        { class: 'build-errors' },
        faults.slice(0, LISTED).map((words) => h('li', {}, words)),
      ),
      faults.length > LISTED && h('p', { class: 'fine' }, `And ${(faults.length - LISTED).toLocaleString('en')} more.`),
    );
    announce(`Nothing is made. ${faults[0]}`);
    go.focus();
  });

  return h(
    'section',
    { class: 'build-start', 'aria-label': 'From a list of serials' },
    h('p', { class: 'fine' }, 'Each item is commissioned, all are packed into the parent, and the parent is shipped. Each event is later than the one before.'),
    h('div', { class: 'form-field' }, h('label', { for: 'serials-items' }, 'Items, one a line'), items, help),
    pair(field('GTIN, if the lines are serials alone', controls.gtin), field('Parent (SSCC)', controls.parent)),
    pair(field('Read point (GLN)', controls.readPoint), field('Business location (GLN)', controls.bizLocation)),
    pair(field('Destination (GLN)', controls.destination), field('Order number', controls.order)),
    pair(field('GLN of who issued the order', controls.issuer), field('Minutes between the steps', controls.minutes)),
    pair(field('Start', controls.time), field('Time zone offset', controls.offset)),
    h('label', { class: 'form-check', for: 'serials-received' }, received, ' Also make the event of receiving'),
    go,
    answer,
  );
}
