// Programs from PyPI for the tests, each in an environment of its own below target/.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isOn } from '../../scripts/given.ts';
import { claim } from '../../scripts/state.ts';

const run = promisify(execFile);

/** Does `work` while no other process has this folder. */
async function inTurn(folder, work) {
  mkdirSync(folder, { recursive: true });
  let release = await claim(folder);
  for (; release === undefined; release = await claim(folder)) await setTimeout(200);
  try {
    await work();
  } finally {
    release();
  }
}

/**
 * The folder of programs of an environment with a package. If it cannot be installed the test is skipped, unless EPCIS_EDGE_REQUIRE_PEERS
 * is 1.
 *
 * @param t the context of the test
 * @param wanted the package with its version, such as `mcp==2.3.0`
 * @param name the folder below target/
 */
export async function installed(t, wanted, name) {
  const home = fileURLToPath(new URL(`../../target/${name}/`, import.meta.url));
  try {
    // Several test files use one environment.
    await inTurn(fileURLToPath(new URL(`../../target/${name}.turn/`, import.meta.url)), async () => {
      if (existsSync(`${home}ready`)) return;
      await run('python3', ['-m', 'venv', '--clear', home]);
      await run(`${home}bin/python`, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted]);
      writeFileSync(`${home}ready`, '');
    });
    return `${home}bin/`;
  } catch (error) {
    if (isOn('EPCIS_EDGE_REQUIRE_PEERS')) throw error;
    t.skip(`${wanted} could not be installed: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

/** Python with the official client of the Model Context Protocol; undefined if the test is skipped. */
export async function python(t) {
  const programs = await installed(t, 'mcp==2.3.0', 'mcp-client');
  return programs && `${programs}python`;
}
