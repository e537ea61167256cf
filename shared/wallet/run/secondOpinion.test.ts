/**
 * Tests of what no state root covers: ciphertexts that a node changed are found with a second node and by drawn payments, a tip that
 * stands still is told, and no second node can take anything away. What is asked for is the same whoever owns the notes.
 */
import { describe, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asSompi,
  type BlockHash,
} from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { DrawPayment } from "../state/ports.ts";
import { sumOfNotes, unspentNotes } from "../state/walletState.ts";
import { EPOCH_POLICY, freshWallet, type ChainModel } from "../testkit/chainModel.ts";
import { longStory } from "../testkit/evidenceLies.ts";
import { ModelEvidence, modelEvidence } from "../testkit/modelEvidence.ts";
import { FoldTree, ManualClock, MemoryStore } from "../testkit/ports.ts";
import { OtherNodes } from "../node/otherNodes.ts";
import {
  anyPayloads,
  BESIDE,
  modelPayloads,
  OpinionNode,
  veiledAt,
  veiledBeside,
  VeilScan,
} from "../testkit/secondNode.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { nodeDoubt, secondClaim } from "../view/backing.ts";
import { WalletSync } from "../sync/walletSync.ts";
import { openWallet } from "./openWallet.ts";

const TOTAL = asSompi(47n * 100_000_000n);
const PAID_AT = 6;
const never = new AbortController().signal;
const first: DrawPayment = (count) => (count > 0 ? 0 : null);
const none: DrawPayment = () => null;

type Begin = {
  readonly own: ChainModel;
  readonly other?: ChainModel;
  /** The chain of a third node, which stands in for the second one: that one is away. */
  readonly spare?: ChainModel;
  readonly draw?: DrawPayment;
  /** What the node shows of the chain, where it is not the truth. */
  readonly shown?: ModelEvidence;
  /** Its payments hold under whatever header it made for them. */
  readonly hasForgedHeaders?: boolean;
  /** Whether chain blocks stand in a log; they do where nothing is said. */
  readonly hasLog?: boolean;
  readonly owns?: boolean;
  readonly recentBlocks?: number;
};

async function running(truth: ChainModel, begin: Begin) {
  const { own, other, spare, draw = none, owns = true } = begin;
  const { recentBlocks = EPOCH_POLICY.recentBlocks, hasLog = true } = begin;
  const shown = begin.shown ?? new ModelEvidence(truth);
  const node = new OpinionNode(own);
  const second = Object.assign(new OpinionNode(other ?? truth), { url: "second" });
  const third = Object.assign(new OpinionNode(spare ?? truth), { url: "third" });
  if (spare !== undefined) second.fault = new SvcError("wallet/node-unreachable", { url: "" });
  const clock = new ManualClock();
  const { genesis, profileDigest } = freshWallet().account;
  const others = new OtherNodes([second, third], {
    network: { genesis, profileDigest },
    clock,
    onChange: () => undefined,
  });
  const parts = {
    policy: { ...EPOCH_POLICY, recentBlocks },
    node,
    scan: new VeilScan(truth, owns),
    store: new MemoryStore(),
    clock,
    makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
    evidence: {
      ...modelEvidence(shown, truth),
      ...(hasLog ? {} : { logFrom: null }),
      payloads:
        begin.hasForgedHeaders === true
          ? anyPayloads(node, draw)
          : modelPayloads(node, truth, draw),
      ...(other === undefined ? {} : { second: spare === undefined ? second : others }),
    },
  };
  const sync = await openWallet(parts, freshWallet().account, "genesis", never);
  const total = () => sumOfNotes(unspentNotes(sync.state));
  /** One look at the node; the code of what it rejects with. */
  const look = async () => {
    const thrown: unknown = await sync.catchUp(never).catch((error: unknown) => error);
    return thrown === undefined ? null : SvcError.from(thrown).code;
  };
  const said = () =>
    (nodeDoubt(sync.state, 0n, EPOCH_POLICY) ?? secondClaim(sync.state))?.code ?? null;
  return { node, second, third, shown, others, clock, parts, sync, total, look, said };
}

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
      truth.add({ txs: [{ txid: truth.txid() }], foreignLeaves: 2 });
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      await run.look();
      said.push(run.sync.state.proof.fault?.code ?? null);
    }
    expect(said).toContain("evidence/not-shown");
    expect(said[0]).toBeNull();
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

/** Evidence of the true chain by a node that tells a block which nobody mined; `path` is what it says of where that one stands. */
class BesideEvidence extends ModelEvidence {
  readonly #path: (at: BlockHash) => Promise<Uint8Array>;

  constructor(truth: ChainModel, path: (at: BlockHash) => Promise<Uint8Array>) {
    super(truth);
    this.#path = path;
  }

  override async membership(of: BlockHash, at: BlockHash): Promise<Uint8Array> {
    return of === BESIDE ? this.#path(at) : super.membership(of, at);
  }

  override async run(from: BlockHash, to: BlockHash): Promise<Uint8Array> {
    const there = from === BESIDE ? trueHash(this.model) : from;
    return super.run(there, to);
  }
}

function trueHash(truth: ChainModel): BlockHash {
  return asBlockHash(truth.at(PAID_AT)?.hash ?? "");
}

describe("a drawn payment under a header that nobody mined", () => {
  it("is found when evidence covers its block, and undone", async () => {
    const truth = longStory();
    const honest = new ModelEvidence(truth);
    const shown = new BesideEvidence(truth, (at) => honest.membership(trueHash(truth), at));
    const own = veiledBeside(truth, PAID_AT);
    const run = await running(truth, { own, draw: first, shown, hasForgedHeaders: true });
    expect(await run.look()).toBe("evidence/other-payload");
    expect([run.total(), run.said()]).toEqual([0n, "evidence/other-payload"]);

    run.node.model = truth;
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("is said not to be shown where the node has no place for its block", async () => {
    const truth = longStory();
    const shown = new BesideEvidence(truth, async () => {
      throw new SvcError("evidence/not-member", { index: 0n, count: 0n });
    });
    const own = veiledBeside(truth, PAID_AT);
    const run = await running(truth, { own, draw: first, shown, hasForgedHeaders: true });
    const said: unknown[] = [];
    for (let look = 0; look < WALLET_LIMITS.evidenceTries; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      expect(await run.look()).toBeNull();
      said.push(run.said());
      truth.addEmpty(20);
      run.node.model = veiledBeside(truth, PAID_AT);
    }
    expect(said).toEqual([null, null, "evidence/not-shown"]);
  });

  it("ends no fault of the node: only one whose block is shown does", async () => {
    const truth = longStory();
    const honest = new ModelEvidence(truth);
    const shown = new BesideEvidence(truth, (at) => honest.membership(trueHash(truth), at));
    const own = veiledBeside(truth, PAID_AT);
    const run = await running(truth, { own, draw: first, shown, hasForgedHeaders: true });
    for (let look = 0; look < 3; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      expect(await run.look()).toBe("evidence/other-payload");
      expect(run.said()).toBe("evidence/other-payload");
    }
  });

  it("from before the log is found by the run that begins at its block", async () => {
    const truth = longStory();
    truth.addEmpty(Number(WALLET_LIMITS.evidenceFarDepth));
    const shown = new BesideEvidence(truth, async () => new Uint8Array());
    const begin = { draw: first, shown, hasForgedHeaders: true, hasLog: false };
    const run = await running(truth, { own: veiledBeside(truth, PAID_AT), ...begin });
    expect(await run.look()).toBe("evidence/other-header");
    expect(run.total()).toBe(0n);

    const fair = await running(truth, { own: truth, ...begin });
    expect(await fair.look()).toBeNull();
    expect([fair.total(), fair.said()]).toEqual([TOTAL, null]);
    expect(fair.sync.state.proof.far?.chainIndex).toBe(BigInt(PAID_AT - 1));
    expect(shown.asked.some((asked) => asked.startsWith(`run ${trueHash(truth)}`))).toBe(true);
  });
});
