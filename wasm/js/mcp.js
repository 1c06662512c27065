// The MCP server over standard input and output: one JSON-RPC message a line, nothing else on standard output.
import { readFileSync } from 'node:fs';
import * as engine from '../dist/agent/epcis_edge.js';

/** The longest line that is read, in bytes. */
const MAX_LINE = 64 * 1024 * 1024;
const LINE_FEED = 10;

/** The variables of the environment, each with what holds where it is not set. */
export const VARIABLES = {
  EPCIS_EDGE_ACCOUNT: 'urn:epcis-edge:local:account',
  EPCIS_EDGE_OBSERVER: 'urn:epcis-edge:local:observer',
  EPCIS_EDGE_NAMESPACE: 'urn:epcis-edge:local:spine:',
};

/** What becomes of an `eventID` that is an event hash, and not that of its event. */
export const HASH_EVENT_IDS = ['verify', 'keep'];

/** Serves until the input ends. */
export async function serve({ input, output, log, environment }) {
  const [account, observer, namespace] = Object.entries(VARIABLES).map(([name, otherwise]) => environment[name] || otherwise);
  engine.initSync({ module: readFileSync(new URL('../dist/agent/epcis_edge_bg.wasm', import.meta.url)) });
  const contexts = environment.EPCIS_EDGE_ALLOWED_CONTEXTS ?? '';
  const agent = new engine.Agent(account, observer, namespace, contexts, environment.EPCIS_EDGE_HASH_EVENT_IDS || HASH_EVENT_IDS[0]);

  const write = async (text) => {
    if (!output.write(`${text}\n`)) await new Promise((resume) => output.once('drain', resume));
  };
  const answer = async (line) => {
    const reply = agent.message(line, Date.now());
    const detail = agent.takeDetail();
    if (detail !== undefined) log(detail);
    if (reply !== undefined) await write(reply);
  };

  for await (const line of lines(input)) {
    if (line === TOO_LONG) {
      const message = `the line is longer than ${MAX_LINE} bytes`;
      await write(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }));
    } else if (!isBlank(line)) await answer(line);
  }
}

const TOO_LONG = Symbol('a line that was not kept');

/** The lines of a stream of bytes; of one that is too long only that it was. */
async function* lines(input) {
  let pieces = [];
  let length = 0;
  const whole = () => {
    const line = length > MAX_LINE ? TOO_LONG : Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return line;
  };
  const keep = (piece) => {
    length += piece.length;
    if (length > MAX_LINE) pieces = [];
    else pieces.push(piece);
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      keep(chunk.subarray(from, at));
      yield whole();
      from = at + 1;
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (length > 0) yield whole();
}

function isBlank(line) {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
