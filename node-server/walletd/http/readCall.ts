/** Reads the parts of a request: JSON body, query, path, idempotency key. */
import type { Context } from "hono";
import type * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import {
  jsonOfBytes,
  readPart as readPartOf,
  requireJsonType,
} from "@svc/shared/protocol/contract/requestParts.ts";
import { walletFault } from "@svc/shared/protocol/wallet/walletFault.ts";
import { bodyAtMost } from "../../platform/http/bodyAtMost.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** Header of the key that makes a repeated payment the same payment. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";
const KEY_FORM = new RegExp(`^[\\x21-\\x7e]{1,${PROTOCOL_LIMITS.idempotencyKeyChars}}$`);

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
  requireJsonType(c.req.header("content-type"));
  return jsonOfBytes(await bodyAtMost(c, WALLETD_LIMITS.httpBodyBytes));
}

/** Reads a part by its schema. Throws the error that names the field (`walletFault`). */
export function readPart<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  whole: string,
): v.InferOutput<S> {
  return readPartOf(schema, value, whole, walletFault);
}
