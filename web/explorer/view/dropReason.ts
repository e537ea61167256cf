/** Reasons for which a chain block gave a payment no effect, as messages of the catalogues. */
import type { PageTexts, PlainKey } from "./pageTexts.ts";

const KEYS = {
  "tx/nullifier-spent": "reason.spent",
  "tx/anchor-not-final": "reason.anchorYoung",
  "tx/anchor-too-old": "reason.anchorOld",
  "tx/anchor-block-mismatch": "reason.anchorBlock",
  "shielded/proof-invalid": "reason.proof",
  "shielded/spend-signature-invalid": "reason.signature",
  "shielded/binding-signature-invalid": "reason.balance",
} as const satisfies Readonly<Record<string, PlainKey>>;

/** The message of a code; null for one that is shown as it is. */
export function reasonKeyOf(code: string): PlainKey | null {
  const known: Readonly<Record<string, PlainKey>> = KEYS;
  return Object.hasOwn(known, code) ? (known[code] ?? null) : null;
}

/** The reason in words, or its code where there are none. */
export function dropReasonText(code: string, { t }: Pick<PageTexts, "t">): string {
  const key = reasonKeyOf(code);
  return key === null ? t("reason.code", { code }) : t(key);
}
