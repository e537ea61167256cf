/** The record of a till that is signed in: what its page needs to ring up. */
import { seconds, type RecordPlace } from "../invoiceRecordOf.ts";
import type { PricePort } from "../pricePort.ts";
import { dayOf } from "./tillDay.ts";
import type { TillSession } from "./tillPort.ts";

/** A till, as its page knows it. */
export type TillRecord = Awaited<ReturnType<typeof tillRecordOf>>;

/** The record, as JSON. */
export async function tillRecordOf(
  { till, expiresMs }: TillSession,
  { prices, place }: { readonly prices: PricePort; readonly place: RecordPlace },
) {
  const found = till.currency === null ? null : await prices.rate(till.currency);
  const serverTime = seconds(place.nowMs);
  return {
    name: till.name,
    storeName: till.merchant.look.storeName,
    currency: till.currency,
    timeZone: till.timeZone,
    tips: till.tips,
    network: place.network,
    livemode: place.livemode,
    rate: found === null ? null : rateOf(found),
    day: dayOf(serverTime, till.timeZone),
    expiresAt: seconds(expiresMs),
    serverTime,
  } as const;
}

type Rate = NonNullable<Awaited<ReturnType<PricePort["rate"]>>>;

function rateOf({ currency, rate, source, toldMs, isStale }: Rate) {
  return { currency, rate, source, time: seconds(toldMs), stale: isStale };
}
