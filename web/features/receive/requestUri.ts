/** A payment request as a link, from what its owner typed. */
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import {
  asTimestampMs,
  type AddressText,
  type Sompi,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { formatPaymentUri } from "@svc/shared/wallet/plan/paymentUri.ts";
import { readTypedCoins } from "../../i18n/amounts/readTypedCoins.ts";
import { numbers } from "../../i18n/language.ts";

/** The fields of a request as typed; "" leaves one open. */
export type RequestText = {
  readonly amount: string;
  readonly memo: string;
  readonly label: string;
  /** How long it is meant to be paid, and until when that was as it was chosen; null for no end. */
  readonly validity: Validity;
  readonly expiresMs: TimestampMs | null;
};

/** How long a request is meant to be paid. */
export type Validity = "none" | "hour" | "day";

/** Every choice, in the order in which they are offered. */
export const VALIDITIES: readonly Validity[] = ["none", "hour", "day"];

const LASTS_MS: { readonly [V in Validity]: bigint | null } = {
  none: null,
  hour: 3_600_000n,
  day: 86_400_000n,
};

/** No request: the bare address. */
export const NO_REQUEST: RequestText = {
  amount: "",
  memo: "",
  label: "",
  validity: "none",
  expiresMs: null,
};

/** The end of a request that is made now, by the clock of this browser. */
export function lasting(
  validity: Validity,
  nowMs: number,
): Pick<RequestText, "validity" | "expiresMs"> {
  const lasts = LASTS_MS[validity];
  const expiresMs = lasts === null ? null : asTimestampMs(BigInt(nowMs) + lasts);
  return { validity, expiresMs };
}

/** The link, and the amount that it asks for; or what is wrong with which field, the address alone in place of the link. */
export type PaymentRequest = {
  readonly uri: string;
  readonly amount: Sompi | null;
  readonly faults: { readonly amount: ErrorJson | null; readonly memo: ErrorJson | null };
};

/** Makes the link of a request at an address. What is wrong is told, never left out of the link without a word. */
export function requestUri(address: AddressText, text: RequestText): PaymentRequest {
  const faults = { amount: null, memo: null };
  const typed = text.amount.trim();
  let amount: Sompi | null = null;
  try {
    amount = typed === "" ? null : readTypedCoins(typed, numbers());
  } catch (error) {
    return { uri: address, amount: null, faults: { ...faults, amount: json(error) } };
  }
  try {
    const uri = formatPaymentUri({
      address,
      ...(amount === null ? {} : { amount }),
      memoText: text.memo.trim(),
      label: text.label.trim(),
      ...(text.expiresMs === null ? {} : { expiresMs: text.expiresMs }),
    });
    return { uri, amount, faults };
  } catch (error) {
    return { uri: address, amount: null, faults: { ...faults, memo: json(error) } };
  }
}

function json(error: unknown): ErrorJson {
  return SvcError.from(error).toJSON();
}
