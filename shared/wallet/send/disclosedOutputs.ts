/** Disclosed outputs of a proved payment: what its payer keeps to show a third party what was paid. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { encodeHex } from "../../base/hex.ts";
import type { DisclosedOutput, Payee } from "../state/payment.ts";
import type { ProvedPayment } from "../state/ports.ts";

const schema = v.array(
  v.object({ outValue: fields.sompi, outRecipient: fields.rawAddress, outRseed: fields.hex }),
);

/** Where the actions of a bundle begin, the bytes of one, and those of the nullifier that it begins with (specification shielded 3). */
const ACTIONS_AT = 113;
const ACTION_BYTES = 884;
const NULLIFIER_BYTES = 32;

/** The outputs to the payees, with the indices of their actions, from a prover's disclosure and bundle. */
export function disclosedOutputs(
  { disclosure, bundle }: Pick<ProvedPayment, "disclosure" | "bundle">,
  payees: readonly Payee[],
): readonly DisclosedOutput[] {
  const paid = new Set(payees.map(({ recipient, value }) => `${recipient}:${value}`));
  return v.parse(schema, JSON.parse(disclosure)).flatMap((entry, index) => {
    const { outRecipient: recipient, outValue: value, outRseed: rseed } = entry;
    const rho = nullifierOf(bundle, index);
    return paid.has(`${recipient}:${value}`)
      ? [{ index, recipient, value, rseed, ...(rho !== null && { rho }) }]
      : [];
  });
}

/** The nullifier of an action; null for a bundle without it. */
function nullifierOf(bundle: Uint8Array, index: number): string | null {
  const start = ACTIONS_AT + ACTION_BYTES * index;
  const nullifier = bundle.subarray(start, start + NULLIFIER_BYTES);
  return nullifier.length === NULLIFIER_BYTES ? encodeHex(nullifier) : null;
}
