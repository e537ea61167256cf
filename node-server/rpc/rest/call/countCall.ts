/** Counts a call of the public REST interface, or a page made from it, for its host. */
import type { Context } from "hono";
import { shareHeaders } from "@svc/shared/base/callShare.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { HttpEnv } from "../../../platform/http/httpEnv.ts";
import { isAskedHere } from "../../../platform/http/isAskedHere.ts";
import type { RestRates } from "./restRates.ts";

/** Rate-limit key of the programs and pages of this machine. */
const THIS_MACHINE = "this machine";

/**
 * Counts it, and tells the caller its share. Throws `http/too-many-requests` for one too many. The operator's edge is not counted. This machine
 * is, since a tunnel that ends here carries everybody's calls; but what shows a proxy or asks under a foreign name uses up nothing of what its
 * own programs may ask.
 */
export function countCall(c: Context<HttpEnv>, rates: RestRates): void {
  if (rates.isExempt(c.req.header("authorization"))) return;
  const isOwn = c.env.refusal === undefined && isAskedHere(c);
  const host = isOwn ? THIS_MACHINE : c.env.caller.host;
  const share = rates.take(host, c.req.method === "POST" ? "search" : "read");
  for (const [name, value] of Object.entries(shareHeaders(share))) c.header(name, value);
  if (share.waitS !== null) {
    throw new SvcError("http/too-many-requests", { retryAfter: share.waitS });
  }
}
