/** Whether a request was made on this machine: what tells an operator about his program is told to nobody else. */
import type { Context } from "hono";
import { isLoopback } from "../net/netAddress.ts";
import type { HttpEnv } from "./httpEnv.ts";

/** What a proxy adds: the caller behind it is anybody. */
const PASSED_ON = ["x-forwarded-for", "x-real-ip", "forwarded", "via"];

/** True for a connection from this machine whose request no proxy passed on. */
export function isAskedHere(c: Context<HttpEnv>): boolean {
  const from = c.env.outgoing.req.socket.remoteAddress ?? "";
  return isLoopback(from) && PASSED_ON.every((name) => c.req.header(name) === undefined);
}
