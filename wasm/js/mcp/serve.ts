// The MCP server on standard input and output: one JSON-RPC message per line, and nothing else on standard output.
import { randomBytes } from 'node:crypto';
import * as engines from './agent.ts';
import { isBlank, type Line, Lines, TOO_LONG } from '../cli/lines.ts';

/** The longest line that is read, in bytes. */
const MAX_LINE = 64 * 1024 * 1024;

/** The environment variables with their default values. */
export const VARIABLES = {
  EPCIS_EDGE_ACCOUNT: 'urn:epcis-edge:local:account',
  EPCIS_EDGE_OBSERVER: 'urn:epcis-edge:local:observer',
  EPCIS_EDGE_NAMESPACE: 'urn:epcis-edge:local:spine:',
};

/** The policies for an `eventID` that is an event hash, but not that of its event. */
export const HASH_EVENT_IDS = ['report', 'refuse'] as const;

/** What the server serves with. */
interface Serving {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly output: NodeJS.WritableStream;
  /** Is told what a client is not told. */
  log(detail: string): void;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs the server until the input ends. */
export async function serve({ input, output, log, environment }: Serving): Promise<void> {
  const given = (name: keyof typeof VARIABLES) => environment[name] || VARIABLES[name];
  const contexts = environment.EPCIS_EDGE_ALLOWED_CONTEXTS ?? '';
  const agent = new (engines.agent().Agent)(
    given('EPCIS_EDGE_ACCOUNT'),
    given('EPCIS_EDGE_OBSERVER'),
    given('EPCIS_EDGE_NAMESPACE'),
    contexts,
    environment.EPCIS_EDGE_HASH_EVENT_IDS || HASH_EVENT_IDS[0],
    randomBytes(32),
  );

  const write = async (text: string) => {
    if (!output.write(`${text}\n`)) await new Promise<void>((resume) => output.once('drain', resume));
  };
  const answer = async (line: Uint8Array) => {
    const reply = agent.message(line, Date.now());
    const detail = agent.takeDetail();
    if (detail !== undefined) log(detail);
    // Integrate all events into the log before answering, since the client may ask for the proof next.
    let size: number;
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

/** The lines of a stream of bytes. A line that is too long is replaced by `TOO_LONG`. */
async function* linesOf(input: Serving['input']): AsyncGenerator<Line> {
  const lines = new Lines(MAX_LINE);
  for await (const chunk of input) yield* lines.of(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array<ArrayBuffer>));
  yield* lines.rest();
}
