/** JSON with exact numbers: older answers have amounts as numbers, which may exceed what a number holds. */
import { SvcError } from "../../base/svcError.ts";
import { SIGNER_LIMITS } from "../signerLimits.ts";

/**
 * Texts, which are left as they are, and whole numbers of 16 digits and more outside of them. A text that does not end is one
 * token too, so that each byte is looked at once.
 */
const TOKENS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;

/** Parses JSON; a whole number of 16 digits and more becomes text. Throws `signer/bad-prepared`. */
export function parseExactJson(text: string): unknown {
  if (text.length > SIGNER_LIMITS.preparedTextChars) throw malformed("text too long");
  const exact = text.replaceAll(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`));
  try {
    return JSON.parse(exact);
  } catch {
    throw malformed("not JSON");
  }
}

function malformed(reason: string): SvcError {
  return new SvcError("signer/bad-prepared", { reason });
}
