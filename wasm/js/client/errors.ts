// The errors of the client: one class for each kind, all derived from ClientError.
import type { Problem } from '../engine/index.ts';
import type * as Surface from './index.ts';

export class ClientError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The codes of errors before a connection was made. */
const UNSENT: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** The error of a request without an answer. */
export class ConnectionError extends ClientError implements Surface.ConnectionError {
  readonly isUnsent: boolean;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const cause = options?.cause as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } | null } | null | undefined;
    this.isUnsent = UNSENT.includes(cause?.cause?.code ?? cause?.code);
  }
}

/** The error of an answer that cannot be used. */
export class AnswerError extends ClientError implements Surface.AnswerError {
  readonly reason: Surface.AnswerError['reason'];

  constructor(reason: Surface.AnswerError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The title and the detail of a problem document, which may be anything. */
const saidBy = (problem: unknown): string => {
  const { title, detail } = (problem ?? {}) as { readonly title?: unknown; readonly detail?: unknown };
  return [title, detail].filter((text) => typeof text === 'string').join(': ');
};

/** The error of a refusal by the server. */
export class RequestError extends ClientError implements Surface.RequestError {
  readonly status: number;
  readonly problem: Partial<Problem> | undefined;
  readonly retryAfter: number | undefined;

  constructor(method: string, url: string, status: number, problem: unknown, retryAfter: number | undefined) {
    const said = saidBy(problem);
    super(`${method} ${url} was answered with ${status}${said ? `: ${said}` : ''}`);
    this.status = status;
    this.problem = typeof problem === 'object' && problem !== null && !Array.isArray(problem) ? (problem as Partial<Problem>) : undefined;
    this.retryAfter = retryAfter;
  }
}

/** The error of a capture job that has ended without storing all events. */
export class CaptureError extends ClientError implements Surface.CaptureError {
  readonly job: Surface.CaptureJob;
  readonly errors: readonly Partial<Problem>[];

  constructor(job: Surface.CaptureJob) {
    const said = saidBy(job.errors[0]);
    super(`the capture job ${job.captureID} has failed${said ? `: ${said}` : ''}`);
    this.job = job;
    this.errors = job.errors;
  }
}

/** The error of a capture that may or may not have arrived. Sending it again might store events twice. */
export class OutcomeUnknownError extends ClientError implements Surface.OutcomeUnknownError {
  readonly stored: readonly string[];
  readonly missing: readonly string[];

  constructor(why: string, { cause, stored = [], missing = [] }: { cause?: unknown; stored?: readonly string[]; missing?: readonly string[] } = {}) {
    super(`it is not known whether the capture arrived: ${why}`, { cause });
    this.stored = stored;
    this.missing = missing;
  }
}
