// The error of the functions for documents that cannot be processed.
import type * as Surface from './index.ts';

/** A refusal. `problem` is its problem document (RFC 7807); match on `problem.type`. */
export class EpcisError extends Error implements Surface.EpcisError {
  override readonly name: 'EpcisError';
  readonly problem: Surface.Problem;
  declare hint?: string;

  constructor(message: string, problem: Surface.Problem) {
    super(message);
    this.name = 'EpcisError';
    this.problem = problem;
  }

  /** Turns an error of the engine, a plain Error with a `problem`, into an EpcisError. Returns any other error unchanged. */
  static of(error: unknown): unknown {
    const isOfEngine = error instanceof Error && !(error instanceof EpcisError) && 'problem' in error && error.problem !== undefined;
    return isOfEngine ? new EpcisError(error.message, error.problem as Surface.Problem) : error;
  }
}

/** Returns the result of `call`. Refusals are thrown as {@link EpcisError}. */
export function refusing<Answer>(call: () => Answer): Answer {
  try {
    return call();
  } catch (error) {
    throw EpcisError.of(error);
  }
}
