/** Security headers of every answer that is no page: the browser shall run nothing of it, guess no type, and keep no copy. */

/** Headers of all answers of `/v1` and `/local`, and of all errors. */
export const CLOSED_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};
