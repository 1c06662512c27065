// The progress bar of the document that the engine works on.

const WORDS = {
  verdict: 'Validating',
  events: 'Reading the events',
  hashes: 'Hashing',
  translation: 'Translating',
  places: 'Finding the places',
  checks: 'Checking',
};

const bar = () => document.getElementById('progress');

/** Shows the stage that has begun. The bar appears only after 250 ms. */
export function showProgress({ stage, index, of }) {
  const room = bar();
  room.setAttribute('aria-valuenow', String(index));
  room.setAttribute('aria-valuetext', WORDS[stage]);
  document.getElementById('progress-bar').style.width = `${((index + 0.4) / of) * 100}%`;
  if (room.hidden && room.dataset.due === undefined) room.dataset.due = String(setTimeout(() => (room.hidden = false), 250));
  room.dataset.stage = WORDS[stage];
}

/** Hides the bar. */
export function endProgress() {
  const room = bar();
  clearTimeout(Number(room.dataset.due));
  delete room.dataset.due;
  room.hidden = true;
}
