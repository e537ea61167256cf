/** Birthday of a restored wallet: from what a person says about its age to the stored value. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { dayOf, type Birthday } from "@svc/shared/wallet/sync/birthday.ts";
import type { StoredNetwork } from "./database.ts";
import type { BackupFacts } from "../../wallet-api/backupFacts.ts";
import type { RestoreFrom } from "../../wallet-api/walletApi.ts";

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
      return dayAt(dayOf(BigInt(from.ms)), nowMs);
    case "backup": {
      const { birthday } = from.facts;
      return birthday === "genesis" ? "genesis" : dayAt(birthday.day, nowMs);
    }
  }
}

/** Whether the birthday is a day that somebody remembered. */
export function isGuessed(from: RestoreFrom): boolean {
  if (from.kind !== "backup") return from.kind === "date";
  return from.facts.birthdayGuessed && from.facts.birthday !== "genesis";
}

/**
 * What a backup says of where the wallet begins. A scan from the chain's first block may have replaced a day that was not known
 * to this program.
 */
export function backupFacts(
  stored: Birthday,
  scanned: { readonly fromGenesis: boolean; readonly birthdayGuessed: boolean },
): BackupFacts {
  if (stored === "genesis" || (scanned.fromGenesis && !stored.fresh)) {
    return { birthday: "genesis", birthdayGuessed: false };
  }
  return { birthday: { day: stored.day }, birthdayGuessed: scanned.birthdayGuessed };
}

function dayAt(day: number, nowMs: TimestampMs): Birthday {
  return { day: Math.min(Math.max(0, day), dayOf(nowMs)), fresh: false };
}

/**
 * The stored birthday. Earlier versions kept a blue score that a node had named, or "now": wallets that were never opened with
 * one scan everything.
 */
export function readBirthday(stored: StoredNetwork["birthday"]): Birthday {
  return typeof stored === "object" ? stored : "genesis";
}
