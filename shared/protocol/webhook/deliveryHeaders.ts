/** Headers of a delivery, signatures among them, for whoever sends webhooks: a program of Node, or the edge. */
import { concatBytes } from "../../base/bytes.ts";
import { encodeHex } from "../../base/hex.ts";
import { signWebhook, type WebhookMessage } from "./signature.ts";
import type { WebhookForm } from "./webhookForm.ts";

/** A try of a delivery. */
export type SignedTry = {
  readonly form: WebhookForm;
  /** Text, as the receiver has it. */
  readonly secret: string;
  readonly message: WebhookMessage;
  readonly type: string;
  /** Tries before this one. */
  readonly attempts: number;
};

/** Name of the one signature of the form `greenfield`. */
export const GREENFIELD_SIGNATURE = "btcpay-sig";

/**
 * The headers. A delivery of the form `greenfield` has `BTCPay-Sig: sha256=<hex>` alone, HMAC-SHA256 under the secret's UTF-8 bytes over
 * the body: it names no time. Rejects with a `DOMException` of Web Crypto for an empty secret.
 */
export async function deliveryHeaders(one: SignedTry): Promise<Readonly<Record<string, string>>> {
  const { form, secret, message, type, attempts } = one;
  if (form === "greenfield") {
    return { [GREENFIELD_SIGNATURE]: await greenfieldSignature(secret, message.body) };
  }
  return {
    ...(await signWebhook(secret, message)),
    "svc-event-id": message.id,
    "svc-event-type": type,
    "svc-delivery-attempt": String(attempts + 1),
  };
}

async function greenfieldSignature(secret: string, body: Uint8Array): Promise<string> {
  // The types of Workers leave open what lies below an encoder's bytes.
  const bytes = concatBytes(new TextEncoder().encode(secret));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, concatBytes(body));
  return `sha256=${encodeHex(new Uint8Array(signed))}`;
}
