/**
 * A non-blocking writer of log lines to a file descriptor: a reader that is slow or gone loses lines, and never holds the
 * program up.
 */
import { writeSync } from "node:fs";
import { PLATFORM_LIMITS } from "../platformLimits.ts";

/** Dependencies of a writer. */
export type LineWriterParts = {
  /** Writes some of the bytes and returns how many, or throws what the system says. */
  readonly write: (bytes: Uint8Array) => number;
  /** The line that says how many lines were lost, with its end. */
  readonly lostLine: (count: number) => string;
  /** Runs something a little later; the program may end before. */
  readonly later: (run: () => void) => void;
};

/** Text on its way, and how many lines are lost with it. */
type Chunk = { bytes: Uint8Array; readonly lines: number };

/** What the system says of a reader that is there and slow. */
const BUSY: ReadonlySet<string> = new Set(["EAGAIN", "EWOULDBLOCK", "EINTR"]);

/** Writes what the reader takes at once, and buffers up to `PLATFORM_LIMITS.logWaitingBytes` of the rest. */
export class LineWriter {
  readonly #parts: LineWriterParts;
  #waiting: Chunk[] = [];
  #waitingBytes = 0;
  /** Lines that nobody will read, and that no line has told of. */
  #lost = 0;
  /** The first of those waiting is the rest of one that was written in part. */
  #isBegun = false;
  /** What was written last has no end. */
  #isTorn = false;
  #isTimed = false;

  constructor(parts: LineWriterParts) {
    this.#parts = parts;
  }

  /** To a descriptor of this process. */
  static to(fd: number, lostLine: LineWriterParts["lostLine"]): LineWriter {
    return new LineWriter({
      write: (bytes) => writeSync(fd, bytes),
      lostLine,
      later: (run) => void setTimeout(run, PLATFORM_LIMITS.logRetryMs).unref(),
    });
  }

  /** Takes a line with its end. Never throws, never waits. */
  write(line: string): void {
    const told = this.#lost === 0 ? "" : this.#parts.lostLine(this.#lost);
    const isAfterTorn = this.#isTorn && this.#waiting.length === 0;
    const bytes = Buffer.from(`${isAfterTorn ? "\n" : ""}${told}${line}`);
    if (this.#waitingBytes + bytes.length > PLATFORM_LIMITS.logWaitingBytes) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push({ bytes, lines: this.#lost + 1 });
    this.#waitingBytes += bytes.length;
    this.#lost = 0;
    if (!this.#isTimed) this.flush();
  }

  /** Writes what the reader takes now. */
  flush(): void {
    try {
      for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
        this.#written(first, this.#parts.write(first.bytes));
      }
    } catch (cause) {
      if (isBusy(cause)) this.#tryLater();
      else this.#forget();
    }
  }

  #written(first: Chunk, count: number): void {
    if (count > 0) this.#isTorn = false;
    this.#waitingBytes -= count;
    this.#isBegun = count < first.bytes.length;
    if (this.#isBegun) first.bytes = first.bytes.subarray(count);
    else this.#waiting.shift();
  }

  #tryLater(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#parts.later(() => {
      this.#isTimed = false;
      this.flush();
    });
  }

  /** The reader is gone or the disk is full; the next line tries again. */
  #forget(): void {
    for (const { lines } of this.#waiting) this.#lost += lines;
    this.#isTorn ||= this.#isBegun;
    this.#isBegun = false;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && BUSY.has(String(cause.code));
}
