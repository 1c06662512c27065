// The figures of a server for Prometheus.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Waits until each figure of the dashboard is there that should be. Returns all figures. */
export async function figures(address, should = () => true) {
  const dashboard = readFileSync(new URL('../grafana.json', import.meta.url), 'utf8');
  const wanted = [...new Set(dashboard.match(/epcis_edge_[a-z_]+/g))].filter(should);
  assert.ok(wanted.length >= 8);
  for (let n = 0; ; n += 1) {
    const text = await (await fetch(`http://${address}/metrics`)).text();
    const missing = wanted.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text));
    if (missing.length === 0) return text;
    assert.ok(n < 150, `${missing} not in\n${text}`);
    await setTimeout(100);
  }
}
