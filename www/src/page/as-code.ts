// The section "Do this in code": how to get what a tab shows with the npm package, curl and MCP.
import { USUAL_PACKS } from '../../../wasm/js/engine/answers.ts';
import { h, put } from '../shared/dom.ts';
import { codeBlock } from '../shared/parts.ts';
import type { Now } from './as-code-section.ts';
import { makeTabs } from './tabs.ts';

/** What the code is about. */
interface Asked extends Omit<Now, 'tab' | 'name'> {
  /** The file name of the document. */
  readonly file: string;
  /** The address of the gateway. */
  readonly base: string;
}

const rpc = (name: string, args: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

/** The code for a tab, in three variants: `{npm, curl, MCP}`. `file` is the document's file name, `base` the gateway's address. */
function calls(tab: string, { format, back, packs, parameters, base, file, item }: Asked): Readonly<Record<string, string>> {
  const isXml = format === 'xml';
  const media = isXml ? 'application/xml' : 'application/json';
  const post = (path: string, type = media) => `curl -s ${base}${path} \\\n  -H 'Content-Type: ${type}' \\\n  --data-binary @${file}`;
  const mcp = (name: string, args: object, key?: boolean) =>
    `curl -s ${base}/mcp \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream' \\\n${key ? "  -H 'Authorization: Bearer <capture key>' \\\n" : ''}  -d '${rpc(name, args).replaceAll("'", "'\\''")}'`;
  const read = "import { readFile } from 'node:fs/promises';\n";
  const document = isXml ? `const { document } = translate(await readFile('${file}'));\n` : `const document = JSON.parse(await readFile('${file}', 'utf8'));\n`;
  const content = isXml ? `require("fs").readFileSync("${file}", "utf8")` : `JSON.parse(require("fs").readFileSync("${file}"))`;
  /** A command that prints the MCP message that calls a tool with the document. */
  const messageWith = (name: string, argument: string, others: object = {}) =>
    `node -p 'JSON.stringify(${rpc(name, { ...others, [argument]: '@' }).replace('"@"', content)})'`;
  /** A command that sends this message to the gateway. */
  const mcpWith = (name: string, argument: string, key?: boolean, others?: object) =>
    `${messageWith(name, argument, others)} |\n  curl -s ${base}/mcp \\\n    -H 'Content-Type: application/json' \\\n    -H 'Accept: application/json, text/event-stream' \\\n${key ? "    -H 'Authorization: Bearer <capture key>' \\\n" : ''}    --data-binary @-`;
  const fields = '[.eventTime, .type, .action, .bizStep, .bizLocation.id]';
  switch (tab) {
    case 'validate':
      return {
        npm: `import { validate } from 'epcis-edge';\n${read}\n${isXml ? '// The verdict of the XML schema; translate() gives that of the JSON schema, too.\n' : ''}const { valid, schema, errors } = validate(await readFile('${file}'));\nconsole.log(valid, schema.artefact, schema.version);\nfor (const { path, message } of errors) console.log(path, message);`,
        curl: `${isXml ? '# sourceVerdict is the verdict of the XML schema.\n' : ''}${post(isXml ? '/translate' : '/validate')}`,
        MCP: isXml ? mcpWith('translate', 'xml', false) : mcpWith('capture', 'document', true, { dryRun: true }),
      };
    case 'checks': {
      const names = packs.length === 0 ? undefined : [...USUAL_PACKS, ...packs];
      const told = Object.assign({}, ...packs.map((pack) => parameters[pack]));
      const isTold = Object.keys(told).length > 0;
      const chosen = names === undefined ? '' : `, { packs: ['${names.join("', '")}']${isTold ? `, parameters: ${JSON.stringify(told)}` : ''} }`;
      const options = Object.entries(told).flatMap(([name, values]) =>
        [values].flat().map((value) => ` --parameter '${`${name}=${value}`.replaceAll("'", "'\\''")}'`),
      );
      return {
        npm: `import { check } from 'epcis-edge/check';\n${read}\nconst { counts, findings } = check(await readFile('${file}')${chosen});\nconsole.log(counts);\nfor (const { severity, path, line, message } of findings) console.log(severity, line, path, message);`,
        curl: isTold
          ? `# What packs are told goes over HTTP in an object with the document; with the package:\nnpx epcis-edge check --packs ${names}${options.join('')} ${file}`
          : post(names === undefined ? '/check' : `/check?packs=${names}`),
        MCP: `# A tool of the local process:\n${messageWith('check', isXml ? 'xml' : 'document', names && { packs: names.join(), ...(isTold && { parameters: told }) })} |\n  npx epcis-edge-mcp`,
      };
    }
    case 'events':
    case 'table':
    case 'master':
      return {
        npm:
          tab === 'master'
            ? `import { ${isXml ? 'translate' : 'validate'} } from 'epcis-edge';\n${read}\n${document}for (const { type, vocabularyElementList } of document.epcisHeader.epcisMasterData.vocabularyList)\n  for (const { id, attributes } of vocabularyElementList) console.log(type, id, attributes);`.replace(
                "import { validate } from 'epcis-edge';\n",
                '',
              )
            : `${isXml ? "import { translate } from 'epcis-edge';\n" : ''}${read}\n${document}for (const { eventTime, type, action, bizStep, bizLocation } of document.epcisBody.eventList)\n  console.log(eventTime, type, action, bizStep, bizLocation?.id);`,
        curl:
          tab === 'master'
            ? `${isXml ? `npx epcis-edge translate ${file} |\n  jq` : 'jq'} '.epcisHeader.epcisMasterData.vocabularyList'${isXml ? '' : ` ${file}`}`
            : `# No gateway is needed to read events:\n${isXml ? `npx epcis-edge translate ${file} |\n  jq` : 'jq'} -r '.epcisBody.eventList[] | ${fields} | @csv'${isXml ? '' : ` ${file}`}`,
        MCP: `# The events of a gateway, by what they are about:\n${mcp('query', { MATCH_anyEPC: ['urn:epc:id:sscc:9521141.1234567890'] }, true)}`,
      };
    case 'item':
      return {
        npm: `import { follow } from 'epcis-edge/follow';\n${isXml ? "import { translate } from 'epcis-edge';\n" : ''}${read}\n${document}const { events, contents, things } = follow(document, { items: ${JSON.stringify(item)} });\nfor (const { eventTime, event, presences } of events) console.log(eventTime, event.bizStep, presences);\nconsole.log(contents, things);`,
        curl: `# The events of a gateway:\ncurl -s ${base}/follow \\\n  -H "Authorization: Bearer $KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({ items: [item] }).replaceAll("'", "'\\''")}'`,
        MCP: mcp('follow', { items: [item] }, true),
      };
    case 'hash':
      return {
        npm: `import { hash, preHash } from 'epcis-edge';\n${read}\nconst document = await readFile('${file}');\nfor (const uri of hash(document)) console.log(uri); // CBV2.0\nfor (const { preHash: text } of preHash(document, { profile: 'REF2025' })) console.log(text);`,
        curl: isXml
          ? `npx epcis-edge translate ${file} |\n  curl -s '${base}/hash?profile=CBV2.0&prehash=true' \\\n    -H 'Content-Type: application/json' --data-binary @-`
          : `curl -s '${base}/hash?profile=CBV2.0&prehash=true' \\\n  -H 'Content-Type: application/json' \\\n  --data-binary @${file}`,
        MCP: isXml
          ? `# A dry run of capture answers with the hashes; it takes JSON:\nnpx epcis-edge translate ${file} > document.json`
          : mcpWith('capture', 'document', true, { dryRun: true }),
      };
    case 'proof':
      return {
        npm: `import { verifyProof } from 'epcis-edge/proof';\n${read}\nconst [event, proof, policy] = await Promise.all([readFile('${file}'), readFile('event.tlog-proof', 'utf8'), readFile('trusted.policy', 'utf8')]);\nconst { valid, steps, loggedBefore } = verifyProof(event, proof, policy);\nconsole.log(valid, loggedBefore, steps);`,
        curl: `curl -s -G '${base}/log/proof' \\\n  -H "Authorization: Bearer $KEY" \\\n  --data-urlencode 'event=ni:///sha-256;…?ver=CBV2.0' -o event.tlog-proof\nnpx epcis-edge verify-proof ${file} event.tlog-proof --policy trusted.policy`,
        MCP: mcp('prove', { eventID: 'ni:///sha-256;…?ver=CBV2.0' }, true),
      };
    default:
      return {
        npm: isXml
          ? `import { translate } from 'epcis-edge';\n${read}\nconst { document, fidelityReport } = translate(await readFile('${file}'));\nconsole.log(fidelityReport.roundTripClean, fidelityReport.lossyPaths);`
          : `import { toXml } from 'epcis-edge';\n${read}\nconst { document, report } = toXml(await readFile('${file}'), { version: '${back}' });\nconsole.log(report.clean, report.lossyPointers);`,
        curl: isXml ? post('/translate') : `# Translating to XML is in the package:\nnpx epcis-edge to-xml --xml-version ${back} ${file}`,
        MCP: isXml
          ? mcpWith('translate', 'xml', false)
          : `# The tool translates XML to JSON-LD; translating to XML is in the package:\nnpx epcis-edge to-xml --xml-version ${back} ${file}`,
      };
  }
}

/** Builds the section. Returns `{show}`: `show(tab, state)` fills it. */
export function makeAsCode(room: HTMLElement): { show(tab: string, asked: Asked): void } {
  const panels = new Map(['npm', 'curl', 'MCP'].map((name) => [name, h('div', { id: `code-${name}` })]));
  const list = h('div', { class: 'tabs small', role: 'tablist', 'aria-label': 'Ways to call' });
  const tabs = makeTabs(
    list,
    [...panels.keys()].map((id) => ({ id, title: id })),
    { panelOf: (id) => panels.get(id)!, onChoose: () => undefined, prefix: 'way' },
  );
  tabs.choose('npm');
  room.append(list, ...panels.values());
  return {
    show(tab, state) {
      for (const [name, text] of Object.entries(calls(tab, state))) put(panels.get(name)!, codeBlock(text, `${name} call`));
    },
  };
}
