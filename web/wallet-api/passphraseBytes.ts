/** Normalisation of a typed passphrase to the bytes from which keys are derived (specification wallet 4.2). */
import { PAGE_LIMITS } from "../pageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** The bytes of a typed passphrase. Throws `wallet/weak-passphrase`. */
export function passphraseBytes(text: string): Uint8Array<ArrayBuffer> {
  const normal = text.normalize("NFKC");
  if ([...normal].length < PAGE_LIMITS.passphraseMinChars) {
    throw new SvcError("wallet/weak-passphrase", { min: PAGE_LIMITS.passphraseMinChars });
  }
  return new TextEncoder().encode(normal);
}
