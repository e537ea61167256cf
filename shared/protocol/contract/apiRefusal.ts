/** The error that the JSON of a refusal stands for. */
import * as v from "valibot";
import { isCode, SvcError } from "../../base/svcError.ts";

/** Characters of a foreign text in an error. */
const SHOWN = 200;

const refusal = v.looseObject({ error: v.string(), code: v.optional(v.string(), "") });

/** Makes the error of a refusal whose code this program does not know. */
export type UnknownRefusal = (status: number, reason: string) => SvcError;

/**
 * Reads the JSON of an answer with a status other than 2xx: the server's own error, that of `unknown` for a code that this
 * program does not know, null for what is no error of an API (a proxy's page).
 */
export function apiRefusal(
  status: number,
  json: unknown,
  unknown: UnknownRefusal,
): SvcError | null {
  const read = v.safeParse(refusal, json);
  if (!read.success) return null;
  const { error, code, ...data } = read.output;
  if (isCode(code)) return SvcError.fromJson({ code, data });
  return unknown(status, error.slice(0, SHOWN));
}
