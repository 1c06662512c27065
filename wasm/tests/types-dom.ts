// The same in a project that has the types of a browser: the streams are those of the platform.
import { type EPCISEvent, type ExtendedEvent, type Verdict, init, toXmlStream, translateStream, validateStream } from 'epcis-edge';
import { type Captured, connect } from 'epcis-edge/client';
import { EpcisEvents, type EpcisProblem } from 'epcis-edge/component';
import { report } from 'epcis-edge/report';
import { toXlsx } from 'epcis-edge/xlsx';

const lines: ReadableStream<Uint8Array> = new Blob([]).stream().pipeThrough(translateStream());
const events: ReadableStream<EPCISEvent | ExtendedEvent> = translateStream({ as: 'object' }).readable;
const captured: ReadableStream<Captured> = translateStream().readable.pipeThrough(connect('https://epcis.example.com').captureStream());
const found: ReadableStream<EPCISEvent | ExtendedEvent> = connect('https://epcis.example.com', { fetch })
  .query({}, { signal: AbortSignal.timeout(1) })
  .stream();
const verdicts: ReadableStream<Verdict> = new Blob([]).stream().pipeThrough(validateStream());
const sources = [init(new URL('https://example.com/x.wasm')), init(fetch('x.wasm')), init('x.wasm'), init(new WebAssembly.Module(new Uint8Array()))];
// @ts-expect-error a number is no place
init(5);
const xml: ReadableStream<Uint8Array> = toXmlStream(new Blob([])).readable;
// @ts-expect-error a stream can be read once
toXmlStream(new Blob([]).stream());
const file = new Blob([toXlsx(report([], 'fsma204'))]);
const shown: EpcisEvents = new EpcisEvents();
shown.document = { type: 'EPCISDocument' };
shown.token = undefined;
shown.theme = 'dark';
// @ts-expect-error there is no such theme
shown.theme = 'blue';
// @ts-expect-error a key cannot be read
const key: string = shown.token;
shown.addEventListener('error', ({ detail }: CustomEvent<EpcisProblem>) => detail.code === 'refused' && detail.status);
shown.addEventListener('epcis-load', ({ detail }) => (detail.kind === 'document' ? detail.withdrawn : detail.found));
shown.addEventListener('epcis-item', (event) => event.preventDefault());
shown.addEventListener('click', (event: MouseEvent) => event.clientX);
const inPage: EpcisEvents | null = document.querySelector('epcis-events');
export { captured, events, file, inPage, key, found, lines, sources, verdicts, xml };
