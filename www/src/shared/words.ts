// Numbers, sizes and durations as the page shows them, with the words that it shares with the language server.
export * from '../../../wasm/document/words.ts';

/** A duration in its largest unit. */
export function span(milliseconds: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ];
  const [name, size] = units.find(([, unit]) => milliseconds >= unit) ?? ['second', 1000];
  const count = Math.round(milliseconds / size);
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`;
}

/** A size in bytes as text. */
export const sizeText = (bytes: number): string =>
  bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
/** `1 event`, `2 events`, `3 losses`. */
export const count = (number: number, noun: string): string => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : /(s|x)$/.test(noun) ? 'es' : 's'}`;
/** The number of events, and of other entries among them. */
export const eventsText = (events: number, others: number): string =>
  others === 0 ? count(events, 'event') : `${count(events, 'event')} and ${others.toLocaleString('en')} other ${others === 1 ? 'entry' : 'entries'}`;
