// The progress bar of the document that the engine works on.

import type { StageMessage } from '../engine/engine.ts';

const WORDS: Readonly<Record<string, string>> = {
  verdict: 'Validating',
  events: 'Reading the events',
  hashes: 'Hashing',
  translation: 'Translating',
  places: 'Finding the places',
  checks: 'Checking',
};

const bar = () => document.getElementById('progress')!;

/** Shows the stage that has begun. The bar appears only after 250 ms. */
export function showProgress({ stage, index, of }: Pick<StageMessage, 'stage' | 'index' | 'of'>): void {
  const words = WORDS[stage] ?? '';
  const room = bar();
  room.setAttribute('aria-valuenow', String(index));
  room.setAttribute('aria-valuetext', words);
  document.getElementById('progress-bar')!.style.width = `${((index + 0.4) / of) * 100}%`;
  if (room.hidden && room.dataset.due === undefined) room.dataset.due = String(setTimeout(() => (room.hidden = false), 250));
  room.dataset.stage = words;
}

/** Hides the bar. */
export function endProgress(): void {
  const room = bar();
  clearTimeout(Number(room.dataset.due));
  delete room.dataset.due;
  room.hidden = true;
}
