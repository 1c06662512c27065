// Programs from PyPI for the tests, each in an environment of its own below target/.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Does `work` while no other process does: a file names the process whose turn it is. One that has ended leaves it to others. */
async function inTurn(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      // Throws if that process has ended.
      process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0);
      await setTimeout(200);
    } catch {
      rmSync(file, { force: true });
    }
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
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
    await inTurn(fileURLToPath(new URL(`../../target/${name}.lock`, import.meta.url)), async () => {
      if (existsSync(`${home}ready`)) return;
      await run('python3', ['-m', 'venv', '--clear', home]);
      await run(`${home}bin/python`, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted]);
      writeFileSync(`${home}ready`, '');
    });
    return `${home}bin/`;
  } catch (error) {
    if (process.env.EPCIS_EDGE_REQUIRE_PEERS === '1') throw error;
    t.skip(`${wanted} could not be installed: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

/** Python with the official client of the Model Context Protocol; undefined if the test is skipped. */
export async function python(t) {
  const programs = await installed(t, 'mcp==2.3.0', 'mcp-client');
  return programs && `${programs}python`;
}
