// The same in a project that has the types of a browser: the streams are those of the platform.
import { type Verdict, init, translateStream, validateStream } from 'epcis-edge';

const lines: ReadableStream<Uint8Array> = new Blob([]).stream().pipeThrough(translateStream());
const events: ReadableStream<Record<string, unknown>> = translateStream({ as: 'object' }).readable;
const verdicts: ReadableStream<Verdict> = new Blob([]).stream().pipeThrough(validateStream());
const sources = [init(new URL('https://example.com/x.wasm')), init(fetch('x.wasm')), init('x.wasm'), init(new WebAssembly.Module(new Uint8Array()))];
// @ts-expect-error a number is no place
init(5);
export { events, lines, sources, verdicts };
