import { describe, expect, it } from "vitest";
import { asDaaScore } from "../../base/brand.ts";
import type { StartBlock } from "../state/ports.ts";
import { ChainModel, EPOCH_POLICY } from "../testkit/chainModel.ts";
import { FoldTree, ModelNode } from "../testkit/ports.ts";
import { startBelow } from "./birthday.ts";

const { signal } = new AbortController();

/** A node over a chain of 60 blocks, whose trees begin at an index; rows of epochs have four blocks. */
function setUp(from = 0) {
  const model = new ChainModel();
  model.addEmpty(60);
  const node = new ModelNode(model);
  const start = (index: bigint): Promise<StartBlock> =>
    node.start(index < BigInt(from) ? BigInt(from) : index);
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const parts = {
    node: { start },
    policy: EPOCH_POLICY,
    makeTree,
  };
  return async (daaScore: bigint) => {
    const found = await startBelow(parts, asDaaScore(daaScore), await node.tip(), signal);
    return { index: Number(found.block.chainIndex), missing: found.historyMissing };
  };
}

describe("a birthday by its DAA score", () => {
  it("is rounded down to the row of epochs that begins below it", async () => {
    const find = setUp();
    expect(await find(0n)).toEqual({ index: 0, missing: false });
    expect(await find(1n)).toEqual({ index: 0, missing: false });
    expect(await find(4n)).toEqual({ index: 0, missing: false });
    expect(await find(5n)).toEqual({ index: 4, missing: false });
    expect(await find(33n)).toEqual({ index: 32, missing: false });
  });

  it("above the tip is a settled block", async () => {
    expect(await setUp()(10_000n)).toEqual({ index: 52, missing: false });
  });

  it("below the node's history begins with it, and says that something may be missing", async () => {
    const find = setUp(18);
    expect(await find(7n)).toEqual({ index: 18, missing: true });
    expect(await find(18n)).toEqual({ index: 18, missing: true });
    expect(await find(19n)).toEqual({ index: 18, missing: false });
    expect(await find(30n)).toEqual({ index: 28, missing: false });
  });

  it("asks the node a number of times that grows with the logarithm of the chain", async () => {
    const model = new ChainModel();
    model.addEmpty(4_000);
    const node = new ModelNode(model);
    const parts = {
      node,
      policy: EPOCH_POLICY,
      makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
    };
    await startBelow(parts, asDaaScore(2_345n), await node.tip(), signal);
    expect(node.calls.filter((call) => call === "start").length).toBeLessThan(13);
  });
});
