// The report of a check, with columns in characters, as people and tools that show lines count them.
import type { CheckFinding, CheckOptions, CheckReport } from '../check/index.ts';
import { check } from '../check/node.ts';
import type { Place } from '../engine/index.ts';
import { inCharacters } from './places.ts';

export function checkPlaced(bytes: Uint8Array, how: CheckOptions): CheckReport {
  const report = check(bytes, how);
  const { findings } = report;
  const places = inCharacters<Place>([...findings, ...findings.flatMap(({ related }) => related ?? [])], [bytes]);
  let next = findings.length;
  const placed = findings.map((finding, at): CheckFinding => {
    const own = { ...finding, ...places[at] };
    if (finding.related === undefined) return own;
    next += 1;
    return { ...own, related: places[next - 1] ?? finding.related };
  });
  return { ...report, findings: placed };
}
