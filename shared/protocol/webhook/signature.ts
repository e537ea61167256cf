/**
 * Signatures of webhooks, for whoever sends and whoever receives: Web Crypto alone, so they run in Node, in browsers and at an
 * edge.
 *
 * A delivery carries two over the same body. `Svc-Signature: t=<seconds>,v1=<hex>` is HMAC-SHA256 under the secret's UTF-8 bytes
 * over seconds ‖ "." ‖ body. The header set of Standard Webhooks, `webhook-id`, `webhook-timestamp` and
 * `webhook-signature: v1,<base64>`, signs id ‖ "." ‖ seconds ‖ "." ‖ body; a secret `whsec_<base64>` is decoded for it, any other
 * one is its UTF-8 bytes. A receiver refuses a time that is more than five minutes off, either way.
 */
import { concatBytes } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";

/** What is signed. */
export type WebhookMessage = {
  /** Names the event, and stays the same when it is sent again. */
  readonly id: string;
  /** Unix seconds of the sending; each try has its own. */
  readonly sentAt: bigint;
  /** The bytes of the body as they are sent. */
  readonly body: Uint8Array;
};

/** What verification says; the same for a wrong signature and for one that cannot be read. */
export type WebhookVerdict = "ok" | "bad-signature" | "bad-time";

/** Where a receiver finds headers, by their names in small letters; `Headers` of `fetch` is one. */
export type HeaderSource = { get(name: string): string | null | undefined };

/** Names of the headers. */
export const WEBHOOK_HEADERS = {
  svc: "svc-signature",
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

const STANDARD_SECRET =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))$/;
const SVC_FORM = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,8})$/;
const SECONDS_FORM = /^\d{1,12}$/;
const ID_FORM = /^[A-Za-z0-9_.-]{1,128}$/;

/** The headers of a delivery. Rejects with a `DOMException` of Web Crypto for an empty secret. */
export async function signWebhook(
  secret: string,
  message: WebhookMessage,
): Promise<Readonly<Record<string, string>>> {
  const { id, sentAt } = message;
  const svc = await hmac(svcKey(secret), svcContent(message));
  const standard = await hmac(standardKey(secret), standardContent(message));
  return {
    [WEBHOOK_HEADERS.svc]: `t=${sentAt},v1=${encodeHex(svc)}`,
    [WEBHOOK_HEADERS.id]: id,
    [WEBHOOK_HEADERS.timestamp]: String(sentAt),
    [WEBHOOK_HEADERS.signature]: `v1,${toBase64(standard)}`,
  };
}

/** Checks `Svc-Signature`. Of several `v1` one has to fit. `now` is the receiver's clock in Unix seconds. */
export async function verifySvcSignature(
  secret: string,
  headers: HeaderSource,
  body: Uint8Array,
  now: bigint,
): Promise<WebhookVerdict> {
  const header = headers.get(WEBHOOK_HEADERS.svc) ?? "";
  const match = header.length > PROTOCOL_LIMITS.webhookHeaderChars ? null : SVC_FORM.exec(header);
  const [, time = "", list = ""] = match ?? [];
  if (match === null) return "bad-signature";
  const sentAt = BigInt(time);
  if (!isTimely(sentAt, now)) return "bad-time";
  const given = [...list.matchAll(/v1=([0-9a-f]{64})/g)].map(([, hex = ""]) => decodeHex(hex));
  const content = concatBytes(utf8(`${time}.`), body);
  return (await anyFits(svcKey(secret), content, given)) ? "ok" : "bad-signature";
}

/** Checks the headers of Standard Webhooks. Of several signatures one of version 1 has to fit. */
export async function verifyStandardWebhook(
  secret: string,
  headers: HeaderSource,
  body: Uint8Array,
  now: bigint,
): Promise<WebhookVerdict> {
  const id = headers.get(WEBHOOK_HEADERS.id) ?? "";
  const time = headers.get(WEBHOOK_HEADERS.timestamp) ?? "";
  const list = headers.get(WEBHOOK_HEADERS.signature) ?? "";
  const isWellFormed =
    ID_FORM.test(id) &&
    SECONDS_FORM.test(time) &&
    list.length <= PROTOCOL_LIMITS.webhookHeaderChars;
  if (!isWellFormed) return "bad-signature";
  const sentAt = BigInt(time);
  if (!isTimely(sentAt, now)) return "bad-time";
  const given = list.split(" ").flatMap((part) => {
    const [, base64 = ""] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part) ?? [];
    return base64 === "" ? [] : [fromBase64(base64)];
  });
  const content = concatBytes(utf8(`${id}.${time}.`), body);
  return (await anyFits(standardKey(secret), content, given)) ? "ok" : "bad-signature";
}

function isTimely(sentAt: bigint, now: bigint): boolean {
  const off = now > sentAt ? now - sentAt : sentAt - now;
  return off <= PROTOCOL_LIMITS.webhookToleranceS;
}

function svcContent({ sentAt, body }: WebhookMessage): Uint8Array<ArrayBuffer> {
  return concatBytes(utf8(`${sentAt}.`), body);
}

function standardContent({ id, sentAt, body }: WebhookMessage): Uint8Array<ArrayBuffer> {
  return concatBytes(utf8(`${id}.${sentAt}.`), body);
}

function svcKey(secret: string): Uint8Array<ArrayBuffer> {
  return utf8(secret);
}

/** A secret that is not base64 behind its prefix is its UTF-8 bytes, prefix and all. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = STANDARD_SECRET.exec(secret)?.[1];
  return base64 === undefined ? utf8(secret) : fromBase64(base64);
}

async function keyOf(bytes: Uint8Array<ArrayBuffer>, usage: "sign" | "verify"): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, [usage]);
}

async function hmac(
  key: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await keyOf(key, "sign"), content));
}

/** Web Crypto compares in constant time. All are looked at, whichever fits. */
async function anyFits(
  key: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
  given: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const verifying = await keyOf(key, "verify");
  const fits = await Promise.all(
    given.map((signature) => crypto.subtle.verify("HMAC", verifying, signature, content)),
  );
  return fits.includes(true);
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  // The types of Workers leave open what lies below an encoder's bytes.
  return concatBytes(new TextEncoder().encode(text));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
