// The thread of the language server that reads documents.
import { parentPort } from 'node:worker_threads';
import { answerTo } from '../dist/lsp/judge.js';
import { check } from './checks-node.js';
import * as engine from './node.js';

answerTo(parentPort, { engine, check });
