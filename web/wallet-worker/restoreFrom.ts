/** Birthday of a restored wallet: from what a person says about its age to the stored value. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { dayOf, type Birthday } from "@svc/shared/wallet/sync/birthday.ts";
import type { StoredNetwork } from "./database.ts";
import type { RestoreFrom } from "../wallet-api/walletApi.ts";

/**
 * The birthday to store: a day by this machine's clock, so that no node's word about the time is in it. A date later than now
 * counts as now.
 */
export function birthdayOf(from: RestoreFrom, nowMs: TimestampMs): Birthday {
  switch (from.kind) {
    case "genesis":
      return "genesis";
    case "now":
      return { day: dayOf(nowMs), fresh: true };
    case "date":
      return { day: Math.min(Math.max(0, dayOf(BigInt(from.ms))), dayOf(nowMs)), fresh: false };
  }
}

/**
 * The stored birthday. Earlier versions kept a blue score that a node had named, or "now": wallets that were never opened with
 * one scan everything.
 */
export function readBirthday(stored: StoredNetwork["birthday"]): Birthday {
  return typeof stored === "object" ? stored : "genesis";
}
