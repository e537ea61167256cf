/**
 * A holder of secret bytes that cannot be printed by accident and can be erased.
 *
 * Template strings, JSON, structured logging and Node's inspector all show `[secret]`.
 */
import { SvcError } from "./svcError.ts";

const SHOWN = "[secret]";

/** Holds the only copy of some secret bytes. */
export class Secret {
  #bytes: Uint8Array | undefined;

  /** Takes ownership: the caller must not use or keep `bytes` afterwards. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Lends the bytes to `use` for the length of the call. Throws `internal/erased-secret`. */
  reveal<T>(use: (bytes: Uint8Array) => T): T {
    if (this.#bytes === undefined) throw new SvcError("internal/erased-secret", {});
    return use(this.#bytes);
  }

  /** True once the bytes are gone. */
  get erased(): boolean {
    return this.#bytes === undefined;
  }

  /** Overwrites the bytes with zeros and forgets them. Harmless when repeated. */
  erase(): void {
    this.#bytes?.fill(0);
    this.#bytes = undefined;
  }

  /** `using secret = …` erases at the end of the block. */
  [Symbol.dispose](): void {
    this.erase();
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  /** What Node's inspector and logger print. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return SHOWN;
  }
}
