/** Remarks that an owner gives to payments of the history, by the key of the row (`labelKey` of the history's view). */
import * as v from "valibot";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { LabelForm, type Labels } from "./labelForm.ts";

/** Remark by the key of a row; a row without one is not in it. */
export type PaymentLabels = Labels<string>;

/** How they are changed, written and read. */
export const paymentLabels = new LabelForm<string>({
  key: v.pipe(v.string(), v.nonEmpty(), v.maxLength(WALLET_LIMITS.paymentKeyChars)),
  chars: WALLET_LIMITS.paymentLabelChars,
});
