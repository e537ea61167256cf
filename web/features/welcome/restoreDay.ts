/** Date field of the restore form: the day on which the wallet was first used (its birthday). */
import type { RestoreFrom } from "../../wallet-api/walletApi.ts";

/** An empty or unreadable day means that everything is scanned. */
export function restoreFrom(day: string): RestoreFrom {
  const ms = Date.parse(day);
  return Number.isNaN(ms) ? { kind: "genesis" } : { kind: "date", ms };
}

/** A day as a date field writes it, on this machine's calendar. */
export function dayText(date: Date): string {
  const pad = (value: number, length: number) => String(value).padStart(length, "0");
  return [pad(date.getFullYear(), 4), pad(date.getMonth() + 1, 2), pad(date.getDate(), 2)].join(
    "-",
  );
}

/** True for a day after today: no wallet was used on it. */
export function isInFuture(day: string, today: Date): boolean {
  return !Number.isNaN(Date.parse(day)) && day > dayText(today);
}
