import { describe, expect, it } from "vitest";
import { asChainIndex, asTxId } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { DrawnBlocks, type DrawnBlock } from "./drawnBlocks.ts";

const MAX = WALLET_LIMITS.evidenceDrawnMax;
const model = new ChainModel();
model.addEmpty(MAX + 10);
const view = applyFacts(freshWallet(), model.page(1), TEST_POLICY).blocks;
const TOP = asChainIndex(BigInt(MAX + 10));

function drawn(index: number, isRecent = true): DrawnBlock {
  const block = view[index];
  if (block === undefined) throw new Error("no such block");
  return { block, txid: asTxId(index.toString(16).padStart(64, "0")), isRecent };
}

/** Places that chance gives, in turn; every question that was asked of it is kept. */
function chance(...places: readonly number[]) {
  const left = [...places];
  const asked: string[] = [];
  const draw = (count: number, oneIn: number) => {
    asked.push(`${count} of ${oneIn}`);
    return count === 0 ? null : (left.shift() ?? 0);
  };
  return { draw, asked };
}

const places = (blocks: DrawnBlocks) =>
  blocks.upTo(TOP).map(({ block }) => Number(block.chainIndex));
const gone = new SvcError("chain/pruned", { hash: "" });

describe("drawn payments that wait", () => {
  it("are told with what covers their blocks, and are gone with them", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const [one, two, three] = [drawn(3), drawn(5), drawn(9)];
    for (const each of [one, two, three]) blocks.add(each);
    expect(blocks.upTo(two.block.chainIndex)).toEqual([one, two]);
    blocks.shown(two);
    blocks.cut(drawn(8).block);
    expect(blocks.upTo(TOP)).toEqual([one]);
    blocks.reset(null);
    expect(blocks.upTo(TOP)).toEqual([]);
  });

  it("stay by chance where there are too many, each as likely", () => {
    const { draw, asked } = chance(MAX, 2);
    const blocks = new DrawnBlocks(draw, null);
    for (let index = 1; index <= MAX; index += 1) blocks.add(drawn(index));
    expect(asked).toEqual([]);
    // A place beyond the last one is that of the new one itself: it does not stay.
    blocks.add(drawn(MAX + 1));
    blocks.add(drawn(MAX + 2));
    expect(asked).toEqual([`${MAX + 1} of ${MAX + 1}`, `${MAX + 2} of ${MAX + 2}`]);
    const kept = Array.from({ length: MAX }, (_, index) => index + 1);
    expect(places(blocks)).toEqual(kept.with(2, MAX + 2));
  });

  it("are one of those that fit, by chance", () => {
    const { draw } = chance(1);
    const blocks = new DrawnBlocks(draw, null);
    for (const index of [3, 5, 9]) blocks.add(drawn(index));
    expect(blocks.oneOf(({ block }) => block.chainIndex > 3n)?.block.chainIndex).toBe(9n);
    expect(blocks.oneOf(() => false)).toBeNull();
  });
});

describe("a block that the node does not show", () => {
  it("is dropped where the node may have forgotten it", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const old = drawn(3, false);
    for (let time = 0; time < WALLET_LIMITS.evidenceTries; time += 1) {
      blocks.add(old);
      blocks.missed(old, gone);
      expect(blocks.upTo(TOP)).toEqual([]);
    }
    expect(blocks.takeMissing()).toBeNull();
  });

  it("is asked for again at the tip, and after some times in a row the node is named, once", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const [one, two] = [drawn(3), drawn(5)];
    for (const each of [one, two]) blocks.add(each);
    blocks.missed(one, gone);
    blocks.missed(one, gone);
    blocks.shown(two);
    for (let time = 0; time < WALLET_LIMITS.evidenceTries; time += 1) {
      expect([blocks.takeMissing(), blocks.upTo(TOP)]).toEqual([null, [one]]);
      blocks.missed(one, gone);
    }
    expect(blocks.takeMissing()?.toJSON()).toMatchObject({ code: "evidence/not-shown" });
    expect([blocks.takeMissing(), blocks.upTo(TOP)]).toEqual([null, []]);
  });
});

describe("a node one of whose payments was false", () => {
  it("shows one of every page until one waits, and again until a block is shown", () => {
    const fault = { code: "evidence/other-payload", data: {} } as const;
    const blocks = new DrawnBlocks(chance().draw, fault);
    expect(blocks.wantsOne).toBe(true);
    blocks.add(drawn(3));
    expect(blocks.wantsOne).toBe(false);
    blocks.cut(drawn(1).block);
    expect(blocks.wantsOne).toBe(true);
    const one = drawn(2);
    blocks.add(one);
    blocks.shown(one);
    expect(blocks.wantsOne).toBe(false);
    blocks.reset(fault);
    expect(blocks.wantsOne).toBe(true);
    blocks.reset({ code: "evidence/other-coins", data: {} });
    expect(blocks.wantsOne).toBe(false);
  });
});
