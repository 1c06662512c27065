// The thread of the language server that reads documents, with the engines from the files beside it.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import * as engine from 'epcis-edge';
import { check, init as initCheck, repair } from 'epcis-edge/check';
import { answerTo } from '../../../wasm/lsp/judge.js';

const read = (name) => readFileSync(new URL(name, import.meta.url));
await Promise.all([engine.init(read('./engine.wasm')), initCheck(read('./check.wasm'))]);
answerTo(parentPort, { engine, checks: { check, repair } });
