// The extra cost of text over bytes: every function on a document of ten megabytes, passed as bytes and as text.
import { parseArgs } from 'node:util';
import { countOf } from '../scripts/given.ts';
import { hash, toXml, translate, validate, verify } from '../wasm/js/engine/node.ts';

const event =
  '{"type":"ObjectEvent","action":"ADD","eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","epcList":["urn:epc:id:sscc:9521141.1234567890"],"bizStep":"shipping"}';
const xmlEvent =
  '<ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sscc:9521141.1234567890</epc></epcList><action>ADD</action></ObjectEvent>';
const json = (events: number, note: string) =>
  `{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[${Array(events).fill(event).join(',')}]}${note}}`;
const xml = (events: number) =>
  `<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList>${xmlEvent.repeat(events)}</EventList></EPCISBody></EPCISDocument>`;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const count = countOf(positionals[0] ?? '50000', 'the number of events');

const CASES: Readonly<Record<string, readonly [call: (document: any) => unknown, text: string]>> = {
  validate: [validate, json(count, '')],
  'validate, letters beyond ASCII': [validate, json(count, ',"@id":"urn:ü"')],
  hash: [hash, json(count, '')],
  verify: [verify, json(count, '')],
  toXml: [toXml, json(count / 10, '')],
  'hash of XML': [hash, xml(count)],
  translate: [translate, xml(count / 10)],
};

const best = (call: () => unknown): number => {
  let least = Infinity;
  for (let run = 0; run < 7; run += 1) {
    const start = performance.now();
    call();
    least = Math.min(least, performance.now() - start);
  }
  return least;
};

for (const [name, [call, text]] of Object.entries(CASES)) {
  const bytes = new TextEncoder().encode(text);
  const [asBytes, asText] = [best(() => call(bytes)), best(() => call(text))];
  const times = asText / asBytes;
  if (values.json) console.log(JSON.stringify({ name, asBytes, asText, times }));
  else
    console.log(
      `${name.padEnd(32)} ${(bytes.length / 1e6).toFixed(1)} MB  bytes ${asBytes.toFixed(1)} ms  text ${asText.toFixed(1)} ms  ${times.toFixed(2)} times`,
    );
}
