/** A till for tests, and the close of a day on which it sold nothing. */
import type { DayClose } from "../till/dayClose.ts";
import type { TillRecord } from "../till/tillRecordOf.ts";

/** One that rings up in euros, on a test network, without a rate. */
export const exampleTill: TillRecord = {
  ...{ name: "counter", storeName: "Example shop", currency: "EUR", timeZone: "Europe/Berlin" },
  ...{ tips: [5, 10], network: "simnet", livemode: false, rate: null, day: "2026-11-27" },
  ...{ expiresAt: 1_785_100_000, serverTime: 1_785_100_000 },
};

/** Its day, of which the oldest sales are missing. */
export const emptyClose: DayClose = {
  ...{ till: "counter", day: "2026-11-27", timeZone: "Europe/Berlin", complete: false },
  ...{ totals: [], sales: [], serverTime: 0 },
};
