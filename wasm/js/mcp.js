// The MCP server over standard input and output: one JSON-RPC message a line, nothing else on standard output.
import { randomBytes } from 'node:crypto';
import * as engines from './agent.js';
import { Lines, TOO_LONG, isBlank } from './lines.js';

/** The longest line that is read, in bytes. */
const MAX_LINE = 64 * 1024 * 1024;

/** The variables of the environment, each with what holds where it is not set. */
export const VARIABLES = {
  EPCIS_EDGE_ACCOUNT: 'urn:epcis-edge:local:account',
  EPCIS_EDGE_OBSERVER: 'urn:epcis-edge:local:observer',
  EPCIS_EDGE_NAMESPACE: 'urn:epcis-edge:local:spine:',
};

/** What becomes of an `eventID` that is an event hash, and not that of its event. */
export const HASH_EVENT_IDS = ['report', 'refuse'];

/** Serves until the input ends. */
export async function serve({ input, output, log, environment }) {
  const [account, observer, namespace] = Object.entries(VARIABLES).map(([name, otherwise]) => environment[name] || otherwise);
  const contexts = environment.EPCIS_EDGE_ALLOWED_CONTEXTS ?? '';
  const agent = new (engines.agent().Agent)(
    account,
    observer,
    namespace,
    contexts,
    environment.EPCIS_EDGE_HASH_EVENT_IDS || HASH_EVENT_IDS[0],
    randomBytes(32),
  );

  const write = async (text) => {
    if (!output.write(`${text}\n`)) await new Promise((resume) => output.once('drain', resume));
  };
  const answer = async (line) => {
    const reply = agent.message(line, Date.now());
    const detail = agent.takeDetail();
    if (detail !== undefined) log(detail);
    // Before the answer goes out: whoever has it may ask for the proof.
    let size;
    do {
      size = agent.logSize();
      agent.integrate(randomBytes(32));
    } while (agent.logSize() > size);
    if (reply !== undefined) await write(reply);
  };

  for await (const line of linesOf(input)) {
    if (line === TOO_LONG) {
      const message = `the line is longer than ${MAX_LINE} bytes`;
      await write(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }));
    } else if (!isBlank(line)) await answer(line);
  }
}

/** The lines of a stream of bytes; of one that is too long only that it was. */
async function* linesOf(input) {
  const lines = new Lines(MAX_LINE);
  for await (const chunk of input) yield* lines.of(chunk);
  yield* lines.rest();
}
