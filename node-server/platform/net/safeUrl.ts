/** Addresses that a secret may be sent to: it goes over no network in the clear. */
import { isLoopback } from "./netAddress.ts";

/** An https address, or one of this machine, without query, fragment and user, and without slashes at its end; null for any other text. */
export function safeUrl(text: string | null): string | null {
  const url = text !== null && URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "";
  const host = url?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  const isHere = host === "localhost" || isLoopback(host);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isHere);
  return text === null || !isPlain || !isSafe ? null : text.replace(/\/+$/, "");
}
