// Calls of the engine whose refusal is an answer, not a failure.
import type { Problem } from '../js/engine/index.ts';

/** Why a document was refused: a problem of the engine, or one that the page has made. */
export interface Refused extends Partial<Omit<Problem, 'type' | 'detail' | 'location'>> {
  readonly type: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly location?: Problem['location'] | undefined;
  /** Whether it is no error of the document: it is of another kind. */
  readonly isOther?: boolean | undefined;
  readonly isTable?: boolean | undefined;
  /** Whether it is a message of the EPCIS interface, which is no error anywhere. */
  readonly isMessage?: boolean | undefined;
}

export type Attempt<Value> = { readonly value: Value; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: Refused };

/** Runs a call of the engine. Throws an error that is no refusal on. */
export function attempt<Value>(call: () => Value): Attempt<Value> {
  try {
    return { value: call() };
  } catch (error) {
    const { problem } = (error ?? {}) as { readonly problem?: Refused };
    if (problem === undefined) throw error;
    return { problem };
  }
}

/** Marks "No events" as not an error (`isOther`). */
export const calmed = (problem: Refused): Refused => ({ ...problem, isOther: problem.title === 'No events' });

/** The answer if an engine could not be loaded. `engine` is what the page calls it. */
export function notLoaded(error: unknown, engine: string): { readonly problem: Refused } {
  console.warn(error);
  return { problem: { type: 'about:blank', title: 'Not loaded', detail: `${engine} could not be loaded. Are you offline? Then try again later.` } };
}
