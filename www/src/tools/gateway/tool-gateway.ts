// The Gateway tool: captures the open document, finds events, traces or follows an item, and fetches the proof of an event.
import type { AnyEvent } from '../../events/event-model.ts';
import type { Around, Tool } from '../../page/modes.ts';
import { button, copyButton, h, type Icon, icon, put } from '../../shared/dom.ts';
import { bridged } from './gateway-bridge.ts';
import { addressOf, type CallGateway, capture, eventsOf, gatewayAt, itemAt, Refused, sentencesOf, traceOf } from './gateway-calls.ts';
import { itemPage, printButton, toggleSource } from '../../item/item-page.ts';
import { banner, rich } from '../../shared/parts.ts';
import { count, moment, phrase, typeName } from '../../shared/words.ts';

/** Builds the tool. The key stays in its field and is never stored. */
export function makeGateway(room: HTMLElement, { engine, openText, leave, tabs, makeOf, document: opened }: Around): Tool {
  const answer = h('div', { class: 'gateway-answer', 'aria-live': 'polite' });
  const isHttp = location.protocol.startsWith('http');
  const address = h('input', {
    class: 'field',
    id: 'gateway-address',
    type: 'url',
    autocomplete: 'off',
    spellcheck: 'false',
    value: isHttp ? location.origin : '',
    oninput: () => policy(),
  });
  const key = h('input', { class: 'field', id: 'gateway-key', type: 'password', autocomplete: 'off', spellcheck: 'false' });
  const item = h('input', { class: 'field', id: 'gateway-item', autocomplete: 'off', spellcheck: 'false', placeholder: 'urn:epc:id:sscc:9521141.1234567890' });
  const told = h('p', { class: 'fine', id: 'gateway-policy' });

  function policy() {
    try {
      const { origin } = new URL(addressOf(address.value));
      told.textContent =
        origin === location.origin
          ? 'The gateway that serves this page.'
          : `The page will connect to ${origin}, and to no other host, once you press a button.`;
    } catch (error) {
      told.textContent = address.value === '' ? '' : (error as Error).message;
    }
  }
  policy();

  /** The errors that a gateway lists. */
  const faults = (sentences: readonly string[] = []) =>
    sentences.length > 0 && [
      h(
        'ul',
        { class: 'build-errors' },
        sentences.slice(0, 100).map((words) => h('li', {}, rich(words))),
      ),
      sentences.length > 100 && h('p', { class: 'fine' }, `The first 100 of ${sentences.length.toLocaleString('en')} are listed.`),
    ];

  const buttons: HTMLButtonElement[] = [];
  /** Asks the gateway, and shows what is refused. */
  async function perform(run: (call: CallGateway) => Promise<unknown>): Promise<void> {
    for (const one of buttons) one.disabled = true;
    const before = [...answer.childNodes];
    const asking = h('p', { class: 'waiting' }, 'Asking the gateway');
    put(answer, asking);
    try {
      await run(gatewayAt(address.value, key.value.trim(), bridged));
      // If the result is shown in another tab, restore the earlier answer here.
      if (asking.isConnected) put(answer, before);
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof SyntaxError)) throw error;
      put(
        answer,
        banner('bad', 'Refused', error instanceof Refused ? error.message : 'The gateway answered with something that is not JSON.'),
        error instanceof Refused && faults(error.errors),
      );
    } finally {
      for (const one of buttons) one.disabled = false;
    }
  }
  const task = (name: Icon, words: string, run: (call: CallGateway) => Promise<unknown>) => {
    const own = button(name, words, () => perform(run));
    buttons.push(own);
    return own;
  };

  const wanted = () => {
    const id = item.value.trim();
    if (id === '') throw new Refused('Which item? Give its EPC.');
    return id;
  };

  async function captureOpen(call: CallGateway): Promise<void> {
    const text = await opened();
    const { job } = await capture(call, text);
    if (job?.running === true) put(answer, banner('warn', 'Still running', `Capture job ${job.captureID}`));
    else if (job?.success === false) put(answer, banner('bad', 'Not captured', `Capture job ${job.captureID}`), faults(sentencesOf(job.errors)));
    else put(answer, banner('good', 'Captured', job?.captureID === undefined ? undefined : `Capture job ${job.captureID}`));
  }

  const documentOf = (events: readonly AnyEvent[]) =>
    `${JSON.stringify({ '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'], type: 'EPCISDocument', schemaVersion: '2.0', creationDate: new Date().toISOString(), epcisBody: { eventList: events } }, null, 2)}\n`;

  function list(events: readonly AnyEvent[]): void {
    const open = (tab: string) => {
      tabs.choose(tab);
      leave();
      openText(documentOf(events), { name: 'events.json' });
    };
    put(
      answer,
      banner(
        events.length === 0 ? 'calm' : 'good',
        count(events.length, 'event'),
        events.length === 0 ? 'The gateway has no such events that this key may see.' : undefined,
      ),
      events.length > 0 &&
        h(
          'p',
          { class: 'form-row' },
          button('open', 'Open as document', () => open('events'), { class: 'button main' }),
        ),
      events.length > 0 &&
        h(
          'ul',
          { class: 'gateway-list' },
          events
            .slice(0, 50)
            .map(({ type, bizStep, eventTime, eventTimeZoneOffset, eventID }) =>
              h(
                'li',
                {},
                h('b', {}, bizStep === undefined ? typeName(String(type)) : phrase(String(bizStep))),
                h('span', {}, moment(String(eventTime), eventTimeZoneOffset)),
                typeof eventID === 'string' && [
                  h('code', {}, eventID.length > 40 ? `${eventID.slice(0, 34)}…` : eventID),
                  task('check', 'Proof', (again) => prove(again, eventID)),
                ],
              ),
            ),
        ),
    );
  }

  /** Shows the page of an item. Its events are opened in place. */
  async function followItem(call: CallGateway, id = wanted()): Promise<void> {
    item.value = id;
    const { text, elements, missing, ...found } = await itemAt(
      call,
      id,
      () =>
        (about, ...given) =>
          engine.tool(about, ...given),
    );
    if (found.problem !== undefined) {
      put(answer, banner('bad', found.problem.title, found.problem.detail));
      return;
    }
    const { model } = found;
    const shown = itemPage(model, {
      titleId: 'gateway-item-title',
      linkOf: (other) => ({
        href: '#gateway',
        onclick: (event) => {
          event.preventDefault();
          perform((again) => followItem(again, other));
        },
      }),
      openEvent: (position, opener) => toggleSource(opener, () => engine.tool('itemSource', { text, position })),
      tools: [copyButton(model.spelling, 'Copy identifier'), printButton()],
      scope: `This is what the events at ${new URL(addressOf(address.value)).host} say that your key may read, and no more.${elements.length > 0 ? ' Names are from its master data.' : ''}`,
      remark: missing,
    });
    put(answer, shown);
    shown.querySelector('h2')?.focus({ preventScroll: true });
  }

  async function prove(call: CallGateway, id: string): Promise<void> {
    const [event, proof] = [
      await call('GET', `/events/${encodeURIComponent(id)}`),
      await call('GET', `/log/proof?event=${encodeURIComponent(id)}`, { headers: { accept: '*/*' } }),
    ];
    tabs.choose('proof');
    leave();
    // Show the proof only if its event could be opened.
    if (!openText(event.text, { name: 'event.json' })) return;
    (await makeOf('proof')).take(proof.text);
  }

  put(
    room,
    h('h2', { class: 'tool-title' }, 'Ask a gateway'),
    h(
      'p',
      { class: 'tool-about' },
      'Works with any server that has the EPCIS 2.0 REST binding. The key stays in the memory of this page: it is not stored, and it is sent only to this gateway.',
    ),
    h(
      'form',
      { class: 'form', onsubmit: (event) => event.preventDefault() },
      h('div', { class: 'form-field' }, h('label', { for: 'gateway-address' }, 'Address'), address, told),
      h('div', { class: 'form-field' }, h('label', { for: 'gateway-key' }, 'Key'), key),
      h(
        'div',
        { class: 'form-row' },
        task('open', 'Capture the open document', captureOpen),
        task('indent', 'Newest events', async (call) => list(await eventsOf(call, { orderBy: 'eventTime', orderDirection: 'DESC' }, 100))),
      ),
      h('div', { class: 'form-field' }, h('label', { for: 'gateway-item' }, 'Item (EPC)'), item),
      h(
        'div',
        { class: 'form-row' },
        task('indent', 'Find its events', async (call) => list(await eventsOf(call, { MATCH_anyEPC: wanted() }))),
        task('swap', 'Trace it', async (call) => list(await traceOf(call, wanted()))),
        task('jump', 'Follow it', (call) => followItem(call)),
      ),
    ),
    h('p', { class: 'remark' }, icon('lock'), 'Nothing is sent before you press a button. Then the page sends the document that you capture, or your query.'),
    answer,
  );
  return {};
}
