/** Names that an owner gives to own addresses, by the index of the address. */
import { fields } from "../../base/fields.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { LabelForm, type Labels } from "./labelForm.ts";

/** Name by address index; an address without one is not in it. */
export type AddressLabels = Labels<number>;

/** How they are changed, written and read. */
export const addressLabels = new LabelForm({
  key: fields.u32,
  chars: WALLET_LIMITS.addressLabelChars,
});
