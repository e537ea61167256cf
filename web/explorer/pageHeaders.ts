/** Answer headers of an explorer page: its policy, how long it is kept, whether other sites may frame it. */
import { explorerPageOf } from "@svc/shared/explorer/explorerPaths.ts";
import type { PageInput } from "@svc/shared/explorer/pageRenderer.ts";

/** Seconds for which a page is fresh, and for which it may be shown beyond that while a new one is made. */
const CACHE_CONTROL = "public, max-age=0, s-maxage=1, stale-while-revalidate=5";

/** Seconds after which it is worth asking again for a page whose document was missing. */
const RETRY_S = 10;

/** Headers of every page; other sites may frame the widget alone. */
export function pageHeaders(input: PageInput, status: number): Readonly<Record<string, string>> {
  const { kind } = explorerPageOf(input.path, input.query);
  const isWidget = kind === "widget-frame";
  // Without script what is searched stands in the address: no cache keeps that.
  const isStored = status < 429 && kind !== "search";
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Language": input.locale,
    "Content-Security-Policy": pagePolicy(isWidget),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": isWidget ? "cross-origin" : "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy":
      "camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(), publickey-credentials-get=()",
    "Cache-Control": isStored ? CACHE_CONTROL : "no-store",
    Vary: "Accept-Language, Cookie",
    ...(status < 429 ? {} : { "Retry-After": String(input.refusal?.retryAfterS ?? RETRY_S) }),
  };
}

/** The content security policy. */
function pagePolicy(isWidget: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${isWidget ? "*" : "'none'"}`,
  ].join("; ");
}
