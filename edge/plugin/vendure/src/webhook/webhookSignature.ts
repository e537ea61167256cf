import { createHmac, timingSafeEqual } from "node:crypto";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";

/** Headers of a webhook by their names in small letters. */
export type WebhookHeaders = {
  readonly svc: string | undefined;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
};

const SVC_FORM = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,8})$/;
const STANDARD_SECRET =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))$/;

/**
 * Whether a body was signed with the secret lately: by `Svc-Signature`, and, where one of the headers of Standard Webhooks is
 * there, by these as well. A blank secret signs nothing.
 */
export function isSigned(
  secret: string,
  headers: WebhookHeaders,
  body: Uint8Array,
  nowS: number,
): boolean {
  const { id, timestamp, signature } = headers;
  if (secret.trim() === "" || !isSvcSigned(secret, headers.svc ?? "", body, nowS)) return false;
  const isPlain = id === undefined && timestamp === undefined && signature === undefined;
  return isPlain || isStandardSigned(secret, headers, body, nowS);
}

function isSvcSigned(secret: string, header: string, body: Uint8Array, nowS: number): boolean {
  if (header.length > VENDURE_LIMITS.signatureChars) return false;
  const [, time = "", list = ""] = SVC_FORM.exec(header) ?? [];
  if (time === "" || !isTimely(time, nowS)) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return anyFits(
    expected,
    [...list.matchAll(/v1=([0-9a-f]{64})/g)].map(([, hex = ""]) => Buffer.from(hex, "hex")),
  );
}

function isStandardSigned(
  secret: string,
  { id = "", timestamp = "", signature = "" }: WebhookHeaders,
  body: Uint8Array,
  nowS: number,
): boolean {
  const isFormed = /^[A-Za-z0-9_.-]{1,128}$/.test(id) && /^\d{1,12}$/.test(timestamp);
  if (!isFormed || signature.length > VENDURE_LIMITS.signatureChars) return false;
  if (!isTimely(timestamp, nowS)) return false;
  const base64 = STANDARD_SECRET.exec(secret)?.[1];
  const key = base64 === undefined ? secret : Buffer.from(base64, "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const given = signature.split(" ").flatMap((part) => {
    const [, text] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part) ?? [];
    return text === undefined ? [] : [Buffer.from(text, "base64")];
  });
  return anyFits(expected, given);
}

function isTimely(time: string, nowS: number): boolean {
  return Math.abs(nowS - Number(time)) <= VENDURE_LIMITS.toleranceS;
}

/** All are looked at, whichever fits. */
function anyFits(expected: Buffer, given: readonly Buffer[]): boolean {
  return given
    .map((one) => one.length === expected.length && timingSafeEqual(one, expected))
    .includes(true);
}
