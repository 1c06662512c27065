// Firefox and WebKit for the tests, through their automation protocols.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.ts';
import { freePort } from '../../worker/tests/port.js';

/** Why the tests in these browsers are skipped; false if they run. */
export const isSkipped = isOn('EPCIS_EDGE_BROWSERS') ? false : 'EPCIS_EDGE_BROWSERS=1 tries Firefox and WebKit, too';

/** The paths that scripts/browsers.sh finds or installs: Firefox, WebKit's driver, WebKit, a virtual display. */
const programs = () =>
  execFileSync(fileURLToPath(new URL('../../scripts/browsers.sh', import.meta.url)), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    .trim()
    .split('\n');

/** Repeats `attempt` until it returns something, and returns that. */
export async function eventually(what, attempt, seconds = 300) {
  let last;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await setTimeout(200)) {
    try {
      const value = await attempt();
      if (value) return value;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`${what} never came`, { cause: last });
}

/** Firefox through WebDriver BiDi: `{open(url), run(expression), close()}`. */
async function firefox(program) {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'epcis-firefox-')), await freePort()];
  const process = spawn(program, ['--headless', '--no-remote', '--profile', folder, `--remote-debugging-port=${port}`], { stdio: 'ignore' });
  const socket = await eventually('Firefox', async () => {
    const one = new WebSocket(`ws://127.0.0.1:${port}/session`);
    await new Promise((resolve, reject) => {
      one.onopen = resolve;
      one.onerror = reject;
    });
    return one;
  });
  const waiting = new Map();
  socket.onmessage = ({ data }) => {
    const { id, result, message } = JSON.parse(data);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (result !== undefined) resolve?.(result);
    else reject?.(new Error(message));
  };
  let count = 0;
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set((count += 1), { resolve, reject });
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  await call('session.new', { capabilities: {} });
  const { context } = await call('browsingContext.create', { type: 'tab' });
  return {
    open: (url) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
    async run(expression) {
      const { result, exceptionDetails } = await call('script.evaluate', { expression, target: { context }, awaitPromise: true });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
    async close() {
      const ended = new Promise((resolve) => process.once('exit', resolve));
      process.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** WebKit through WebDriver on a separate display, with the same functions. */
async function webkit(driver, program, display) {
  const screen = `:${100 + (process.pid % 800)}`;
  const port = await freePort();
  const processes = [spawn(display, [screen, '-screen', '0', '1440x1000x24'], { stdio: 'ignore' })];
  // The socket of the display.
  await eventually('the display', () => existsSync(`/tmp/.X11-unix/X${screen.slice(1)}`));
  const env = { ...process.env, DISPLAY: screen, GDK_BACKEND: 'x11', WEBKIT_DISABLE_COMPOSITING_MODE: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
  processes.push(spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' }));
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary: program, args: ['--automation'] } } };
  const { sessionId } = await eventually('WebKit', () => call('POST', '/session', { capabilities }));
  const own = `/session/${sessionId}`;
  return {
    open: (url) => call('POST', `${own}/url`, { url }),
    run: (expression) => call('POST', `${own}/execute/sync`, { script: `return (${expression});`, args: [] }),
    async close() {
      await call('DELETE', own);
      for (const one of processes.reverse()) one.kill();
    },
  };
}

/** Makes a test of `tour` in Firefox and one in WebKit. The tour gets a browser: `{open(url), run(expression)}`. */
export function inOtherBrowsers(name, tour) {
  const browsers = { Firefox: ([program]) => firefox(program), WebKit: ([, ...parts]) => webkit(...parts) };
  for (const [title, start] of Object.entries(browsers))
    test(`${name} in ${title}`, { skip: isSkipped, timeout: 900_000 }, async () => {
      const browser = await start(programs());
      try {
        await tour(browser);
      } finally {
        await browser.close();
      }
    });
}
