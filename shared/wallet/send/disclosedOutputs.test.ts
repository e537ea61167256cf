/** What a payer keeps of a proved payment. */
import { describe, expect, it } from "vitest";
import { encodeHex } from "../../base/hex.ts";
import { payeeOf } from "../testkit/payments.ts";
import { disclosedOutputs } from "./disclosedOutputs.ts";

const ACTIONS_AT = 113;
const ACTION_BYTES = 884;
const RSEED = "33".repeat(32);
const payee = payeeOf(5n);

function disclosureOf(...values: readonly bigint[]): string {
  const { recipient: outRecipient } = payee;
  const entry = (value: bigint) => ({ outValue: String(value), outRecipient, outRseed: RSEED });
  return JSON.stringify(values.map(entry));
}

describe("the outputs of a payment", () => {
  it("are those of its payees, with the nullifiers of their actions", () => {
    const bundle = new Uint8Array(ACTIONS_AT + 2 * ACTION_BYTES);
    bundle.fill(0xab, ACTIONS_AT + ACTION_BYTES, ACTIONS_AT + ACTION_BYTES + 32);
    const kept = disclosedOutputs({ disclosure: disclosureOf(9n, 5n), bundle }, [payee]);
    const { recipient, value } = payee;
    const rho = encodeHex(new Uint8Array(32).fill(0xab));
    expect(kept).toEqual([{ index: 1, recipient, value, rseed: RSEED, rho }]);
  });

  it("have no nullifier where the bundle has no such action", () => {
    const bundle = new Uint8Array(ACTIONS_AT + 31);
    const [kept] = disclosedOutputs({ disclosure: disclosureOf(5n), bundle }, [payee]);
    expect(kept).not.toHaveProperty("rho");
  });
});
