/** Lookup of the hosts of webhooks: a host name is judged by the addresses that the connection is made to, not by an earlier lookup. */
import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  badTarget,
  checkWebhookAddress,
  type WebhookReach,
} from "@svc/shared/protocol/webhook/webhookTarget.ts";

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
    for (const { address } of addresses) checkWebhookAddress(address, reach);
    return null;
  } catch (error) {
    return SvcError.from(error);
  }
}
