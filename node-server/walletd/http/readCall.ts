/** Reads the parts of a request: JSON body, query, path, idempotency key. */
import type { Context } from "hono";
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { parseExactJson } from "@svc/shared/protocol/contract/numberText.ts";
import { walletFault } from "@svc/shared/protocol/wallet/walletFault.ts";
import { bodyAtMost } from "../../platform/http/bodyAtMost.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** Header of the key that makes a repeated payment the same payment. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";
const KEY_FORM = new RegExp(`^[\\x21-\\x7e]{1,${PROTOCOL_LIMITS.idempotencyKeyChars}}$`);
const JSON_TYPE = /^application\/json *(?:;|$)/i;
/** Characters of a foreign header in an error. */
const SHOWN = 80;

/** The key of the request, null when there is none. Throws `api/bad-field`. */
export function idempotencyKeyOf(c: Context): string | null {
  const key = c.req.header(IDEMPOTENCY_HEADER);
  if (key === undefined || KEY_FORM.test(key)) return key ?? null;
  const expected = "1 to 255 visible ASCII characters";
  throw new SvcError("api/bad-field", { field: IDEMPOTENCY_HEADER, expected });
}

/** Bytes of the body for which room is needed: what the request says, or the most; 0 without a body. */
export function bodyBytes(c: Context): number {
  const length = c.req.header("content-length");
  if (length !== undefined) return Math.min(Number(length), WALLETD_LIMITS.httpBodyBytes);
  return c.req.header("transfer-encoding") === undefined ? 0 : WALLETD_LIMITS.httpBodyBytes;
}

/**
 * The JSON of the body; undefined without a body. A page of another origin cannot send this type without asking first.
 * Throws `api/not-json`, `http/body-too-large`, `codec/bad-utf8`, `codec/bad-json`, `run/aborted`.
 */
export async function jsonBody(c: Context): Promise<unknown> {
  if (bodyBytes(c) === 0) return undefined;
  const type = c.req.header("content-type") ?? "no type";
  if (!JSON_TYPE.test(type)) throw new SvcError("api/not-json", { found: type.slice(0, SHOWN) });
  return parseExactJson(utf8(await bodyAtMost(c, WALLETD_LIMITS.httpBodyBytes)));
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SvcError("codec/bad-utf8", {}, error);
  }
}

/** Reads a part by its schema. Throws the error that names the field (`walletFault`). */
export function readPart<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  whole: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw walletFault(result.issues, whole);
}
