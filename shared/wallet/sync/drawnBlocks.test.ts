import { describe, expect, it } from "vitest";
import { asBlueScore, asChainIndex, asTxId } from "../../base/brand.ts";
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

function drawn(index: number): DrawnBlock {
  const block = view[index];
  if (block === undefined) throw new Error("no such block");
  return { block, txid: asTxId(index.toString(16).padStart(64, "0")) };
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
  blocks
    .upTo(TOP)
    .map(({ block }) => Number(block.chainIndex))
    .toSorted((one, other) => one - other);
const tipOf = (index: number) => drawn(index).block.blueScore;
const gone = new SvcError("chain/pruned", { hash: "" });

describe("drawn payments that wait", () => {
  it("are told with what covers their blocks, and are gone with them", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const [one, two, three] = [drawn(3), drawn(5), drawn(9)];
    for (const each of [one, two, three]) blocks.add(each);
    expect(blocks.upTo(two.block.chainIndex)).toEqual([two, one]);
    blocks.shown(two, tipOf(9));
    blocks.cut(drawn(8).block);
    expect(blocks.upTo(TOP)).toEqual([one]);
    // What was taken in does not come again.
    blocks.reset(null, one.block.chainIndex, null);
    expect(blocks.upTo(TOP)).toEqual([one]);
    blocks.reset(null, asChainIndex(one.block.chainIndex - 1n), null);
    expect(blocks.upTo(TOP)).toEqual([]);
    blocks.add(one);
    blocks.clear();
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
    expect(places(blocks)).toEqual([...kept.toSpliced(2, 1), MAX + 2]);
    // A reorganisation makes those that were drawn no fewer.
    blocks.cut(drawn(MAX).block);
    blocks.add(drawn(MAX));
    blocks.add(drawn(1));
    expect(asked.at(-1)).toBe(`${MAX + 4} of ${MAX + 4}`);
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
  const tip = drawn(MAX + 9).block.blueScore;
  const miss = (blocks: DrawnBlocks, ...missed: readonly DrawnBlock[]) => {
    blocks.beginLook();
    for (const one of missed) blocks.missed(one, tip, gone);
    return blocks.takeMissing(false)?.code ?? null;
  };

  it("is dropped where it is old: the node may have forgotten it", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const old = drawn(3);
    blocks.add(old);
    const far = old.block.blueScore + WALLET_LIMITS.evidenceDrawnRecent;
    blocks.missed(old, asBlueScore(far + 1n), gone);
    expect([blocks.upTo(TOP), blocks.takeMissing(false)]).toEqual([[], null]);
    blocks.add(old);
    blocks.missed(old, asBlueScore(far), gone);
    expect(blocks.upTo(TOP)).toEqual([old]);
  });

  it("is asked for again, and from the third look on the node is named, whatever else it shows", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const [one, two] = [drawn(3), drawn(5)];
    for (const each of [one, two]) blocks.add(each);
    expect([miss(blocks, one), miss(blocks, one)]).toEqual([null, null]);
    expect(blocks.upTo(TOP)).toEqual([one, two]);
    blocks.shown(two, tip);
    for (let look = 0; look < 3; look += 1) {
      expect(miss(blocks, one)).toBe("evidence/not-shown");
      expect(blocks.upTo(TOP)).toEqual([one]);
    }
    // Age is no excuse for what was refused before.
    blocks.missed(one, asBlueScore(tip + 2n * WALLET_LIMITS.evidenceDrawnRecent), gone);
    expect(blocks.upTo(TOP)).toEqual([one]);
    blocks.shown(one, tip);
    expect([miss(blocks), blocks.upTo(TOP)]).toEqual([null, []]);
  });

  it("comes first with another one, then the newest of the others", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((index) => drawn(index));
    if (!one || !two || !three || !four || !five) throw new Error("five");
    for (const each of [one, two, three, four, five]) blocks.add(each);
    miss(blocks, one, two, three);
    miss(blocks, three, two);
    miss(blocks, three);
    expect(blocks.upTo(TOP)).toEqual([three, two, five, four, one]);
  });

  it("waits again where the evidence that showed it was not taken", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const [one, two] = [drawn(3), drawn(5)];
    for (const each of [one, two]) blocks.add(each);
    blocks.shown(one, tipOf(20));
    blocks.shown(two, tipOf(30));
    expect(blocks.upTo(TOP)).toEqual([]);
    blocks.reset(null, TOP, tipOf(20));
    expect(blocks.upTo(TOP)).toEqual([two]);
    // What lies above what was taken in is read again.
    blocks.shown(two, tipOf(30));
    blocks.reset(null, one.block.chainIndex, null);
    expect(blocks.upTo(TOP)).toEqual([]);
  });

  it("counts once a look, and each block for itself", () => {
    const blocks = new DrawnBlocks(chance().draw, null);
    const three = [drawn(3), drawn(5), drawn(9)];
    for (const each of three) blocks.add(each);
    expect(miss(blocks, ...three)).toBeNull();
    const [one = drawn(3)] = three;
    expect(miss(blocks, one, one, one)).toBeNull();
    expect(miss(blocks, one)).toBe("evidence/not-shown");
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
    blocks.shown(one, tipOf(9));
    expect(blocks.wantsOne).toBe(false);
    blocks.reset(fault, TOP, tipOf(9));
    expect(blocks.wantsOne).toBe(true);
    blocks.reset({ code: "evidence/other-coins", data: {} }, TOP, null);
    expect(blocks.wantsOne).toBe(false);
  });
});
