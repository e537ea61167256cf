/** Reads what the page's script uses of a checkout record. */
import type { MarkedRecord } from "@svc/shared/gateway/page/checkoutMark.ts";

/** The fields that the script uses. */
export type HeardRecord = MarkedRecord & { readonly confirmations: number };

/** Reads JSON; null for anything else. */
export function readRecord(json: string): HeardRecord | null {
  const fields = objectOf(json);
  const text = (name: string): string => {
    const value = fields?.[name];
    return typeof value === "string" ? value : "";
  };
  const number = (name: string): number => Number(fields?.[name] ?? 0);
  const flag = (name: string): boolean => fields?.[name] === true;
  if (typeof fields?.["status"] !== "string") return null;
  return {
    status: text("status"),
    version: number("version"),
    dueSompi: text("dueSompi"),
    seenSompi: text("seenSompi"),
    late: flag("late"),
    expired: flag("expired"),
    canTopUp: flag("canTopUp"),
    expiresAt: number("expiresAt"),
    confirmations: number("confirmations"),
  };
}

function objectOf(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value))
      : null;
  } catch {
    return null;
  }
}
