/** The error that a refusal of the wallet daemon stands for. */
import * as v from "valibot";
import { isCode, SvcError } from "../../base/svcError.ts";

/** Characters of a foreign text in an error. */
const SHOWN = 200;

const refusal = v.looseObject({ error: v.string(), code: v.optional(v.string(), "") });

/**
 * Reads the JSON of an answer with a status other than 2xx: the daemon's own error, `api/refused` for a code that this program does
 * not know, null for what is no error of the API (a proxy's page).
 */
export function walletRefusal(status: number, json: unknown): SvcError | null {
  const read = v.safeParse(refusal, json);
  if (!read.success) return null;
  const { error, code, ...data } = read.output;
  if (isCode(code)) return SvcError.fromJson({ code, data });
  return new SvcError("api/refused", { status, reason: error.slice(0, SHOWN) });
}
