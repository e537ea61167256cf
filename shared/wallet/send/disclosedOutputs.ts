/** Disclosed outputs of a proved payment: what its payer keeps to show a third party what was paid. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import type { DisclosedOutput, Payee } from "../state/payment.ts";

const schema = v.array(
  v.object({ outValue: fields.sompi, outRecipient: fields.rawAddress, outRseed: fields.hex }),
);

/** The outputs to the payees, with the indices of their actions, from a prover's disclosure. */
export function disclosedOutputs(
  disclosure: string,
  payees: readonly Payee[],
): readonly DisclosedOutput[] {
  const paid = new Set(payees.map(({ recipient, value }) => `${recipient}:${value}`));
  return v.parse(schema, JSON.parse(disclosure)).flatMap((entry, index) => {
    const { outRecipient: recipient, outValue: value, outRseed: rseed } = entry;
    return paid.has(`${recipient}:${value}`) ? [{ index, recipient, value, rseed }] : [];
  });
}
