// The marks in the text of the editor: errors, and losses while the Translate tab is chosen.

import type { Parts } from '../page/state.ts';

/** A mark in the text. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

/** The marks `[{from, to, severity, message}]` of the answers; undefined until their places are known. */
export function marksOf({ verdict, translation, places }: Parts, tab: string): Mark[] | undefined {
  if (places === undefined || verdict === undefined) return undefined;
  const { problem, errors, repeated = [] } = verdict;
  const faults: readonly { readonly message?: string; readonly detail?: string | undefined; readonly title?: string }[] =
    problem === undefined ? [...errors, ...repeated] : [problem];
  const marks = faults.flatMap((fault, index): Mark[] => {
    const place = places.errors[index];
    return place === undefined
      ? []
      : [
          {
            ...place,
            severity: problem !== undefined || index < errors.length ? 'error' : 'warning',
            message: (fault.message ?? fault.detail ?? fault.title ?? '').replaceAll('`', '\u2009'),
          },
        ];
  });
  if (tab === 'translate') {
    for (const [index, note] of (translation?.problem === undefined ? (translation?.report.notes ?? []) : []).entries()) {
      const place = places.notes[index];
      if (place !== undefined)
        marks.push({ ...place, severity: note.isLoss ? 'warning' : 'info', message: `${note.isLoss ? 'Lost in a round trip: ' : ''}${note.text}` });
    }
  }
  return marks.map(({ from, to, severity, message }) => ({ from, to, severity, message }));
}
