/**
 * Where webhooks may be sent, as far as the text of an address says. An address that a stranger chose must not lead into the
 * network of the sender's machine: a literal address is judged here, the addresses of a name where the connection is made.
 */
import ipaddr from "ipaddr.js";
import { SvcError } from "../../base/svcError.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";

/**
 * How far a webhook reaches. `public`: HTTPS to addresses of the open Internet. `loopback`: this machine too, where HTTP will do.
 * `private`: networks of the operator too, over either. Link-local addresses are reached by none: clouds hand out credentials there.
 */
export type WebhookReach = "public" | "loopback" | "private";

const PRIVATE: ReadonlySet<string> = new Set(["private", "uniqueLocal", "carrierGradeNat"]);

/** Checks the address of a webhook. Throws `webhook/bad-target`, which does not repeat it: it may hold a credential. */
export function webhookUrl(text: string, reach: WebhookReach): URL {
  const url =
    text.length <= PROTOCOL_LIMITS.webhookUrlChars && URL.canParse(text) ? new URL(text) : null;
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
  if (ipaddr.isValid(host)) checkWebhookAddress(host, reach);
  url.hash = "";
  return url;
}

/** The host of an address as a lookup takes it, an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Judges an address that a name leads to, or that stands in an address of the web. Throws `webhook/bad-target`. */
export function checkWebhookAddress(address: string, reach: WebhookReach): void {
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

/** The refusal of an address, with its reason in words. */
export function badTarget(reason: string): SvcError<"webhook/bad-target"> {
  return new SvcError("webhook/bad-target", { reason });
}
