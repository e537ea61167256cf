/** Reads a payment link into the fields of the payment form. */
import { formatCoins } from "@svc/shared/base/money.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { parsePaymentUri, type UriPayment } from "@svc/shared/wallet/plan/paymentUri.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import type { LinkFields } from "../wallet-api/walletApi.ts";

/** The fields of a link whose addresses have this prefix. Throws `uri/…`, `address/…`, `amount/…`. */
export function readLinkFields(
  core: Pick<CoreGlue, "decodeAddress">,
  prefix: string,
  text: string,
): LinkFields {
  const { payments, label, expiresMs } = parsePaymentUri(text, {
    hrp: prefix,
    decodeAddress: (hrp, address) => callCore(() => core.decodeAddress(hrp, address)),
  });
  return { payees: payments.map(linkPayee), label, expiresMs };
}

function linkPayee({ address, amount, memo: hex }: UriPayment): PayeeText {
  const memo = readMemo(hex);
  // The form holds text: a memo of other bytes would be lost without a word.
  if (memo.kind === "bytes") throw new SvcError("uri/unsupported", { key: "memo" });
  return {
    address,
    amount: amount === null ? "" : formatCoins(amount),
    memo: memo.kind === "text" ? memo.text : "",
  };
}
