/**
 * Error messages in the language of the page. The English ones come from the shared error registry, so every program says the same; the
 * amounts in them are written as everywhere on the page.
 */
import { filled, infoOf } from "@svc/shared/base/errors.ts";
import type { Code } from "@svc/shared/base/generated/codes.ts";
import { COIN_DECIMALS } from "@svc/shared/base/money.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { amountText } from "./format.ts";
import { language } from "./language.ts";

/** Fields that hold coins as plain decimal text. */
const COIN_FIELDS: { readonly [C in Code]?: readonly string[] } = {
  "wallet/fee-too-high": ["fee", "max"],
  "wallet/funds-maturing": ["needed", "spendable", "maturing"],
  "wallet/insufficient-funds": ["needed", "spendable"],
  "wallet/nothing-to-consolidate": ["sum", "fee"],
};
const PLAIN = /^(\d{1,20})(?:\.(\d{1,8}))?$/;

/** The sentence of an error. A field that is missing reads “?”. */
export function sentenceOf(error: ErrorJson): string {
  const { sentences } = language();
  const data = { ...error.data };
  for (const field of COIN_FIELDS[error.code] ?? []) {
    data[field] = coinsShown(data[field] ?? "?");
  }
  return filled(sentences[error.code] ?? infoOf(error).sentence, data);
}

/** The sentence of an error; null when there is none. */
export function sentenceOrNull(error: ErrorJson | null): string | null {
  return error === null ? null : sentenceOf(error);
}

/** What is no amount after all stays as it is. */
function coinsShown(text: string): string {
  const [, whole, fraction = ""] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return text;
  return amountText(BigInt(whole + fraction.padEnd(COIN_DECIMALS, "0")));
}
