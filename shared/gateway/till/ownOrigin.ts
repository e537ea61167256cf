/**
 * Holds requests with a cookie against the page that sends them. A browser says in `Origin` and `Sec-Fetch-Site` whose page that is, and no
 * page can write either.
 */
import type { Context } from "hono";
import { SvcError } from "../../base/svcError.ts";

/** Characters of a foreign origin in an error. */
const SHOWN = 80;

/** Throws `http/foreign-origin` for a request of another origin's page. A program sends neither header, and has no cookie of anybody. */
export function requireOwnOrigin(c: Context): void {
  const site = c.req.header("sec-fetch-site");
  // A person who opened the address himself is `none`.
  const isOwnSite = site === undefined || site === "same-origin" || site === "none";
  const origin = c.req.header("origin")?.toLowerCase();
  if (isOwnSite && (origin === undefined || isOwn(origin, site, c))) return;
  throw new SvcError("http/foreign-origin", { origin: (origin ?? site ?? "").slice(0, SHOWN) });
}

/** A page without a referrer hides its origin from its own server, too. */
function isOwn(origin: string, site: string | undefined, c: Context): boolean {
  if (origin === "null") return site === "same-origin";
  const host = (c.req.header("host") ?? new URL(c.req.url).host).toLowerCase();
  return origin === `http://${host}` || origin === `https://${host}`;
}
