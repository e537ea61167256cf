import { describe, expect, it } from "vitest";
import { asBlockHash, asChainIndex, type BlockHash } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { ChainModel } from "../testkit/chainModel.ts";
import { longStory } from "../testkit/evidenceLies.ts";
import { ManualClock } from "../testkit/ports.ts";
import { OpinionNode } from "../testkit/secondNode.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { OtherNodes } from "./otherNodes.ts";

const never = new AbortController().signal;
const AWAY = new SvcError("wallet/node-unreachable", { url: "" });

const GENESIS = asBlockHash("00".repeat(32));

function hashAt(model: ChainModel, index: number): BlockHash {
  const block = model.at(index);
  if (block === undefined) throw new Error(`block ${index}`);
  return block.hash;
}

/** Three nodes of a chain, and the wallet's view of them. */
async function three(truth: ChainModel = longStory()) {
  const [b, c, d] = ["b", "c", "d"].map((url) => Object.assign(new OpinionNode(truth), { url }));
  if (b === undefined || c === undefined || d === undefined) throw new Error("three nodes");
  const clock = new ManualClock();
  const { genesis, profileDigest } = await b.tip();
  b.asked.length = 0;
  let changes = 0;
  const onChange = () => {
    changes += 1;
  };
  const network = { genesis, profileDigest };
  const others = new OtherNodes([b, c, d], { network, clock, onChange });
  const tip = () => others.tip(never).catch((error: unknown) => SvcError.from(error).code);
  const states = () => others.words.map(({ state }) => state);
  return { truth, b, c, d, clock, others, tip, states, changes: () => changes };
}

describe("several nodes beside the one that is followed", () => {
  it("are asked one at a time: the first, for as long as it answers", async () => {
    const { others, b, c, d, tip, truth, states } = await three();
    await tip();
    await others.recordDigest(GENESIS, hashAt(truth, 5), never);
    await others.blocks(GENESIS, 3, never);
    expect(b.asked).toHaveLength(3);
    expect([...c.asked, ...d.asked]).toEqual([]);
    expect(others.asked.url).toBe("b");
    expect(states()).toEqual(["online", "unasked", "unasked"]);
  });

  it("are told with the time that each took for its last answer", async () => {
    const { others, b, clock, tip } = await three();
    const answerMs = () => others.words.map((word) => word.answerMs);
    expect(answerMs()).toEqual([null, null, null]);
    const quick = b.tip.bind(b);
    b.tip = async () => {
      clock.now += 250n;
      return quick();
    };
    await tip();
    expect(answerMs()).toEqual([250n, null, null]);
    b.tip = async () => {
      clock.now -= 100n;
      return quick();
    };
    await tip();
    expect(answerMs()).toEqual([0n, null, null]);
  });

  it("stand in for one that is away, and it is asked again after a while", async () => {
    const { others, b, clock, tip, states } = await three();
    b.fault = AWAY;
    expect(await tip()).toMatchObject({ sinkBlueScore: expect.anything() });
    expect(others.asked.url).toBe("c");
    expect(states()).toEqual(["offline", "online", "unasked"]);
    expect(others.words[0]?.problem?.code).toBe("wallet/node-unreachable");
    clock.now += WALLET_LIMITS.evidenceSecondReturnMs - 1n;
    await tip();
    expect(others.asked.url).toBe("c");
    b.fault = null;
    clock.now += 1n;
    await tip();
    expect(others.asked.url).toBe("b");
    expect(states()).toEqual(["online", "online", "unasked"]);
    expect(others.words[0]?.problem).toBeNull();
  });

  it("make room for each other where one does not know a block, too, which it says itself", async () => {
    const { others, b, states } = await three();
    b.fault = new SvcError("chain/unknown-block", { hash: "ab".repeat(32) });
    const unknown = asBlockHash("ab".repeat(32));
    await others.recordDigest(unknown, unknown, never).catch(() => undefined);
    expect([others.asked.url, states()[0]]).toEqual(["d", "online"]);
    expect(others.words[1]?.problem?.code).toBe("chain/unknown-block");
  });

  it("go round when all are away, two at each look, and one fails as it is", async () => {
    const { others, b, c, d, tip } = await three();
    for (const node of [b, c, d]) node.fault = AWAY;
    const asked: string[] = [];
    for (let look = 0; look < 4; look += 1) {
      asked.push(others.asked.url);
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      expect(await tip()).toBe("wallet/node-unreachable");
    }
    expect(asked).toEqual(["b", "d", "c", "b"]);
  });

  it("do not answer a page for each other: it belongs to what one of them told before", async () => {
    const { others, b, c, truth } = await three();
    await others.recordDigest(GENESIS, hashAt(truth, 5), never);
    b.fault = AWAY;
    await expect(others.blocks(GENESIS, 5, never)).rejects.toMatchObject({ code: AWAY.code });
    expect(c.asked).toEqual([]);
    expect(others.asked.url).toBe("c");
  });

  it("leave a payment to the one that is asked first, and never to one of another network", async () => {
    const { others, b, tip } = await three();
    expect(others.order.map(({ url }) => url)).toEqual(["b", "c", "d"]);
    const tipOfOther = { ...(await b.tip()), profileDigest: "77".repeat(32) };
    b.tip = async () => tipOfOther;
    expect(await tip()).toMatchObject({ profileDigest: expect.not.stringContaining("77") });
    expect(others.words[0]).toMatchObject({
      state: "refused",
      problem: { code: "wallet/node-wrong-network" },
    });
    expect(others.order.map(({ url }) => url)).toEqual(["c", "d"]);
  });

  it("do not lose their turn to a stop of the wallet", async () => {
    const { others, b } = await three();
    const stop = new AbortController();
    stop.abort();
    b.fault = new SvcError("run/aborted", {});
    await expect(others.tip(stop.signal)).rejects.toMatchObject({ code: "run/aborted" });
    expect([others.asked.url, others.words[0]?.problem]).toEqual(["b", null]);
  });
});

describe("what each node last said", () => {
  it("is its tip as a claim, and how a comparison with it ended", async () => {
    const { others, b, tip, truth } = await three();
    const told = await b.tip();
    const network = "n".repeat(200);
    b.tip = async () => ({ ...told, network });
    await tip();
    others.note("other");
    expect(others.words[0]).toMatchObject({
      state: "online",
      records: "other",
      tip: { chainIndex: BigInt(truth.length), network: "n".repeat(64), timestamp: null },
    });
  });

  it("comes from each of them where somebody looks at the list, who is asked stays", async () => {
    const { others, b, c, d, truth, states } = await three();
    b.fault = AWAY;
    const branch = truth.retold((block) => block);
    branch.cut(5);
    branch.addEmpty(60);
    d.model = branch;
    const proved = { hash: hashAt(truth, 20), chainIndex: asChainIndex(20n) };
    await others.look(proved, never);
    expect(states()).toEqual(["offline", "online", "online"]);
    expect(others.words.map(({ hasProved }) => hasProved)).toEqual([null, true, false]);
    expect(others.asked.url).toBe("b");
    expect(c.asked).toEqual(["tip", `blocks ${proved.hash} 1`]);
  });

  it("is not held against a node whose chain does not reach the proved block, or that pruned it", async () => {
    const { others, b, c, truth } = await three();
    const behind = truth.retold((block) => block);
    behind.cut(10);
    b.model = behind;
    c.blocks = async () => {
      throw new SvcError("chain/pruned", { hash: "" });
    };
    const proved = { hash: hashAt(truth, 20), chainIndex: asChainIndex(20n) };
    await others.look(proved, never);
    expect(others.words.map(({ hasProved }) => hasProved)).toEqual([null, null, true]);
  });

  it("is asked for once, however often somebody looks meanwhile", async () => {
    const { others, b, changes } = await three();
    await Promise.all([others.look(null, never), others.look(null, never)]);
    expect(b.asked).toEqual(["tip"]);
    expect(changes()).toBeGreaterThan(0);
  });
});
