/** Whether a request was made on this machine: what tells an operator about his program is told to nobody else. */
import type { Context } from "hono";
import type { HttpEnv } from "./httpEnv.ts";
import { isRequestedHere } from "./isRequestedHere.ts";

/** `isRequestedHere` of a Hono context. A request that the server makes of itself is its caller's. */
export function isAskedHere(c: Context<HttpEnv>): boolean {
  return isRequestedHere(c.env.outgoing.req);
}
