/**
 * Calls that are signed as webhooks are (`Svc-Signature`), with their method and path: what was signed for one call is good for no other.
 * The bytes that are signed are METHOD ‖ " " ‖ path ‖ "\n" ‖ body, in the place of a webhook's body.
 */
import { concatBytes } from "../../base/bytes.ts";
import {
  signWebhook,
  verifySvcSignature,
  type HeaderSource,
  type WebhookMessage,
  type WebhookVerdict,
} from "./signature.ts";

/** Which call it is. */
export type CallPlace = {
  /** In capital letters. */
  readonly method: string;
  /** With its query, where it has one. */
  readonly path: string;
};

/** The headers of a call. Rejects with a `DOMException` of Web Crypto for an empty secret. */
export function signCall(
  secret: string,
  message: WebhookMessage,
  place: CallPlace,
): Promise<Readonly<Record<string, string>>> {
  return signWebhook(secret, { ...message, body: signedBytes(place, message.body) });
}

/** Checks the `Svc-Signature` of a request whose body was read. `now` is the receiver's clock in Unix seconds. */
export function verifyCall(
  secret: string,
  request: { readonly method: string; readonly url: string; readonly headers: HeaderSource },
  body: Uint8Array,
  now: bigint,
): Promise<WebhookVerdict> {
  const { pathname, search } = new URL(request.url);
  const place = { method: request.method, path: `${pathname}${search}` };
  return verifySvcSignature(secret, request.headers, signedBytes(place, body), now);
}

function signedBytes({ method, path }: CallPlace, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes(new TextEncoder().encode(`${method} ${path}\n`), body);
}
