/** Files of receipts: their names, and how a browser saves them. */
import { LIGHT_LIMITS } from "@svc/shared/light/lightLimits.ts";

/** Whether a challenge fits a receipt. */
export function fitsChallenge(text: string): boolean {
  return new TextEncoder().encode(text).length <= LIGHT_LIMITS.receiptChallengeBytes;
}

/** The name of the file: it begins as the transaction's id does. `part`: of a payment in several parts. */
export function receiptFileName(txid: string, part: number | null): string {
  return `payment-${txid.slice(0, 8)}${part === null ? "" : `-${part}`}.receipt`;
}

/** Has the browser save a receipt. It leaves the page for the person's own disk, and nothing else. */
export function saveReceipt(receipt: Uint8Array, name: string): void {
  const file = new Blob([receipt.slice()], { type: "application/octet-stream" });
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
