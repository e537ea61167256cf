/** Schemas of an amount in a request of the wallet API, which may be written in sompi or in coins. */
import * as v from "valibot";
import { asSompi, U64_MAX, type Sompi } from "../../base/brand.ts";
import { formOf } from "../contract/fieldForm.ts";
import { NumberText } from "../contract/numberText.ts";
import { sompiField } from "../contract/requestFields.ts";
import { sompiOfCoins } from "./coinNumber.ts";
import { FIELD_FORMS } from "./fieldForms.ts";

const COINS = "a number of coins";

/** A number of coins that a JSON number writes. */
const coinsField = v.pipe(
  v.instance(NumberText, COINS),
  formOf({
    type: "number",
    description: "Coins. It is read from its digits and rounded at the eighth decimal.",
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Sompi => {
    const sompi = sompiOfCoins(dataset.value.text);
    if (sompi !== undefined && sompi <= U64_MAX) return asSompi(sompi);
    addIssue({ message: COINS });
    return NEVER;
  }),
);

/** The two ways to say an amount. The exact one wins. */
export const amountFields = {
  amount_sompi: v.nullish(sompiField),
  amount_fc: v.nullish(coinsField),
};

type TwoAmounts = {
  readonly amount_sompi?: Sompi | null | undefined;
  readonly amount_fc?: Sompi | null | undefined;
  readonly fee?: Sompi | null | undefined;
};

/** Puts one positive `amount` in the place of the two ways to say it. With the least fee, where one is named, it fits 64 bits. */
export function oneAmount<T extends TwoAmounts>() {
  return v.rawTransform<T, Omit<T, keyof typeof amountFields> & { readonly amount: Sompi }>(
    ({ dataset, addIssue, NEVER }) => {
      const { amount_sompi: exact, amount_fc: coins, ...others } = dataset.value;
      const amount = exact ?? coins ?? undefined;
      const fits = amount === undefined || amount + (dataset.value.fee ?? 0n) <= U64_MAX;
      if (amount !== undefined && amount > 0n && fits) return { ...others, amount };
      const { anAmount, withFee } = FIELD_FORMS;
      const message = amount === undefined ? anAmount : fits ? "positive" : withFee;
      const input = dataset.value;
      addIssue({
        message,
        path: [
          { type: "object", origin: "value", input: { ...input }, key: "amount", value: amount },
        ],
      });
      return NEVER;
    },
  );
}
