// @ts-nocheck
// The error of the functions for documents that cannot be processed.

/** A refusal. `problem` is its problem document (RFC 7807); match on `problem.type`. */
export class EpcisError extends Error {
  constructor(message, problem) {
    super(message);
    this.name = 'EpcisError';
    this.problem = problem;
  }

  /** Turns an error of the engine, a plain Error with a `problem`, into an EpcisError. Returns any other error unchanged. */
  static of(error) {
    return error instanceof Error && !(error instanceof EpcisError) && error.problem !== undefined ? new EpcisError(error.message, error.problem) : error;
  }
}

/** Returns the result of `call`. Refusals are thrown as {@link EpcisError}. */
export function refusing(call) {
  try {
    return call();
  } catch (error) {
    throw EpcisError.of(error);
  }
}
