/**
 * Tests of what no state root covers: ciphertexts that a node changed are found with a second node and by drawn payments, a tip that
 * stands still is told, and no second node can take anything away. What is asked for is the same whoever owns the notes.
 */
import { describe, expect, it } from "vitest";
import { asBlockHash, asBlueScore, asChainIndex } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { DrawPayment } from "../state/ports.ts";
import { sumOfNotes, unspentNotes } from "../state/walletState.ts";
import { freshWallet, type ChainModel } from "../testkit/chainModel.ts";
import { longStory } from "../testkit/evidenceLies.ts";
import { ModelEvidence } from "../testkit/modelEvidence.ts";
import { first, never, PAID_AT, running, TOTAL, type Begin } from "../testkit/opinionRun.ts";
import { veiledAt } from "../testkit/secondNode.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { secondClaim } from "../view/backing.ts";
import { WalletSync } from "../sync/walletSync.ts";
import { openWallet } from "./openWallet.ts";

describe("a second node", () => {
  it("shows a payment that the wallet's node hid, and the page is scanned again", async () => {
    const truth = longStory();
    const run = await running(truth, { own: veiledAt(truth, PAID_AT), other: truth });
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, "evidence/other-page"]);
    expect(run.sync.state.proof).toMatchObject({ fault: null, near: { chainIndex: 35n } });

    run.node.model = truth;
    truth.addEmpty(1_300);
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("is asked about the last blocks of an earlier session, too, which come again", async () => {
    const truth = longStory();
    truth.add({ txs: [{ txid: truth.txid(), outputs: [{ value: 1n }] }] });
    const run = await running(truth, { own: veiledAt(truth, truth.length), other: truth });
    await run.look();
    expect(run.total()).toBe(TOTAL);
    await run.sync.close();

    run.node.model = truth;
    truth.addEmpty(20);
    const { account } = freshWallet();
    const later = await openWallet(run.parts, account, "genesis", never);
    await later.catchUp(never);
    expect(sumOfNotes(unspentNotes(later.state))).toBe(TOTAL + 1n);
    expect(later.state.proof.second.compared).toBe(BigInt(truth.length - 15));
    expect(later.state.proof.fault).toBeNull();
    await later.close();
  });

  it("is no longer heard of once it is no longer asked", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, other: veiledAt(truth, PAID_AT) });
    await run.look();
    expect(run.said()).toBe("evidence/other-page");
    const { second: _, ...evidence } = run.parts.evidence;
    const alone = new WalletSync({ ...run.parts, evidence }, run.sync.state, run.sync.tree);
    expect(secondClaim(alone.state)).toBeNull();
  });

  it("hides nothing that the wallet's node shows", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, other: veiledAt(truth, PAID_AT) });
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, "evidence/other-page"]);
  });

  it("has the same pages: nothing is asked twice, nothing is said", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, other: truth });
    expect(await run.look()).toBeNull();
    expect(run.second.asked).toEqual([expect.stringContaining("records"), "tip"]);
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("tells another chain: that is said, and no page is scanned again", async () => {
    const truth = longStory();
    const other = truth.retold((block) => block);
    other.swapLeaf(PAID_AT, "77".repeat(32));
    const run = await running(truth, { own: truth, other });
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, "evidence/other-page"]);
    expect(run.node.asked.filter((asked) => asked.startsWith("blocks"))).toHaveLength(1);
  });

  it("is away, or does not know the blocks: nothing is said", async () => {
    const truth = longStory();
    const behind = truth.retold((block) => block);
    behind.cut(10);
    const run = await running(truth, { own: truth, other: behind });
    expect(await run.look()).toBeNull();
    run.second.fault = new SvcError("wallet/node-unreachable", { url: "" });
    truth.addEmpty(400);
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("is away, and another one stands in for it", async () => {
    const truth = longStory();
    const begin = { own: veiledAt(truth, PAID_AT), other: truth, spare: truth };
    const run = await running(truth, begin);
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, "evidence/other-page"]);
    const [second, third] = run.others.words;
    expect(second).toMatchObject({ state: "offline", records: null });
    expect(third).toMatchObject({ state: "online", records: "other" });
    expect(run.others.asked.url).toBe("third");
  });

  it("is far above for several looks: that is said until it is not", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, other: truth });
    const found: unknown[] = [];
    run.second.ahead = WALLET_LIMITS.walletSyncedWithin + 1n;
    for (const ahead of [1, 1, 1, 0]) {
      if (ahead === 0) run.second.ahead = 0n;
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      await run.look();
      found.push(run.said());
      run.clock.now += WALLET_LIMITS.evidenceTipEveryMs;
    }
    expect(found).toEqual([null, null, "evidence/behind-other", null]);
    await run.look();
    expect(run.second.asked.filter((asked) => asked === "tip")).toHaveLength(5);
    await run.look();
    expect(run.second.asked.filter((asked) => asked === "tip")).toHaveLength(5);
  });

  it("is far above the pages of a node, whatever tip that node names", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, other: truth });
    const ahead = WALLET_LIMITS.walletSyncedWithin + 1n;
    run.second.ahead = ahead;
    const honest = run.node.tip.bind(run.node);
    run.node.tip = async () => {
      const { chainIndex, sinkBlueScore, ...tip } = await honest();
      const sink = asBlockHash("ab".repeat(32));
      const score = asBlueScore(sinkBlueScore + ahead);
      return { ...tip, sink, chainIndex: asChainIndex(chainIndex + ahead), sinkBlueScore: score };
    };
    for (let look = 0; look < WALLET_LIMITS.evidenceTries; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      await run.look();
      run.clock.now += WALLET_LIMITS.evidenceTipEveryMs;
    }
    expect(run.said()).toBe("evidence/behind-other");
  });
});

describe("a drawn payment", () => {
  it("that the node changed is found, named, and undone; with an honest node the wallet is right", async () => {
    const truth = longStory();
    const run = await running(truth, { own: veiledAt(truth, PAID_AT), draw: first });
    expect(await run.look()).toBe("evidence/other-payload");
    expect([run.total(), run.said()]).toEqual([0n, "evidence/other-payload"]);

    run.node.model = truth;
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("stays a fault of the node until a payment of it holds, whatever work it shows", async () => {
    const truth = longStory();
    let draws = 0;
    const run = await running(truth, {
      own: veiledAt(truth, PAID_AT),
      draw: (count) => (count > 0 && draws++ === 0 ? 0 : null),
    });
    await run.look();
    expect(await run.look()).toBeNull();
    expect(run.sync.state.proof.near).not.toBeNull();
    expect(run.said()).toBe("evidence/other-payload");
  });

  it("stays one though the node then shows nothing at all", async () => {
    const truth = longStory();
    const shown = new ModelEvidence(truth);
    let draws = 0;
    const run = await running(truth, {
      own: veiledAt(truth, PAID_AT),
      draw: (count) => (count > 0 && draws++ === 0 ? 0 : null),
      shown,
    });
    await run.look();
    shown.fault = new SvcError("http/not-found", { path: "/v1/evidence" });
    for (let look = 0; look < WALLET_LIMITS.evidenceTries; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      await run.look();
      expect(run.said()).toBe("evidence/other-payload");
    }
  });

  it("that holds says nothing", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, draw: first });
    expect(await run.look()).toBeNull();
    expect(run.node.asked.filter((asked) => asked.startsWith("payload"))).toHaveLength(1);
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("that a node shows again and again not is said", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, draw: first });
    run.node.payload = async () => {
      throw new SvcError("chain/pruned", { hash: "" });
    };
    const said: unknown[] = [];
    for (let page = 0; page < 3; page += 1) {
      truth.addEmpty(Number(WALLET_LIMITS.evidenceMissPause));
      truth.add({ txs: [{ txid: truth.txid() }], foreignLeaves: 2 });
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      await run.look();
      said.push(run.sync.state.proof.fault?.code ?? null);
    }
    expect(said).toContain("evidence/not-shown");
    expect(said[0]).toBeNull();
  });

  it("that a node does not show is asked for again, whatever it shows of others", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth, draw: first });
    const payload = run.node.payload.bind(run.node);
    const hidden = asBlockHash(truth.at(PAID_AT)?.hash ?? "");
    run.node.payload = async (at, place) => {
      if (at === hidden) throw new SvcError("chain/pruned", { hash: at });
      return payload(at, place);
    };
    const said: unknown[] = [];
    for (let page = 0; page < WALLET_LIMITS.evidenceTries; page += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      await run.look();
      said.push(run.sync.state.proof.fault?.code ?? null);
      truth.addEmpty(Number(WALLET_LIMITS.evidenceMissPause));
      truth.add({ txs: [{ txid: truth.txid() }], foreignLeaves: 2 });
    }
    expect(said).toEqual([null, null, "evidence/not-shown"]);
  });

  it("is one of all payments of a page, by the named rate", async () => {
    const counts: number[] = [];
    const draw: DrawPayment = (count, oneIn) => {
      counts.push(count, oneIn);
      return null;
    };
    const truth = longStory();
    const run = await running(truth, { own: truth, draw });
    await run.look();
    expect(counts).toEqual([2, WALLET_LIMITS.evidencePayloadOneIn]);
  });
});

describe("a node that leaves a block above which work was shown", () => {
  it("is named, and stays named while its new chain shows no work", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth });
    expect(await run.look()).toBeNull();
    const far = run.sync.state.proof.far?.hash;
    expect(far).toBeDefined();

    const branch = truth.retold((block) => block);
    branch.cut(0);
    branch.addEmpty(60);
    run.node.model = branch;
    await run.look();
    await run.look();
    const { proof } = run.sync.state;
    expect(proof.fault).toMatchObject({ code: "evidence/contradicted", data: { block: far } });
    expect([proof.far, proof.near]).toEqual([null, null]);
  });

  it("is named where it knows none of the blocks that are remembered, and not where it pruned them", async () => {
    const codes = ["chain/unknown-block", "chain/pruned"] as const;
    const said = codes.map(async (code) => {
      const truth = longStory();
      const run = await running(truth, { own: truth, recentBlocks: 8 });
      expect(await run.look()).toBeNull();
      const known = new Set(run.sync.state.blocks.map(({ hash }) => hash));
      truth.addEmpty(40);
      const { blocks } = run.node;
      run.node.blocks = async (after, limit) => {
        if (known.has(after)) throw new SvcError(code, { hash: after });
        return blocks.call(run.node, after, limit);
      };
      const met = new Set<string | null>();
      run.sync.subscribe(({ proof }) => met.add(proof.fault?.code ?? null));
      await run.look();
      return met.has("evidence/contradicted");
    });
    expect(await Promise.all(said)).toEqual([true, false]);
  });

  it("is followed where the new chain shows work of many minutes: then it was no lie", async () => {
    const truth = longStory();
    const run = await running(truth, { own: truth });
    await run.look();
    const said = new Set<string | undefined>();
    run.sync.subscribe(({ proof }) => said.add(proof.fault?.code));
    truth.cut(0);
    truth.addEmpty(60);
    expect(await run.look()).toBeNull();
    expect([...said]).toContain("evidence/contradicted");
    expect([run.said(), run.sync.state.proof.far?.tip]).toEqual([null, truth.tip]);
  });
});

describe("an owner and a stranger", () => {
  const cases: readonly [string, (truth: ChainModel) => Omit<Begin, "owns">][] = [
    ["a node that hides a payment", (t) => ({ own: veiledAt(t, PAID_AT), other: t })],
    ["a second node that hides one", (t) => ({ own: t, other: veiledAt(t, PAID_AT) })],
    [
      "several, of which one is away",
      (t) => ({ own: veiledAt(t, PAID_AT), other: t, spare: veiledAt(t, PAID_AT) }),
    ],
    ["a false payment that is drawn", (t) => ({ own: veiledAt(t, PAID_AT), draw: first })],
    ["a drawn payment whose block is shown", (t) => ({ own: t, draw: first })],
    ["both", (t) => ({ own: veiledAt(t, PAID_AT), other: t, draw: first })],
  ];
  it.each(cases)("ask the same of both: %s", async (_, begin) => {
    const asked = [true, false].map(async (owns) => {
      const truth = longStory();
      const run = await running(truth, { ...begin(truth), owns });
      for (let looks = 0; looks < 3; looks += 1) {
        truth.addEmpty(3);
        // oxlint-disable-next-line no-await-in-loop -- one look after another
        await run.look();
      }
      const { node, second, third, shown, clock } = run;
      return [node.asked, second.asked, third.asked, shown.asked, clock.sleeps];
    });
    const [owner, stranger] = await Promise.all(asked);
    expect(owner).toEqual(stranger);
    expect(owner?.[0]?.length).toBeGreaterThan(5);
  });
});
