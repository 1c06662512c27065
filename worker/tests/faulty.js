// The Worker over objects as deployed, except that calls of its objects have faults on demand.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callObject } from './gateway.js';
import { open } from './store.js';

const built = fileURLToPath(new URL('../build', import.meta.url));

/** Overrides the methods of the class. `faults` outlives its objects, because they end by some faults. */
const FAULTS = `
const faults = new Map();
class Faulty extends Account {
  fault(method, kinds) {
    faults.set(this.ctx.id.name + '.' + method, kinds);
  }
  async meet(method, call) {
    const key = this.ctx.id.name + '.' + method;
    const kind = faults.get(key)?.shift();
    const end = () => this.ctx.abort(key + ' is broken off');
    if (kind === 'lost') return undefined;
    if (kind === 'before') end();
    if (kind === 'overloaded') throw Object.assign(new Error('too many requests'), { overloaded: true });
    if (kind === 'late') await scheduler.wait(1500);
    if (kind === 'twice') await call();
    const answer = await call();
    if (kind === 'after') {
      await this.ctx.storage.sync();
      end();
    }
    return answer;
  }
  run(...all) { return this.meet('run', () => super.run(...all)); }
  append(...all) { return this.meet('append', () => super.append(...all)); }
  grew(...all) { return this.meet('grew', () => super.grew(...all)); }
  alarm(...all) { return this.meet('alarm', () => super.alarm(...all)); }
}
`;

/**
 * A gateway as `open` makes it. `fault(object, method, kinds)` says what the next calls of a method meet: `before`, the object ends first;
 * `after`, it ends when all is stored; `overloaded`; `late`, by a second and a half; `twice`; `lost`; `null`, nothing. `migration` has the
 * statements of one more migration.
 */
export async function openFaulty({ migration, ...options } = {}) {
  const build = mkdtempSync(join(tmpdir(), 'epcis-faulty-test-'));
  const original = readFileSync(join(built, 'objects.js'), 'utf8');
  const text = migration === undefined ? original : original.replace(/END[`"']\]\];/, (end) => `${end.slice(0, -2)},${JSON.stringify(migration)}];`);
  assert.equal(text === original, migration === undefined, 'the migrations are in the entry');
  const [exported, account, handlers] = /export\{(\w+) as Account,(\w+) as default\};?\s*$/.exec(text) ?? assert.fail('the entry has other exports');
  const own = FAULTS.replace('extends Account', `extends ${account}`);
  writeFileSync(join(build, 'objects.js'), `${text.slice(0, -exported.length)}${own}export { Faulty as Account, ${handlers} as default };\n`);
  copyFileSync(join(built, 'index_bg.wasm'), join(build, 'index_bg.wasm'));
  const store = await open({ ...options, store: 'objects', build });
  return {
    ...store,
    fault: (object, method, kinds) => callObject(store.gateway, object, 'fault', method, kinds),
    dispose: async () => {
      await store.dispose();
      rmSync(build, { recursive: true });
    },
  };
}
