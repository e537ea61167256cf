/**
 * Rate limits of the gateway API (gateway sheet 11): token buckets by API key, by till, and for calls without a key by host, and by host and
 * checkout.
 */
import type { Context } from "hono";
import { shareHeaders, takeCall, type CallBucket, type CallShare } from "../base/callShare.ts";
import { SvcError } from "../base/svcError.ts";
import { LruMap } from "../base/lruMap.ts";
import type { GatewayRouteName } from "../protocol/gateway/gatewayRoutes.ts";
import { GATEWAY_ROUTES } from "../protocol/gateway/gatewayRoutes.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";

/** A call that is counted. */
export type CountedCall = {
  readonly name: GatewayRouteName;
  /** Whose caller it is; null for a stranger. */
  readonly merchant: string | null;
  /** Names the caller there: an API key, a till, a host. */
  readonly who: string;
  /** Of a call without a key: what it is about, such as an invoice; "" for nothing. Left out it counts for the host as a whole. */
  readonly about?: string;
};

/** Counts calls of each caller. */
export type CallRates = {
  /** Takes a call from its caller's share; one too many takes nothing. */
  take(call: CountedCall): CallShare | Promise<CallShare>;
};

/** Whose share a call is of, and how large that is. */
export type CallSource = {
  /** Names the share. It may hold the address of a host. */
  readonly source: string;
  /** Calls in a minute. */
  readonly perMinute: number;
};

type Limit = { readonly kind: string; readonly perMinute: number };

const SHARE = "callShare";

/** Makes the limits of a host. `nowMs` is a clock that does not go back; `sources` bounds how many buckets are remembered. */
export function callRates(nowMs: () => number, sources: number): CallRates {
  const buckets = new LruMap<string, CallBucket>(sources);
  return {
    take(call) {
      const { source, perMinute } = callSource(call);
      const { bucket, share } = takeCall(buckets.get(source) ?? null, perMinute, nowMs());
      if (share.waitS === null) buckets.set(source, bucket);
      return share;
    },
  };
}

/** Whose share a call is of. */
export function callSource(call: CountedCall): CallSource {
  const { kind, perMinute } = limitOf(call);
  const source = `${kind} ${call.merchant ?? ""} ${call.who} ${call.about ?? ""}`;
  return { source, perMinute };
}

/** Counts a call of a request; its answer tells the share that is the nearest to its end. Rejects with `http/too-many-requests`. */
export async function countCall(
  c: Context,
  rates: CallRates | null,
  call: CountedCall,
): Promise<void> {
  if (rates === null) return;
  const share = await rates.take(call);
  const before: CallShare | undefined = c.get(SHARE);
  if (before === undefined || share.remaining <= before.remaining) c.set(SHARE, share);
  if (share.waitS !== null) {
    throw new SvcError("http/too-many-requests", { retryAfter: share.waitS });
  }
}

/** Counts a call without a key that is about no invoice. Rejects with `http/too-many-requests`. */
export function countStranger(
  c: Context,
  name: GatewayRouteName,
  host: { readonly rates: CallRates | null; readonly callerOf: (c: Context) => string },
): Promise<void> {
  return countCall(c, host.rates, { name, merchant: null, who: host.callerOf(c), about: "" });
}

/** Writes into an answer what is left of its caller's share. */
export function tellShare(c: Context): void {
  const share: CallShare | undefined = c.get(SHARE);
  if (share === undefined) return;
  for (const [name, value] of Object.entries(shareHeaders(share))) c.header(name, value);
}

function limitOf({ name, about }: CountedCall): Limit {
  if (name === "createInvoice") {
    return { kind: "create", perMinute: MERCHANT_LIMITS.createsPerMinute };
  }
  if (name === "createChallenge") {
    return { kind: "challenge", perMinute: MERCHANT_LIMITS.challengesPerMinute };
  }
  if (name === "signIn") return { kind: name, perMinute: MERCHANT_LIMITS.tillSignInsPerMinute };
  if (name === "createSale") return { kind: name, perMinute: MERCHANT_LIMITS.tillSalesPerMinute };
  if (name === "dayClose" || name === "dayCloseCsv") {
    return { kind: "close", perMinute: MERCHANT_LIMITS.tillClosesPerMinute };
  }
  const { credential, group } = GATEWAY_ROUTES[name];
  if (credential === "till") {
    return { kind: credential, perMinute: MERCHANT_LIMITS.tillReadsPerMinute };
  }
  if (group === "x402" && credential === "key") {
    return { kind: "payment", perMinute: MERCHANT_LIMITS.paymentCallsPerMinute };
  }
  if (credential === "key") return { kind: "call", perMinute: MERCHANT_LIMITS.readsPerMinute };
  // Ever new invoices would be ever new shares.
  return about === undefined
    ? { kind: "host", perMinute: MERCHANT_LIMITS.publicCallsPerMinute }
    : { kind: "public", perMinute: MERCHANT_LIMITS.checkoutReadsPerMinute };
}
