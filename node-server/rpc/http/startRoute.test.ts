import { beforeEach, describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readStart } from "@svc/shared/wallet/node/nodeAnswers.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { fakeTip, hashOf } from "../testkit/fakeNode.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import { v1Routes } from "./v1Routes.ts";

const TREE = new Uint8Array(41).fill(5);
const pruned = (hash: string) => {
  throw new SvcError("chain/pruned", { hash });
};
let chain: FakeChain;

async function ask(path: string) {
  const caller = { host: "test", origin: null };
  const shares = { turn: <T>(_: string, __: AbortSignal, work: () => T) => work() };
  const routes = v1Routes(chain.node, shares);
  routes.onError((error, c) => errorAnswer(c, error));
  const response = await routes.request(path, {}, { caller });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, text, start: () => readStart(bytes) };
}

beforeEach(() => {
  chain = new FakeChain();
  chain.grow(hashOf(1), hashOf(2), hashOf(3));
  const { answers } = chain.node;
  answers.treeState = () => TREE;
  answers.recordOf = (hash) => {
    const index = chain.chain.indexOf(hash);
    const records = chain.node.answers.records;
    if (records === undefined) throw new Error("a chain answers for records");
    return records(chain.chain[index - 1] ?? "", 1);
  };
  answers.chainIndexOf = (hash) => BigInt(chain.chain.indexOf(hash));
});

describe("GET /v1/start", () => {
  it("gives the chain block at an index with its tree", async () => {
    expect((await ask("/start?index=2")).start()).toMatchObject({
      hash: hashOf(2),
      chainIndex: 2n,
      tree: TREE,
    });
  });

  it("knows the tree of genesis without asking for it", async () => {
    chain.node.answers.treeState = pruned;
    const { start } = await ask("/start?index=0");
    expect(start()).toEqual({
      hash: hashOf(0),
      chainIndex: 0n,
      blueScore: 0n,
      daaScore: 0n,
      timestamp: 0n,
      tree: new Uint8Array(41),
    });
  });

  it("goes back to genesis where a tree is gone and the history is whole", async () => {
    chain.node.answers.treeState = pruned;
    expect((await ask("/start?index=2")).start()).toMatchObject({ chainIndex: 0n });
  });

  it("begins at the pruning point where the history begins late", async () => {
    const facts: object = JSON.parse(fakeTip(3));
    const late = { ...facts, historyComplete: false, pruningPoint: hashOf(3) };
    chain.node.answers.tip = () => JSON.stringify(late);
    chain.node.answers.treeState = (hash) => (hash === hashOf(3) ? TREE : pruned(hash));
    expect((await ask("/start?index=1")).start()).toMatchObject({
      hash: hashOf(3),
      chainIndex: 3n,
    });
    // The tree of genesis is known to everybody, but no page follows it here.
    expect((await ask("/start?index=0")).start()).toMatchObject({
      hash: hashOf(3),
      chainIndex: 3n,
      tree: TREE,
    });
  });

  it.each([
    ["/start", 400, "http/bad-request"],
    ["/start?index=x", 400, "codec/"],
    ["/start?index=4", 404, "chain/unknown-block"],
  ])("answers %s with %i", async (path, status, code) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(code);
  });
});
