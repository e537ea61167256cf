import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { PROTOCOL_LIMITS } from "../../protocol/protocolLimits.ts";
import { followingBlock } from "../state/chainView.ts";
import type { RecordPage } from "../state/ports.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { freshWallet, type ChainModel } from "../testkit/chainModel.ts";
import { longStory } from "../testkit/evidenceLies.ts";
import { ManualClock } from "../testkit/ports.ts";
import { OpinionNode, veiledAt } from "../testkit/secondNode.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { RecordComparer } from "./recordComparer.ts";

const never = new AbortController().signal;
const PAID_AT = 6;

/** The blocks of a model, genesis first. */
function blocksOf(model: ChainModel): ChainBlock[] {
  const blocks: ChainBlock[] = [freshWallet().account.birthday];
  for (let index = 1; index <= model.length; index += 1) {
    const [last, scanned] = [blocks.at(-1), model.at(index)];
    if (last === undefined || scanned === undefined) break;
    blocks.push(followingBlock(last, scanned, BigInt(index)));
  }
  return blocks;
}

/** A comparer that was given the chain up to a block, page by page. */
async function given(own: ChainModel, other: ChainModel, pages: readonly number[]) {
  const second = new OpinionNode(other);
  const comparer = new RecordComparer({ second, clock: new ManualClock() }, null);
  const node = new OpinionNode(own);
  const blocks = blocksOf(own);
  const add = async (from: number, to: number): Promise<void> => {
    const [after] = blocks.slice(from, from + 1);
    if (after === undefined) throw new Error(`block ${from}`);
    const page = await node.blocks(after.hash, to - from);
    comparer.add(after, page, blocks.slice(from + 1, to + 1));
  };
  let from = 0;
  for (const to of pages) {
    // oxlint-disable-next-line no-await-in-loop -- one page after another
    await add(from, to);
    from = to;
  }
  return { comparer, second, blocks, add };
}

describe("a comparison with a second node", () => {
  it("leaves out the last blocks, goes on from the last one compared, and is due now and then", async () => {
    const model = longStory();
    model.addEmpty(700);
    const { comparer, second, blocks, add } = await given(model, model, [30, 36]);
    expect(await comparer.compare(never)).toMatchObject({ type: "same" });
    await add(36, 300);
    expect(await comparer.compare(never)).toBeNull();
    await add(300, 400);
    expect(await comparer.compare(never)).toMatchObject({ type: "same" });
    const at = (index: number) => blocks[index]?.hash ?? "";
    expect(second.asked).toEqual([`records ${at(0)} ${at(21)}`, `records ${at(21)} ${at(385)}`]);
  });

  it("keeps what waits while the second node is away, and at most a page of it", async () => {
    const model = longStory();
    model.addEmpty(PROTOCOL_LIMITS.recordPageMax + 500);
    const { comparer, second, blocks, add } = await given(model, model, [30]);
    second.fault = new SvcError("wallet/node-unreachable", { url: "" });
    expect(await comparer.compare(never)).toBeNull();
    await add(30, 1_500);
    await add(1_500, 2_400);
    second.fault = null;
    expect(await comparer.compare(never)).toMatchObject({ type: "same" });
    const at = (index: number) => blocks[index]?.hash ?? "";
    expect(second.asked.at(-1)).toBe(`records ${at(400)} ${at(2_385)}`);
  });

  it("begins again where an earlier session ended", async () => {
    const model = longStory();
    const { comparer, blocks } = await given(model, model, [30]);
    expect(comparer.resumeAt(blocks)).toBeNull();
    await comparer.compare(never);
    comparer.reset();
    expect(comparer.resumeAt(blocks)).toBe(blocks[15]);
    expect(comparer.resumeAt(blocks.slice(0, 16))).toBeNull();
    expect(comparer.resumeAt(blocks.slice(20))).toBeNull();
    model.addEmpty(700);
    const longer = blocksOf(model);
    expect(comparer.resumeAt(longer)).toBe(longer[model.length - 600]);
    const [below] = blocks.slice(4, 5);
    if (below === undefined) throw new Error("block 4");
    comparer.cut(below);
    expect(comparer.resumeAt(blocks)).toBe(below);
  });

  it("is about the blocks that the chain still has", async () => {
    const model = longStory();
    const { comparer, second, blocks, add } = await given(model, model, [30]);
    const [common] = blocks.slice(10, 11);
    if (common === undefined) throw new Error("block 10");
    comparer.cut(common);
    await add(10, 36);
    expect(await comparer.compare(never)).toMatchObject({ type: "same" });
    expect(second.asked).toEqual([`records ${blocks[0]?.hash} ${blocks[21]?.hash}`]);
  });

  it("gives the other page, where nothing differs that the chain commits to, and rests longer then", async () => {
    const model = longStory();
    model.addEmpty(1_300);
    const { comparer, blocks, add } = await given(veiledAt(model, PAID_AT), model, [36]);
    const found = await comparer.compare(never);
    expect(found).toMatchObject({ type: "other", from: blocks[0], to: blocks[21] });
    expect(found).toMatchObject({ page: { count: 21 } });
    const rest = 4 * Number(WALLET_LIMITS.evidenceCompareEvery);
    await add(36, 36 + rest - 10);
    expect(await comparer.compare(never)).toBeNull();
    await add(36 + rest - 10, 36 + rest + 10);
    expect(await comparer.compare(never)).toMatchObject({ type: "same" });
  });

  it.each([
    ["no record", async (page: RecordPage) => ({ ...page, count: 0, body: new Uint8Array() })],
    ["bytes that are no page", async (page: RecordPage) => ({ ...page, body: page.body.slice(5) })],
  ])("says nothing of a second node that has another digest, and %s", async (_, change) => {
    const model = longStory();
    const { comparer, second } = await given(veiledAt(model, PAID_AT), model, [36]);
    const served = await second.blocks(freshWallet().account.genesis, 21);
    second.blocks = () => change(served);
    expect(await comparer.compare(never)).toBeNull();
  });

  it("is about as many blocks as the other page has", async () => {
    const model = longStory();
    const { comparer, second, blocks } = await given(veiledAt(model, PAID_AT), model, [36]);
    const served = await second.blocks(freshWallet().account.genesis, 8);
    second.blocks = async () => served;
    expect(await comparer.compare(never)).toMatchObject({
      type: "other",
      to: blocks[8],
      page: { count: 8 },
    });
  });
});
