/** Reads the parts of a request of the gateway API: key, body, query, path. Web APIs alone, so it runs in Node and at an edge. */
import type { Context } from "hono";
import { bodyWithin } from "../base/bodyWithin.ts";
import { SvcError } from "../base/svcError.ts";
import { jsonOfBody } from "../protocol/contract/requestParts.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";
import { PROTOCOL_LIMITS } from "../protocol/protocolLimits.ts";

/** Header of the key that makes a repeated request the same request. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";
const KEY_FORM = new RegExp(`^[\\x21-\\x7e]{1,${PROTOCOL_LIMITS.idempotencyKeyChars}}$`);
/** An operator may have chosen a key himself. */
const BEARER = /^Bearer ([\x21-\x7e]{1,255})$/;

/** The API key of the request; null without one that could be. */
export function bearerOf(c: Context): string | null {
  return BEARER.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

/** The idempotency key of the request, null when there is none. Throws `api/bad-field`. */
export function idempotencyKeyOf(c: Context): string | null {
  const key = c.req.header(IDEMPOTENCY_HEADER);
  if (key === undefined || KEY_FORM.test(key)) return key ?? null;
  const expected = "1 to 255 visible ASCII characters";
  throw new SvcError("api/bad-field", { field: IDEMPOTENCY_HEADER, expected });
}

/** The bytes of the body. Throws `http/body-too-large`, for one that says so before any of it is read. */
export async function bodyOf(
  c: Context,
  max: number = MERCHANT_LIMITS.bodyBytes,
): Promise<Uint8Array> {
  const length = Number(c.req.header("content-length") ?? 0);
  if (length > max) throw new SvcError("http/body-too-large", { length, max });
  try {
    return await bodyWithin(c.req.raw, max);
  } catch (error) {
    if (!SvcError.is(error, "codec/count-too-large")) throw error;
    throw new SvcError("http/body-too-large", { length: error.data.count ?? "", max });
  }
}

/** The fields of a form of a page. Throws `http/body-too-large`. */
export async function formFieldsOf(c: Context): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await bodyOf(c)));
}

/**
 * The JSON of a body; undefined for an empty one. Throws `api/not-json`, `codec/bad-utf8`, `codec/bad-json`.
 */
export function jsonOf(c: Context, body: Uint8Array): unknown {
  return jsonOfBody(body, c.req.header("content-type"));
}
