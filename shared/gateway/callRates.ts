/** Rate limits of the gateway API (gateway sheet 11): token buckets by API key, and by caller and invoice for calls without a key. */
import { SvcError } from "../base/svcError.ts";
import { LruMap } from "../base/lruMap.ts";
import type { GatewayRouteName } from "../protocol/gateway/gatewayRoutes.ts";
import { GATEWAY_ROUTES } from "../protocol/gateway/gatewayRoutes.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";

/**
 * Counts calls of each caller: a key of a merchant, a till, or a host. `take` throws `http/too-many-requests` for one too many.
 */
export type CallRates = {
  /** `merchant` is whose caller it is; `who` names it there. */
  take(name: GatewayRouteName, merchant: string | null, who: string): void;
};

type Bucket = { tokens: number; atMs: number };

const MINUTE_MS = 60_000;

/** Makes the limits of a host. `nowMs` is a clock that does not go back; `sources` bounds how many buckets are remembered. */
export function callRates(nowMs: () => number, sources: number): CallRates {
  const buckets = new LruMap<string, Bucket>(sources);
  return {
    take(name, merchant, who) {
      const { kind, perMinute } = limitOf(name);
      const source = `${kind} ${merchant ?? ""} ${who}`;
      const now = nowMs();
      const bucket = buckets.get(source) ?? { tokens: perMinute, atMs: now };
      const grown = bucket.tokens + ((now - bucket.atMs) * perMinute) / MINUTE_MS;
      const tokens = Math.min(perMinute, grown);
      if (tokens < 1) {
        const waitMs = ((1 - tokens) * MINUTE_MS) / perMinute;
        throw new SvcError("http/too-many-requests", { retryAfter: Math.ceil(waitMs / 1_000) });
      }
      buckets.set(source, { tokens: tokens - 1, atMs: now });
    },
  };
}

function limitOf(name: GatewayRouteName): { readonly kind: string; readonly perMinute: number } {
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
  return credential === "key"
    ? { kind: "call", perMinute: MERCHANT_LIMITS.readsPerMinute }
    : { kind: "public", perMinute: MERCHANT_LIMITS.checkoutReadsPerMinute };
}
