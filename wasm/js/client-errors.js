// What the client throws: one class a kind of trouble, all of them ClientErrors.

export class ClientError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Faults of a connection that was never made. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** No answer came, or none that can be read. */
export class ConnectionError extends ClientError {
  constructor(message, options) {
    super(message, options);
    this.isUnsent = UNSENT.includes(options?.cause?.cause?.code ?? options?.cause?.code);
  }
}

/**
 * An answer that cannot be used. `reason` is `too-long`, `endless` (pages that never end), `another-place` (a link to another
 * origin), `not-a-document` (nor an event, nor a capture job), `unexpected` (a success of something else than was asked for), or
 * `no-feed`.
 */
export class AnswerError extends ClientError {
  constructor(reason, message, options) {
    super(message, options);
    this.reason = reason;
  }
}

/** The server has refused: `status`, and its problem document where it sent one. */
export class RequestError extends ClientError {
  constructor(method, url, status, problem, retryAfter) {
    const said = [problem?.title, problem?.detail].filter((text) => typeof text === 'string').join(': ');
    super(`${method} ${url} was answered with ${status}${said ? `: ${said}` : ''}`);
    this.status = status;
    this.problem = typeof problem === 'object' && problem !== null && !Array.isArray(problem) ? problem : undefined;
    this.retryAfter = retryAfter;
  }
}

/** The capture job is over, and not all events were stored. */
export class CaptureError extends ClientError {
  constructor(job) {
    const [first] = job.errors;
    const said = [first?.title, first?.detail].filter((text) => typeof text === 'string').join(': ');
    super(`the capture job ${job.captureID} has failed${said ? `: ${said}` : ''}`);
    this.job = job;
    this.errors = job.errors;
  }
}

/** Whether a capture arrived is not known, and sending again might store events twice. */
export class OutcomeUnknownError extends ClientError {
  constructor(why, { cause, stored = [], missing = [] } = {}) {
    super(`whether the capture arrived is not known: ${why}`, { cause });
    this.stored = stored;
    this.missing = missing;
  }
}
