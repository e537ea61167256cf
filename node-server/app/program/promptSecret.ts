/** Asks for a secret at a terminal, which shows nothing of what is typed. */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { guarded } from "../../platform/net/guarded.ts";
import { WALLETD_LIMITS } from "../../walletd/walletdLimits.ts";

/** The part of standard input that is a terminal. */
export type TerminalInput = {
  readonly setRawMode: (on: boolean) => unknown;
  readonly resume: () => unknown;
  readonly pause: () => unknown;
  readonly on: (event: "data", listener: (chunk: Uint8Array) => void) => unknown;
  readonly off: (event: "data", listener: (chunk: Uint8Array) => void) => unknown;
};

/** A terminal: what is typed there, and where questions are written, which is never standard output. */
export type Terminal = {
  readonly input: TerminalInput;
  readonly write: (text: string) => void;
};

/** Asks a question; rejects with `run/aborted`, and `node/bad-option` for an empty or an endless answer. */
export type AskSecret = (question: string) => Promise<Secret>;

/** The terminal of this process; null when standard input is none. */
export function systemTerminal(): Terminal | null {
  const { stdin } = process;
  if (!stdin.isTTY) return null;
  return { input: stdin, write: (text) => void process.stderr.write(text) };
}

const [ENTER, NEW_LINE, CTRL_C, CTRL_D, BACKSPACE, DELETE] = [0x0d, 0x0a, 0x03, 0x04, 0x08, 0x7f];
const FIRST_PRINTABLE = 0x20;

/** Reads one line from the terminal without an echo. */
export async function promptSecret(
  { input, write }: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<Secret> {
  throwIfAborted(signal);
  const line = new TypedLine();
  write(`${question}: `);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(new SvcError("run/aborted", {}));
  const hear = guarded((chunk: Uint8Array) => {
    const end = line.type(chunk);
    chunk.fill(0);
    if (end === "cancelled") abort();
    else if (end === "done") resolve();
  }, reject);
  signal.addEventListener("abort", abort, { once: true });
  input.setRawMode(true);
  input.on("data", hear);
  input.resume();
  try {
    await promise;
    return line.take(question);
  } finally {
    input.off("data", hear);
    input.setRawMode(false);
    input.pause();
    signal.removeEventListener("abort", abort);
    line.erase();
    write("\n");
  }
}

/** What was typed so far. */
class TypedLine {
  /** One byte more than may be tells an answer that is too long. */
  readonly #bytes = new Uint8Array(WALLETD_LIMITS.secretFileBytes + 1);
  #length = 0;

  /** Takes what was typed until the line ends; what follows is lost. */
  type(chunk: Uint8Array): "more" | "done" | "cancelled" {
    for (const byte of chunk) {
      if (byte === CTRL_C) return "cancelled";
      if (byte === ENTER || byte === NEW_LINE || byte === CTRL_D) return "done";
      if (byte === BACKSPACE || byte === DELETE) this.#dropCharacter();
      else if (byte >= FIRST_PRINTABLE && this.#length < this.#bytes.length) {
        this.#bytes[this.#length] = byte;
        this.#length += 1;
      }
    }
    return "more";
  }

  /** Throws `node/bad-option` for an answer that is empty or too long. */
  take(question: string): Secret {
    const most = WALLETD_LIMITS.secretFileBytes;
    if (this.#length > most) throw badAnswer(question, `it has more than ${most} bytes`);
    if (this.#length === 0) throw badAnswer(question, "it is empty");
    return new Secret(this.#bytes.slice(0, this.#length));
  }

  erase(): void {
    this.#bytes.fill(0);
  }

  /** A character of several bytes goes as a whole. */
  #dropCharacter(): void {
    let byte: number;
    do {
      if (this.#length === 0) return;
      this.#length -= 1;
      byte = this.#bytes[this.#length] ?? 0;
    } while ((byte & 0xc0) === 0x80);
  }
}

/** Asks twice. Rejects with `node/bad-option` when the answers differ. */
export async function askTwice(ask: AskSecret, question: string): Promise<Secret> {
  const first = await ask(question);
  using second = await ask(`${question}, once more`);
  const isSame = first.reveal((a) => second.reveal((b) => Buffer.compare(a, b) === 0));
  if (isSame) return first;
  first.erase();
  throw badAnswer(question, "the two entries differ");
}

function badAnswer(question: string, reason: string): SvcError {
  return new SvcError("node/bad-option", { option: question, reason });
}
