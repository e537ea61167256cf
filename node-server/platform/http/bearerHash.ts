/** The hash of a bearer token, by which a server knows who shows it. The token itself is not kept. */
import { createHash, timingSafeEqual } from "node:crypto";

/** Knows one token. */
export class BearerHash {
  readonly #hash: Uint8Array;

  /** `token`: its bytes, which are only looked at. */
  constructor(token: Uint8Array) {
    this.#hash = sha256(token);
  }

  /** Whether a header `Authorization` shows it. Takes as long for a nearly right token as for a wrong one. */
  isIn(header: string | undefined): boolean {
    const [, sent = ""] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
    return timingSafeEqual(sha256(Buffer.from(sent)), this.#hash);
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
