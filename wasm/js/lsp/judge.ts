// The thread of the language server that reads documents.
import { parentPort } from 'node:worker_threads';
import { answerTo } from '../../dist/lsp/judge.js';
import * as checks from '../check/node.ts';
import * as engine from '../engine/node.ts';

answerTo(parentPort, { engine, checks });
