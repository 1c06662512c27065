// The thread of the language server that reads documents, with the engines from the files beside it.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import * as engine from '../../../wasm/js/engine/node.ts';
import { check, init as initCheck, repair } from '../../../wasm/js/check/node.ts';
import { answerTo } from '../../../wasm/lsp/judge.ts';

const read = (name: string): Buffer<ArrayBuffer> => readFileSync(new URL(name, import.meta.url));
await Promise.all([engine.init(read('./engine.wasm')), initCheck(read('./check.wasm'))]);
if (parentPort !== null) answerTo(parentPort, { engine, checks: { check, repair } });
