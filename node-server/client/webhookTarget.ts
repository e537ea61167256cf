/**
 * Where webhooks may be sent. An address that a stranger chose must not lead into the network of this machine, so a host name is
 * judged by the addresses that the connection is made to, not by an earlier lookup.
 */
import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";

/**
 * How far a webhook reaches. `public`: HTTPS to addresses of the open Internet. `loopback`: this machine too, where HTTP will do.
 * `private`: networks of the operator too, over either. Link-local addresses are reached by none: clouds hand out credentials there.
 */
export type WebhookReach = "public" | "loopback" | "private";

const PRIVATE: ReadonlySet<string> = new Set(["private", "uniqueLocal", "carrierGradeNat"]);

/** Checks the address of a webhook. Throws `webhook/bad-target`, which does not repeat it: it may hold a credential. */
export function webhookUrl(text: string, reach: WebhookReach): URL {
  const url =
    text.length <= CLIENT_LIMITS.webhookUrlChars && URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw badTarget("it is no address");
  if (url.username !== "" || url.password !== "") throw badTarget("it holds a name or a password");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw badTarget("it is neither https nor http");
  }
  const host = hostOf(url);
  const isHere = host === "localhost" || rangeOf(host) === "loopback";
  if (url.protocol === "http:" && reach !== "private" && !(isHere && reach === "loopback")) {
    throw badTarget("it is not https");
  }
  if (ipaddr.isValid(host)) checkAddress(host, reach);
  url.hash = "";
  return url;
}

/** The host of an address as a lookup takes it, an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** A lookup that fails with `webhook/bad-target` when any address of the name lies beyond the reach. */
export function guardedLookup(
  reach: WebhookReach,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const fault = error ?? faultOf(addresses, reach);
      const [first] = addresses ?? [];
      if (fault !== null) callback(fault, "");
      else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

function faultOf(addresses: readonly LookupAddress[], reach: WebhookReach): SvcError | null {
  if (addresses.length === 0) return badTarget("its name has no address");
  try {
    for (const { address } of addresses) checkAddress(address, reach);
    return null;
  } catch (error) {
    return SvcError.from(error);
  }
}

function checkAddress(address: string, reach: WebhookReach): void {
  const range = rangeOf(address);
  const isAllowed =
    range === "unicast" ||
    (range === "loopback" && reach !== "public") ||
    (PRIVATE.has(range) && reach === "private");
  if (!isAllowed) throw badTarget(`its address is ${range === "" ? "unknown" : range}`);
}

function rangeOf(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() : "";
}

function badTarget(reason: string): SvcError<"webhook/bad-target"> {
  return new SvcError("webhook/bad-target", { reason });
}
