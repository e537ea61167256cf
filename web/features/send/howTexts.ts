/** Texts of the review that say how a payment is made: which notes are spent, what comes back, and in how many transactions. */
import type { PaymentPreview } from "../../wallet-api/walletApi.ts";
import { amountText, durationText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";

/** The part of a preview that these texts look at. */
export type HowPaid = Pick<
  PaymentPreview,
  "notes" | "change" | "changeSeconds" | "transactions" | "repeats" | "shares"
>;

/** The sentences, in their order. */
export function howTexts(preview: HowPaid): readonly string[] {
  const { change, changeSeconds, transactions } = preview;
  const back =
    change === 0n
      ? t("pay.noChange")
      : t("pay.change", { amount: amountText(change), time: durationText(changeSeconds) });
  const texts = [notesText(preview), back];
  return transactions === 1 ? texts : [...texts, t("pay.transactions", { count: transactions })];
}

function notesText({ notes, change, repeats, shares }: HowPaid): string {
  if (repeats.length > 0 && shares) return t("pay.shared", { count: notes });
  if (notes > 1) return t("pay.many", { count: notes });
  return t(change === 0n ? "pay.exact" : "pay.one");
}
