/** The cookie of a till: a token that no script can read, and that the browser sends to no page of another site. */
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { asHash32, type Hash32 } from "../../base/brand.ts";
import { Secret } from "../../base/secret.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { TILL_COOKIE, TILL_DEVICE_COOKIE } from "../../protocol/gateway/routes/tillRoutes.ts";

/** Bytes of a token. */
export const TOKEN_BYTES = 32;

const HOST_PREFIX = "__Host-";
const TOKEN = /^[0-9a-f]{64}$/;

/** The header that sets the cookie. `isSecure`: the gateway is reached over https, and the cookie goes over nothing else. */
export function sessionCookie(token: Secret, isSecure: boolean): string {
  const text = token.reveal((bytes) => encodeHex(bytes));
  return `${nameOf(isSecure)}=${text}; Max-Age=${MERCHANT_LIMITS.tillSessionSeconds}${attributesOf(isSecure)}`;
}

/** The header that sets the cookie by which a device is known. It opens nothing. */
export function deviceCookie(device: Secret, isSecure: boolean): string {
  const text = device.reveal((bytes) => encodeHex(bytes));
  const name = nameOf(isSecure, TILL_DEVICE_COOKIE);
  return `${name}=${text}; Max-Age=${MERCHANT_LIMITS.tillDeviceSeconds}${attributesOf(isSecure)}`;
}

/** The header that takes the cookie away. */
export function endedCookie(isSecure: boolean): string {
  return `${nameOf(isSecure)}=; Max-Age=0${attributesOf(isSecure)}`;
}

/** The token in the header `Cookie` of a request; null without one that could be. */
export function tokenIn(header: string | undefined, isSecure: boolean): Secret | null {
  return secretIn(header, nameOf(isSecure));
}

/** What a device is known by, in the same header; null without what could be. */
export function deviceIn(header: string | undefined, isSecure: boolean): Secret | null {
  return secretIn(header, nameOf(isSecure, TILL_DEVICE_COOKIE));
}

function secretIn(header: string | undefined, name: string): Secret | null {
  const prefix = `${name}=`;
  const cookie = (header ?? "").split(/;\s*/).find((one) => one.startsWith(prefix));
  const text = cookie?.slice(prefix.length) ?? "";
  return TOKEN.test(text) ? new Secret(decodeHex(text, TOKEN_BYTES)) : null;
}

/** The SHA-256 of a token: what is stored of it. */
export async function hashToken(token: Secret): Promise<Hash32> {
  const digest = token.reveal((bytes) => crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
  return asHash32(encodeHex(new Uint8Array(await digest)));
}

function nameOf(isSecure: boolean, name: string = TILL_COOKIE): string {
  return isSecure ? name : name.replace(HOST_PREFIX, "");
}

function attributesOf(isSecure: boolean): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}
