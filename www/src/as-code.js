// The same call as code.
import { h, put } from './dom.js';
import { codeBlock } from './parts.js';
import { makeTabs } from './tabs.js';

const rpc = (name, args) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

/** The three ways of a call; `file` is the document's name, `base` the gateway's address. */
function calls(tab, { format, back, base, file }) {
  const isXml = format === 'xml';
  const media = isXml ? 'application/xml' : 'application/json';
  const post = (path, type = media) => `curl -s ${base}${path} \\\n  -H 'Content-Type: ${type}' \\\n  --data-binary @${file}`;
  const mcp = (name, args, key) =>
    `curl -s ${base}/mcp \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream' \\\n${key ? "  -H 'Authorization: Bearer <capture key>' \\\n" : ''}  -d '${rpc(name, args)}'`;
  const read = "import { readFile } from 'node:fs/promises';\n";
  const translated = isXml ? `const { document } = translate(await readFile('${file}'));\n` : `const document = await readFile('${file}');\n`;
  const names = (name) => (isXml ? `${name}, translate` : name);
  switch (tab) {
    case 'validate':
      return {
        npm: isXml
          ? `import { translate } from 'epcis-edge';\n${read}\n// Throws when the official schema does not accept what the document says.\nconst { document, fidelityReport } = translate(await readFile('${file}'));`
          : `import { validate } from 'epcis-edge';\n${read}\nconst { valid, errors } = validate(await readFile('${file}'));\nfor (const { path, message } of errors) console.log(path, message);`,
        curl: post(isXml ? '/translate' : '/validate'),
        MCP: isXml ? mcp('translate', { xml: '<epcis:EPCISDocument …>' }) : mcp('capture', { document: { type: 'EPCISDocument' }, dryRun: true }, true),
      };
    case 'events':
      return {
        npm: `import { ${names('verify')} } from 'epcis-edge';\n${read}\n${translated}// One entry an event: is its eventID the hash of what it says, and by which profile?\nconsole.log(verify(document));`,
        curl: `curl -s '${base}/events?kind=TransformationEvent'`,
        MCP: mcp('trace', { epc: 'https://id.gs1.org/00/095211410000000175' }, true),
      };
    case 'hash':
      return {
        npm: `import { ${names('hash, preHash')} } from 'epcis-edge';\n${read}\n${translated}const [uri] = hash(document); // CBV2.0\nconst [why] = preHash(document, { profile: 'REF2025' });\nconsole.log(uri, why.preHash);`,
        curl: isXml
          ? `npx epcis-edge translate ${file} |\n  curl -s '${base}/hash?prehash=true' \\\n    -H 'Content-Type: application/json' --data-binary @-`
          : `curl -s '${base}/hash?profile=CBV2.0&prehash=true' \\\n  -H 'Content-Type: application/json' \\\n  --data-binary @${file}`,
        MCP: mcp('capture', { document: { type: 'EPCISDocument' }, dryRun: true }, true),
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
        curl: isXml ? post('/translate') : `# The way back is in the package:\nnpx epcis-edge to-xml --xml-version ${back} ${file}`,
        MCP: isXml
          ? mcp('translate', { xml: '<epcis:EPCISDocument …>' })
          : `# The tool translates XML to JSON-LD; the way back is in the package:\nnpx epcis-edge to-xml --xml-version ${back} ${file}`,
      };
  }
}

/** Builds the section; `show(tab, state)` fills it. */
export function makeAsCode(room) {
  const panels = new Map(['npm', 'curl', 'MCP'].map((name) => [name, h('div', { id: `code-${name}` })]));
  const list = h('div', { class: 'tabs small', role: 'tablist', 'aria-label': 'Ways to call' });
  const tabs = makeTabs(
    list,
    [...panels.keys()].map((id) => ({ id, title: id })),
    { panelOf: (id) => panels.get(id), onChoose: () => undefined, prefix: 'way' },
  );
  tabs.choose('npm');
  room.append(
    h(
      'section',
      { class: 'as-code', 'aria-labelledby': 'as-code-title' },
      h('div', { class: 'sheet-head' }, h('h2', { class: 'caption', id: 'as-code-title' }, 'The same as code'), list),
      [...panels.values()],
    ),
  );
  return {
    show(tab, state) {
      for (const [name, text] of Object.entries(calls(tab, state))) put(panels.get(name), codeBlock(text, `${name} call`));
    },
  };
}
