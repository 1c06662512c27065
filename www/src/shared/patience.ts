// How long a request may take, its body included.

/**
 * Runs `work` with a signal that is aborted after some milliseconds, or with `signal`.
 *
 * @throws {Error} that says so if the time is over; otherwise what `work` throws
 */
export async function within<Answer>(milliseconds: number, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const own = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    own.abort();
  }, milliseconds);
  const end = () => own.abort();
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  try {
    return await work(own.signal);
  } catch (error) {
    if (isLate) throw new Error(`no complete answer within ${milliseconds / 1000} seconds`);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
