/**
 * Preload module that fakes the addresses of peers: connections from 127.0.113.N count as from 203.0.113.N, and those from
 * 127.0.6X.N as from 2001:db8:0:6X::N, a /64 for each X. Nobody on the loopback interface is ever banned, because all
 * programs of a machine share its addresses, and of IPv6 there is only one.
 */
import { Socket } from "node:net";
import * as v from "valibot";

/** What a socket asks of its handle; its public properties cannot be defined anew. */
const ASKED = "_getpeername";
const peerName = v.looseObject({ address: v.optional(v.string()) });

const asked: unknown = Reflect.get(Socket.prototype, ASKED);
if (typeof asked !== "function") throw new Error("this Node asks for the other end in another way");
Reflect.set(Socket.prototype, ASKED, function seen(this: Socket): unknown {
  const name = v.parse(peerName, Reflect.apply(asked, this, []));
  const { address } = name;
  const seen = address
    ?.replace(/^127\.0\.113\./, "203.0.113.")
    .replace(/^127\.0\.(6\d)\./, "2001:db8:0:$1::");
  return { ...name, ...(seen && { address: seen }) };
});
