// Documents larger than memory through the streams: speed, the largest resident set, and the memory of the engine.
//
//     node bench/stream.ts [MEGABYTES] [--json]
import { parseArgs } from 'node:util';
import { countOf } from '../scripts/given.ts';
import { initSync } from '../wasm/dist/epcis_edge.js';
import { init, toXmlStream, translateStream, validateStream } from '../wasm/js/engine/node.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const megabytes = countOf(positionals[0] ?? '300', 'the number of megabytes');
const wanted = megabytes * 1_000_000;
await init();
// The module is loaded already; this call only returns its memory.
const { memory } = initSync();

const serial = (n: number) => String(n).padStart(12, '0');
const xmlEvent = (n: number) => `<ObjectEvent><eventTime>2026-03-04T11:00:30.000+01:00</eventTime><eventTimeZoneOffset>+01:00</eventTimeZoneOffset>
<epcList><epc>urn:epc:id:sgtin:9521141.012345.${serial(n)}</epc></epcList><action>OBSERVE</action>
<bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep><readPoint><id>urn:epc:id:sgln:9521141.00001.0</id></readPoint>
<ex:temperature xmlns:ex="https://example.com/ns/">${n % 40}</ex:temperature></ObjectEvent>
`;
const jsonEvent = (n: number) => `{"type":"ObjectEvent","action":"OBSERVE","bizStep":"shipping","eventTime":"2026-03-04T11:00:30.000+01:00",
"eventTimeZoneOffset":"+01:00","epcList":["urn:epc:id:sgtin:9521141.012345.${serial(n)}"],"readPoint":{"id":"urn:epc:id:sgln:9521141.00001.0"},
"ex:temperature":${n % 40}}`;

/** What a document is made of. */
interface Source {
  readonly head: string;
  readonly tail: string;
  event(n: number): string;
  readonly separator: string;
}

/** A way through a stream: what comes out, and whether that is right. */
interface Way {
  readonly source: Source;
  through(source: Source): { readonly readable: ReadableStream<unknown>; readonly report?: Promise<unknown> };
  isRight(report: any, seen: { readonly events: number; readonly last: any }): boolean;
}

/** A document of about `wanted` bytes, in chunks of 64 KiB. */
function document({ head, tail, event, separator }: Source): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let given = 0;
  let number = 0;
  return new ReadableStream(
    {
      pull(controller) {
        let text = given === 0 ? head : '';
        while (text.length < 65_536 && given + text.length < wanted) {
          text += (number === 0 ? '' : separator) + event(number);
          number += 1;
        }
        if (given + text.length >= wanted) text += tail;
        given += text.length;
        controller.enqueue(encoder.encode(text));
        if (given >= wanted) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

const JSON_SOURCE: Source = {
  head: '{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{"ex":"https://example.com/ns/"}],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-11-20T08:00:00Z","epcisBody":{"eventList":[\n',
  tail: ']}}',
  event: jsonEvent,
  separator: ',\n',
};

const kinds: Readonly<Record<string, Way>> = {
  translate: {
    source: {
      head: '<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2" creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList>\n',
      tail: '</EventList></EPCISBody></epcis:EPCISDocument>',
      event: xmlEvent,
      separator: '',
    },
    through(source) {
      const stream = translateStream();
      return { readable: document(source).pipeThrough(stream), report: stream.report };
    },
    isRight: ({ meteredEvents, fidelityReport }, { events }) => meteredEvents === events && fidelityReport.roundTripClean,
  },
  validate: {
    source: JSON_SOURCE,
    through: (source) => ({ readable: document(source).pipeThrough(validateStream()) }),
    isRight: (_, { last }) => last.valid,
  },
  toXml: {
    source: JSON_SOURCE,
    // A Blob that can be read twice without being in memory.
    through: (source) => toXmlStream(Object.assign(new Blob([]), { stream: () => document(source) })),
    // Its numbers become text, as in XML.
    isRight: ({ report, meteredEvents }) => report.losses.lost === 0 && meteredEvents > 0,
  },
};

let largest = 0;
const look = () => {
  largest = Math.max(largest, process.memoryUsage.rss());
};

for (const [name, { source, through, isRight }] of Object.entries(kinds)) {
  largest = 0;
  look();
  const before = largest;
  const started = performance.now();
  const stream = through(source);
  let events = 0;
  let last: unknown;
  for await (const chunk of stream.readable) {
    if (chunk instanceof Uint8Array) for (const byte of chunk) events += byte === 10 ? 1 : 0;
    last = chunk;
    look();
  }
  look();
  const seconds = (performance.now() - started) / 1000;
  const ok = isRight(await stream.report, { events, last });
  const figures = { name, megabytes, seconds, rssBefore: before / 1e6, rss: largest / 1e6, linear: memory.buffer.byteLength / 1e6, ok };
  if (values.json) console.log(JSON.stringify(figures));
  else
    console.log(
      `${name}: ${megabytes} MB in ${seconds.toFixed(1)} s, resident set ${figures.rssBefore.toFixed(0)} MB before, ${figures.rss.toFixed(0)} MB at most, of it ${figures.linear.toFixed(1)} MB of WebAssembly${ok ? '' : ', WRONG'}`,
    );
  if (!ok) process.exitCode = 1;
}
