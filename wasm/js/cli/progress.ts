// The progress bar of the command line: on standard error, if that is a terminal, for work that takes longer than a second.
import { harmless } from './harmless.ts';

const PATIENCE = 1000;
const INTERVAL = 100;
const WIDTH = 30;
/** The size that one call surely processes in less than a second, in bytes. */
export const QUICK = 16 * 1024 * 1024;

export class Progress {
  readonly #file: string;
  readonly #size: number | undefined;
  #done = 0;
  readonly #started = performance.now();
  #drawn = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param size the number of bytes, if known */
  constructor(file: string, size: number | undefined) {
    this.#file = harmless(file);
    this.#size = size;
  }

  /** A progress bar; undefined if standard error is not a terminal, or with `--quiet`. */
  static of(file: string, size: number | undefined, isQuiet: boolean | undefined): Progress | undefined {
    return process.stderr.isTTY && !isQuiet ? new Progress(file, size) : undefined;
  }

  /** Waits for work whose progress is unknown, and shows a moving block meanwhile. */
  async during<Answer>(work: Promise<Answer>): Promise<Answer> {
    this.#timer = setInterval(() => {
      const now = performance.now();
      if (now - this.#started > PATIENCE) this.#move(now);
    }, INTERVAL);
    try {
      return await work;
    } finally {
      clearInterval(this.#timer);
    }
  }

  /** A transform stream that passes chunks through and counts their bytes. */
  counting(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    return new TransformStream({
      transform: (chunk, controller) => {
        this.reached(this.#done + chunk.length);
        controller.enqueue(chunk);
      },
    });
  }

  /** Reports the number of bytes done. */
  reached(done: number): void {
    this.#done = done;
    const now = performance.now();
    if (now - this.#started > PATIENCE && now - this.#drawn > INTERVAL) this.#draw(now);
  }

  #draw(now: number): void {
    this.#drawn = now;
    const megabytes = `${(this.#done / 1e6).toFixed(0)} MB`;
    if (this.#size === undefined) {
      process.stderr.write(`\r${this.#file}: ${megabytes}\x1b[K`);
      return;
    }
    const share = Math.min(this.#done / this.#size, 1);
    const filled = Math.round(share * WIDTH);
    const bar = '#'.repeat(filled) + '.'.repeat(WIDTH - filled);
    const of = `${(this.#size / 1e6).toFixed(0)} MB`;
    process.stderr.write(`\r[${bar}] ${String(Math.floor(share * 100)).padStart(3)} % of ${of}, ${this.#file}\x1b[K`);
  }

  /** Draws a block that moves to and fro, and the seconds. */
  #move(now: number): void {
    this.#drawn = now;
    const seconds = Math.floor((now - this.#started) / 1000);
    const room = WIDTH - 4;
    const step = Math.floor((now - this.#started) / INTERVAL) % (2 * room);
    const at = step < room ? step : 2 * room - step;
    const of = this.#size === undefined ? '' : ` for ${(this.#size / 1e6).toFixed(0)} MB`;
    process.stderr.write(`\r[${'.'.repeat(at)}####${'.'.repeat(room - at)}] ${seconds} s${of}, ${this.#file}\x1b[K`);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#drawn > 0) process.stderr.write('\r\x1b[K');
    this.#drawn = 0;
  }
}
