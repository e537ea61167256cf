/** Error messages in the language of the page. The English ones come from the shared error registry, so every program says the same. */
import { filled, infoOf } from "@svc/shared/base/errors.ts";
import type { Code } from "@svc/shared/base/generated/codes.ts";
import { parseCoins } from "@svc/shared/base/money.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { groupedCoins } from "./groupedCoins.ts";
import { language } from "./language.ts";

/** Fields that hold coins as plain decimal text; they are shown as the language writes amounts. */
const COIN_FIELDS: { readonly [C in Code]?: readonly string[] } = {
  "wallet/fee-too-high": ["fee", "max"],
  "wallet/funds-maturing": ["needed", "spendable", "maturing"],
  "wallet/insufficient-funds": ["needed", "spendable"],
};

/** The sentence of an error. A field that is missing reads “?”. */
export function sentenceOf(error: ErrorJson): string {
  const { sentences, locale } = language();
  const data = { ...error.data };
  for (const field of COIN_FIELDS[error.code] ?? []) {
    data[field] = coinsShown(data[field] ?? "?", locale);
  }
  return filled(sentences[error.code] ?? infoOf(error).sentence, data);
}

/** The sentence of an error; null when there is none. */
export function sentenceOrNull(error: ErrorJson | null): string | null {
  return error === null ? null : sentenceOf(error);
}

function coinsShown(text: string, locale: string): string {
  if (text === "0") return text;
  try {
    return groupedCoins(parseCoins(text), locale);
  } catch {
    // Not an amount after all: as it is.
    return text;
  }
}
