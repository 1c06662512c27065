// The language server asked by a real editor: Neovim.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-neovim-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('Neovim underlines, corrects, explains and outlines a document with astral characters and CRLF', () => {
  const nvim = execFileSync(here('../../scripts/neovim.sh'), { encoding: 'utf8' }).trim();
  const lines = [
    '{ "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", { "ex": "https://ex.example/" }],',
    '  "type": "ObjectEvent", "action": "OBSERVE", "eventTime": "2026-03-04T11:00:30Z", "eventTimeZoneOffset": "+00:00",',
    '  "ex:note": "😀 é 漢", "bizStep": "shiping",',
    '  "ex:more": "😀😀", "epcList": ["https://id.gs1.org/01/09521141001231/21/A1"] }',
  ];
  const file = join(folder, 'event.json');
  writeFileSync(file, `${lines.join('\r\n')}\r\n`);
  const result = join(folder, 'result.json');
  const { status, stderr } = spawnSync(nvim, ['--headless', '-n', '-u', 'NONE', '-i', 'NONE', file, '-c', `luafile ${here('lsp-neovim.lua')}`, '-c', 'cquit'], {
    encoding: 'utf8',
    timeout: 600_000,
    env: { ...process.env, NODE: process.execPath, CLI: here('../js/cli/cli.ts'), RESULT: result, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder },
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(readFileSync(result, 'utf8')), {
    diagnostics: [
      { code: 'anyOf', severity: 1, text: '"shiping"' },
      { code: 'identifiers/check-digit', severity: 1, text: '"https://id.gs1.org/01/09521141001231/21/A1"' },
    ],
    action: 'Change shiping to shipping',
    hover: '**shipping**\n\nstaging, loading and departing as one: objects leave for another place',
    symbols: ['Shipping'],
    lines: lines.map((line) => line.replace('shiping', 'shipping')),
  });
});
