import { describe, expect, it } from "vitest";
import { asChainIndex, asTimestampMs } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Birthday } from "./birthday.ts";
import type { StartBlock } from "../state/ports.ts";
import { ChainModel, EPOCH_POLICY } from "../testkit/chainModel.ts";
import { FoldTree, ModelNode } from "../testkit/ports.ts";
import { recentStart, startsLate } from "./recentStart.ts";

const { signal } = new AbortController();
/** Recent blocks are the last 60, and a birthday 240 below the tip lies far back. */
const policy = { ...EPOCH_POLICY, maxAnchorAge: 20n };

function setUp(blocks: number) {
  const model = new ChainModel();
  model.addEmpty(blocks);
  const node = new ModelNode(model);
  const asked: bigint[] = [];
  const start = (index: bigint): Promise<StartBlock> => {
    asked.push(index);
    return node.start(index);
  };
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  /** So many days after the first one, at the pace of a block a second. */
  const parts = { node: { start }, policy, makeTree, nowMs: asTimestampMs(0n) };
  const begin = async (birthday: Birthday, change: object = {}) => {
    const tip = { ...(await node.tip()), ...change };
    return recentStart({ ...parts, ...change }, birthday, tip, signal);
  };
  return { begin, asked, node };
}

describe("the start of a restored wallet", () => {
  it("is a recent block where the birthday lies far back, and says that it is late", async () => {
    const { begin, asked } = setUp(303);
    const { block, historyMissing } = await begin("genesis");
    expect(block.chainIndex).toBe(240n);
    expect(historyMissing).toBe(true);
    expect(startsLate({ birthday: block, historyMissing })).toBe(true);
    // Nothing of the birthday is in the question.
    expect(asked).toEqual([240n]);
  });

  it("is the birthday where that is not far back", async () => {
    const { begin } = setUp(239);
    const { block, historyMissing } = await begin("genesis");
    expect(block.chainIndex).toBe(0n);
    expect(startsLate({ birthday: block, historyMissing })).toBe(false);
  });

  it("of a wallet that was made a moment ago is where it always was", async () => {
    const { begin } = setUp(303);
    const { block } = await begin({ day: 0, fresh: true });
    expect(block.chainIndex).toBe(296n);
  });

  it("is the birthday where the node has no such block, or gives another one", async () => {
    const { begin, node } = setUp(303);
    // A tip that the node makes up.
    const lied = await begin("genesis", { chainIndex: asChainIndex(5_000n) });
    expect(lied.block.chainIndex).toBe(0n);
    const real = node.start.bind(node);
    const instead = { start: (index: bigint) => real(index === 240n ? 100n : index) };
    expect((await begin("genesis", { node: instead })).block.chainIndex).toBe(0n);
    const pruned = {
      start: async (index: bigint) => {
        if (index > 0n) throw new SvcError("chain/pruned", { hash: "00" });
        return real(0n);
      },
    };
    expect((await begin("genesis", { node: pruned })).block.chainIndex).toBe(0n);
  });

  it("that failed for another reason is told", async () => {
    const { begin, node } = setUp(303);
    node.start = () => Promise.reject(new SvcError("wallet/node-unreachable", { url: "test" }));
    await expect(begin("genesis")).rejects.toThrow("wallet/node-unreachable");
  });
});
