/** Files of receipts: their names, and what fits one. */
import { LIGHT_LIMITS } from "@svc/shared/light/lightLimits.ts";

/** Whether a challenge fits a receipt. */
export function fitsChallenge(text: string): boolean {
  return new TextEncoder().encode(text).length <= LIGHT_LIMITS.receiptChallengeBytes;
}

/** The name of the file: it begins as the transaction's id does. `part`: of a payment in several parts. */
export function receiptFileName(txid: string, part: number | null): string {
  return `payment-${txid.slice(0, 8)}${part === null ? "" : `-${part}`}.receipt`;
}
