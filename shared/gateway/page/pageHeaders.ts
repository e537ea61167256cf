/** Response headers of the checkout pages: what they may load, who may show them in a frame, that nobody keeps or lists them. */

/** An origin that is written into the policy as it is. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** The origins of a merchant that are origins. */
export function frameOriginsOf(origins: readonly string[]): readonly string[] {
  return origins.filter((origin) => ORIGIN.test(origin));
}

/**
 * The headers. `nonce` allows the page's own style and script; without origins nobody may frame it. `more` are further directives of its
 * policy, and other values of these.
 */
export function pageHeaders(
  nonce: string,
  frameOrigins: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const directives = {
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}'`,
    "style-src": `'nonce-${nonce}'`,
    "img-src": "data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": frameOrigins.length === 0 ? "'none'" : frameOrigins.join(" "),
    ...more,
  };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  return {
    "Content-Security-Policy": policy.join("; "),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
    "Permissions-Policy":
      "camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(), publickey-credentials-get=()",
  };
}
