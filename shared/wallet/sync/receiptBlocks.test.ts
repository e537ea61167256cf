/** Which blocks a wallet names for a receipt: they follow from the chain, and the block that paid has no say beyond its age. */
import { describe, expect, it } from "vitest";
import { asChainIndex } from "../../base/brand.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { receiptBlocks, receiptFrom } from "./receiptBlocks.ts";

const POLICY = { ...TEST_POLICY, epochBlocks: 1_024n, recentBlocks: 2_112 };

function viewOf(blocks: number) {
  const model = new ChainModel();
  model.addEmpty(blocks);
  return applyFacts(freshWallet(), model.page(1), POLICY).blocks;
}

/** The indices of the blocks of a receipt. */
function named(blocks: number, paid: bigint) {
  const found = receiptBlocks(viewOf(blocks), asChainIndex(paid), POLICY);
  return found && [found.block, found.from, found.to].map(({ chainIndex }) => chainIndex);
}

describe("the blocks of a receipt", () => {
  it("are the same for all young payments, and for all old ones", () => {
    const young = [1_025n, 1_026n, 2_048n].map((paid) => named(2_500, paid));
    expect(new Set(young.map(String))).toEqual(new Set(["2176,2276,2400"]));
    const old = [0n, 1n, 700n, 1_024n].map((paid) => named(2_500, paid));
    expect(new Set(old.map(String))).toEqual(new Set(["1024,1124,2400"]));
  });

  it("leave a hundred blocks below the header, and as many above it", () => {
    expect(named(400, 60n)).toEqual([128n, 228n, 300n]);
  });

  it("are none while the payment is too young, and it is known for how long", () => {
    const paid = 60n;
    const first = receiptFrom(asChainIndex(paid));
    expect(first).toBe(328n);
    expect(named(Number(first) - 1, paid)).toBeNull();
    expect(named(Number(first), paid)).toEqual([64n, 164n, 228n]);
  });
});
