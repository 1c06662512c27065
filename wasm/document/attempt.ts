// @ts-nocheck
// Calls of the engine whose refusal is an answer, not a failure.

/** Runs a call of the engine. Returns `{value}`, or `{problem}` if the engine refused; throws any other error on. */
export function attempt(call) {
  try {
    return { value: call() };
  } catch (error) {
    if (error?.problem === undefined) throw error;
    return { problem: error.problem };
  }
}

/** Marks "No events" as not an error (`isOther`). */
export const calmed = (problem) => ({ ...problem, isOther: problem.title === 'No events' });

/** The answer if an engine could not be loaded. `engine` is what the page calls it. */
export function notLoaded(error, engine) {
  console.warn(error);
  return { problem: { type: 'about:blank', title: 'Not loaded', detail: `${engine} could not be loaded. Are you offline? Then try again later.` } };
}
