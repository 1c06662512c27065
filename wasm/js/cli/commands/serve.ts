// The commands `mcp` and `lsp`, which serve until their input ends.
import type { Run } from '../command.ts';
import { EXIT } from '../each.ts';
import { Usage } from '../files.ts';
import { tell } from '../harmless.ts';

export const mcp: Run = async (names) => {
  if (names.length > 0) throw new Usage('mcp takes no files: messages come on standard input');
  const { serve, HASH_EVENT_IDS, VARIABLES } = await import('../../mcp/serve.ts');
  for (const name of Object.keys(VARIABLES)) {
    const value = process.env[name];
    if (value && !/^[a-z][a-z0-9+.-]*:\S+$/i.test(value)) throw new Usage(`${name} must be a URI, not ${value}`);
    // JSON-LD accepts only a namespace that ends in one of these characters.
    if (value && name === 'EPCIS_EDGE_NAMESPACE' && !/[/#:]$/.test(value)) throw new Usage(`${name} must end in /, # or :, found ${value}`);
  }
  const { EPCIS_EDGE_HASH_EVENT_IDS: hashes } = process.env;
  if (hashes && !HASH_EVENT_IDS.some((one) => one === hashes))
    throw new Usage(`EPCIS_EDGE_HASH_EVENT_IDS must be ${HASH_EVENT_IDS.join(' or ')}, not ${hashes}`);
  if (process.stdin.isTTY) tell('epcis-edge mcp: reading JSON-RPC messages from standard input, one per line, as MCP clients send them; Ctrl-D ends it');
  const log = (detail: string) => tell(`epcis-edge mcp: ${detail}`);
  await serve({ input: process.stdin, output: process.stdout, log, environment: process.env });
  return EXIT.ok;
};

export const lsp: Run = async (names, { clientProcessId: id }) => {
  if (names.length > 0) throw new Usage('lsp takes no files: the editor sends documents on standard input');
  if (id !== undefined && !/^\d{1,10}$/.test(id)) throw new Usage(`--clientProcessId is ${id}, expected the number of a process`);
  const { serve } = await import('../../lsp/serve.ts');
  if (process.stdin.isTTY) tell('epcis-edge lsp: reading messages of the Language Server Protocol from standard input, as editors send them; Ctrl-D ends it');
  return serve({ input: process.stdin, output: process.stdout });
};
