// @ts-nocheck
// The errors of the client: one class for each kind, all derived from ClientError.

export class ClientError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The codes of errors before a connection was made. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** The error of a request without an answer. */
export class ConnectionError extends ClientError {
  constructor(message, options) {
    super(message, options);
    this.isUnsent = UNSENT.includes(options?.cause?.cause?.code ?? options?.cause?.code);
  }
}

/**
 * The error of an answer that cannot be used. `reason` is `too-long`, `endless` (pages that never end), `another-place` (a link to
 * another origin), `not-a-document` (neither a document nor an event nor a capture job), `unexpected` (a success that EPCIS 2.0 does not
 * give here), or `no-feed`.
 */
export class AnswerError extends ClientError {
  constructor(reason, message, options) {
    super(message, options);
    this.reason = reason;
  }
}

/** The error of a refusal by the server: its `status`, and its problem document if it sent one. */
export class RequestError extends ClientError {
  constructor(method, url, status, problem, retryAfter) {
    const said = [problem?.title, problem?.detail].filter((text) => typeof text === 'string').join(': ');
    super(`${method} ${url} was answered with ${status}${said ? `: ${said}` : ''}`);
    this.status = status;
    this.problem = typeof problem === 'object' && problem !== null && !Array.isArray(problem) ? problem : undefined;
    this.retryAfter = retryAfter;
  }
}

/** The error of a capture job that has ended without storing all events. */
export class CaptureError extends ClientError {
  constructor(job) {
    const [first] = job.errors;
    const said = [first?.title, first?.detail].filter((text) => typeof text === 'string').join(': ');
    super(`the capture job ${job.captureID} has failed${said ? `: ${said}` : ''}`);
    this.job = job;
    this.errors = job.errors;
  }
}

/** The error of a capture that may or may not have arrived. Sending it again might store events twice. */
export class OutcomeUnknownError extends ClientError {
  constructor(why, { cause, stored = [], missing = [] } = {}) {
    super(`it is not known whether the capture arrived: ${why}`, { cause });
    this.stored = stored;
    this.missing = missing;
  }
}
