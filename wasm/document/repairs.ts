// Corrections that the engine makes in the text itself: characters that only look right, and the zone that a time lacks.

import type { Repair, RepairOptions } from '../js/check/index.ts';
import type { Fix } from './fixes.ts';
import type { Range } from './text-lines.ts';

/** The function `repair` of `epcis-edge/check`, or one that loads its engine first. It gives nothing if that cannot be loaded. */
export type Repairing = (text: string, options?: RepairOptions) => Repair | undefined | Promise<Repair | undefined>;

const CHARACTERS = 'characters that only look right';

/** The correction of a text that only looks like JSON or XML: one for all of it, `[]` if there is none. */
export async function charactersOf(text: string, repair: Repairing): Promise<Fix[]> {
  const { text: insert = text, count = 0, changes = [] } = (await repair(text)) ?? {};
  if (count === 0) return [];
  // Beyond those that are listed, the whole text is replaced.
  const edits = changes.length < count ? [{ from: 0, to: text.length, insert }] : changes.map(({ from, to, written }) => ({ from, to, insert: written }));
  const says = count === 1 ? 'Correct the character that only looks right' : `Correct ${count.toLocaleString('en')} places with ${CHARACTERS}`;
  return [{ error: 0, from: CHARACTERS, to: 'ASCII', kind: 'characters', says, edits }];
}

/** The corrections of the errors `zoneless`, numbers into `places`: those of times whose event has an offset. They are guesses. */
export async function zonesOf(text: string, repair: Repairing, zoneless: readonly number[], places: readonly (Range | undefined)[]): Promise<Fix[]> {
  const { changes } = (await repair(text, { zone: 'from-offset' })) ?? { changes: [] };
  const zones = changes.filter(({ reason }) => reason === 'no-zone');
  return zoneless.flatMap((error) => {
    const place = places[error];
    const zone = place && zones.find(({ from }) => from >= place.from && from <= place.to);
    if (zone === undefined) return [];
    const { from, to, written } = zone;
    const own = {
      from: '',
      to: written,
      kind: 'zone',
      says: `Add ${written}, the offset of its event`,
      saysAll: 'Add the offsets of their events to all times without a zone',
    };
    return [{ error, ...own, isGuess: true, edits: [{ from, to, insert: written }] }];
  });
}
