// The progress bar of the command line: on standard error, when that is a terminal, for what takes longer than a second.
const PATIENCE = 1000;
const INTERVAL = 100;
const WIDTH = 30;
/** What one call surely does in less than a second, in bytes; a call cannot be looked into while it runs. */
const QUICK = 16 * 1024 * 1024;

export class Progress {
  #file;
  #size;
  #done = 0;
  #started = performance.now();
  #drawn = 0;

  /** @param size how many bytes there are, if that is known */
  constructor(file, size) {
    this.#file = file;
    this.#size = size;
  }

  /** What is left when nobody looks at standard error. */
  static of(file, size) {
    return process.stderr.isTTY ? new Progress(file, size) : undefined;
  }

  /** Tells that one call is going to take all of the file. */
  whole() {
    if (this.#size > QUICK) this.#draw(performance.now());
  }

  /** A stream that hands on what goes through it, and counts it. */
  counting() {
    return new TransformStream({
      transform: (chunk, controller) => {
        this.#done += chunk.length;
        const now = performance.now();
        if (now - this.#started > PATIENCE && now - this.#drawn > INTERVAL) this.#draw(now);
        controller.enqueue(chunk);
      },
    });
  }

  #draw(now) {
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

  /** Takes the bar away. */
  end() {
    if (this.#drawn > 0) process.stderr.write('\r\x1b[K');
  }
}
