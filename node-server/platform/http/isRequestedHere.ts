/** Whether a request comes from a program on this machine, as far as its connection and its headers show. */
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../net/netAddress.ts";

/** The parts of a request that tell. */
type SentRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** What a proxy adds: the caller behind it is anybody. */
const PASSED_ON = [
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"],
  ...["forwarded", "via", "cf-connecting-ip", "true-client-ip"],
];

/** True for a connection from this machine whose request shows no proxy. A proxy here that adds no header is taken for a program here. */
export function isRequestedHere({ headers, socket }: SentRequest): boolean {
  const isLocal = isLoopback(socket.remoteAddress ?? "");
  return isLocal && PASSED_ON.every((name) => headers[name] === undefined);
}
