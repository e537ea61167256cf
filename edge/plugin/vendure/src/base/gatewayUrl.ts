import { VENDURE_LIMITS } from "./pluginLimits.ts";

/**
 * Scheme, host and port of a URL that is trusted: https, or http to this machine. Null for any other, and where browsers and this
 * program might read it differently.
 */
export function trustedOrigin(text: string): string | null {
  const isPlain = /^[\x21-\x7e]+$/.test(text) && !text.includes("\\");
  if (!isPlain || text.length > VENDURE_LIMITS.urlChars || !URL.canParse(text)) return null;
  const { protocol, hostname, username, password, origin } = new URL(text);
  const isOpen = protocol === "http:" && isLoopback(hostname);
  return username === "" && password === "" && (protocol === "https:" || isOpen) ? origin : null;
}

/** The address under which calls are made: without a slash at its end. Null where it has a query or a fragment, too. */
export function gatewayBase(text: string): string | null {
  return trustedOrigin(text) === null || /[?#]/.test(text) ? null : text.replace(/\/+$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
