// What the functions throw for documents that cannot be judged.

/** A refusal: `problem` is its problem document (RFC 7807); match on `problem.type`. */
export class EpcisError extends Error {
  constructor(message, problem) {
    super(message);
    this.name = 'EpcisError';
    this.problem = problem;
  }

  /** The engine throws plain errors with a `problem`; anything else is handed on as it is. */
  static of(error) {
    return error instanceof Error && !(error instanceof EpcisError) && error.problem !== undefined ? new EpcisError(error.message, error.problem) : error;
  }
}

/** What `call` gives, or throws, with refusals as {@link EpcisError}. */
export function refusing(call) {
  try {
    return call();
  } catch (error) {
    throw EpcisError.of(error);
  }
}
