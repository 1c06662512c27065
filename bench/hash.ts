// Events hashed per second in Node, from bytes: this package and epcis2.js, used as its users do.
import { createRequire } from 'node:module';
import { hash } from '../wasm/js/engine/node.ts';
import { bytes, envelope, plainEvents, sensorEvents } from './documents.ts';
import { compare, machine, number, target } from './measure.ts';

const { eventToHashedId } = createRequire(import.meta.url)('epcis2.js');
const EVENTS = 1000;

console.log(`## Hash, in wasm\n\n${machine()}; ${EVENTS} events a document, from bytes.\n`);
console.log('| events | epcis2.js 2.7.3 /s | epcis-edge /s | ratio | target |\n|---|---|---|---|---|');
for (const [kind, events] of Object.entries({ plain: plainEvents(EVENTS), sensor: sensorEvents(EVENTS) })) {
  const text = bytes(envelope(events));
  const decoder = new TextDecoder();
  const found = compare({
    peer: () => {
      const document = JSON.parse(decoder.decode(text));
      return document.epcisBody.eventList.map((event: object) => eventToHashedId(event, document['@context'][1]));
    },
    ours: () => hash(text),
  });
  const perSecond = ({ ms }: { readonly ms: number }) => number((EVENTS / ms) * 1000, 0);
  console.log(`| ${kind} | ${perSecond(found.peer)} | ${perSecond(found.ours)} | ${number(found.ours.ratio)}x | ${target(found.ours.ratio, 10)} |`);
}
