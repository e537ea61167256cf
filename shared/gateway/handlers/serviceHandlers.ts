/** Handlers of prices, of the API key itself, and of the gateway's health. */
import type { GatewayHandlers } from "../gatewayHandlers.ts";
import { seconds, type RecordPlace } from "../invoiceRecordOf.ts";
import type { CoinRate, PricePort } from "../pricePort.ts";
import { quotedAmount } from "./quotedAmount.ts";

/** How the gateway is. */
export type GatewayHealth = {
  /** Sentences that say why it is not ready; none for one that is. */
  readonly reasons: readonly string[];
  /** Age of the newest block that was scanned; null while none was. */
  readonly scannerLagSeconds: number | null;
};

/** Dependencies. */
export type ServiceHandlerParts = {
  readonly prices: PricePort;
  readonly health: () => Promise<GatewayHealth>;
  readonly place: () => RecordPlace;
};

type Rows = "rates" | "quote" | "ownKey" | "health" | "live" | "ready";

const ALIVE = { ok: true, service: "svc-gateway" } as const;

/** Makes the handlers. */
export function serviceHandlers(parts: ServiceHandlerParts): Pick<GatewayHandlers, Rows> {
  const { prices, health, place } = parts;
  return {
    rates: async ({ query }) => {
      const { currency } = query;
      if (currency === undefined) return { rates: (await prices.rates()).map(rateOf) };
      const rate = await prices.rate(currency);
      return { rates: rate === null ? [] : [rateOf(rate)] };
    },
    quote: async ({ body }) => {
      const { amount, quote } = await quotedAmount(body, prices);
      const { quotedMs, ...rest } = quote;
      return { ...rest, time: seconds(quotedMs), amountSompi: String(amount) };
    },
    ownKey: async ({ key }) => ({
      id: key.keyId,
      label: key.label,
      merchant: { id: key.merchant.id, name: key.merchant.look.storeName },
      scopes: key.scopes,
      network: place().network,
      livemode: place().livemode,
      createdAt: seconds(key.createdMs),
    }),
    health: async () => ALIVE,
    live: async () => ALIVE,
    ready: async () => {
      const { reasons, scannerLagSeconds } = await health();
      return { ready: reasons.length === 0, reasons, scannerLagSeconds };
    },
  };
}

function rateOf({ currency, rate, source, toldMs, isStale }: CoinRate) {
  return { currency, rate, source, time: seconds(toldMs), stale: isStale };
}
