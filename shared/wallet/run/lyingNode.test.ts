/**
 * Tests of a wallet against each lie of a node: which lies it believes, that it never stops for good, and that it recovers with
 * an honest node, by itself or by the button "scan again" (decision 23).
 */
import { describe, expect, it } from "vitest";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { openWallet } from "./openWallet.ts";
import type { NodePort, RecordPage, ScanPort } from "../state/ports.ts";
import { sumOfNotes, unspentNotes, type WalletState } from "../state/walletState.ts";
import { EPOCH_POLICY, freshWallet } from "../testkit/chainModel.ts";
import { LIES, storyOf, type Lie } from "../testkit/lies.ts";
import { FoldTree, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";
import { SimClock } from "../testkit/simClock.ts";
import { encodeWalletState } from "../state/walletStateCodec.ts";
import { WalletLoop } from "./walletLoop.ts";

const COIN = 100_000_000n;
const identity = freshWallet().account;
const HONEST_TOTAL = 47n * COIN;

/** How a wallet that believed a lie comes right with an honest node. */
type Healing = "by itself" | "scan again";

/** What each lie does: what is shown for a minute, what is said about it, how it heals. */
const OUTCOMES: { readonly [name: string]: readonly [bigint, string | null, Healing] } = {
  "income that nobody paid, buried under a great blue score": [
    10_000_047n * COIN,
    null,
    "by itself",
  ],
  "a payment to the wallet under a spoilt ciphertext": [40n * COIN, null, "scan again"],
  "a spend of the wallet left out": [97n * COIN, null, "scan again"],
  "a spend of the wallet that never was": [40n * COIN, null, "scan again"],
  "a mined note with another value": [HONEST_TOTAL, "wallet/false-record", "scan again"],
  "one note of the wallet twice": [HONEST_TOTAL, "wallet/false-record", "scan again"],
  "more coins than there are": [HONEST_TOTAL, "wallet/false-record", "scan again"],
  "a note outside of its block": [40n * COIN, "wallet/false-record", "scan again"],
  "blue scores that are too high, under true hashes": [HONEST_TOTAL, null, "by itself"],
  "a blue score that falls": [0n, "wallet/bad-page", "by itself"],
  "leaves that do not follow": [0n, "wallet/bad-page", "by itself"],
  "pages that begin elsewhere than asked": [0n, "wallet/bad-page", "by itself"],
  "pages without an end": [HONEST_TOTAL, null, "by itself"],
  "pages without an end, and a tip that is never reached": [HONEST_TOTAL, null, "by itself"],
  "bytes that are no records": [0n, "wallet/bad-page", "by itself"],
  "another root of the note tree": [HONEST_TOTAL, "wallet/tree-mismatch", "by itself"],
  "a tip that never moves": [50n * COIN, null, "by itself"],
  "no block that the wallet knows": [0n, "wallet/bad-page", "by itself"],
  "another chain every time": [0n, "wallet/bad-page", "by itself"],
  "a block more and the chain taken back, over and over": [
    HONEST_TOTAL,
    "wallet/bad-page",
    "by itself",
  ],
  "a beginning that no chain has": [0n, "wallet/bad-page", "by itself"],
  "another network": [0n, "wallet/node-wrong-network", "by itself"],
  "that we stopped it ourselves": [0n, null, "by itself"],
  "that our tree differs": [0n, "wallet/tree-mismatch", "by itself"],
  "that our store failed": [0n, "wallet/storage", "by itself"],
  "that we were cancelled": [0n, "wallet/cancelled", "by itself"],
};

/** A node that can be exchanged for another, as a person chooses one. */
class ChosenNode implements NodePort, ScanPort {
  node: ModelNode;

  constructor(node: ModelNode) {
    this.node = node;
  }

  tip = (...args: Parameters<NodePort["tip"]>) => (this.node as NodePort).tip(...args);
  blocks = (...args: Parameters<NodePort["blocks"]>) => (this.node as NodePort).blocks(...args);
  start = (...args: Parameters<NodePort["start"]>) => (this.node as NodePort).start(...args);
  submit = (...args: Parameters<NodePort["submit"]>) => (this.node as NodePort).submit(...args);

  scan(page: RecordPage) {
    return new ModelScan(this.node.model).scan(page);
  }
}

/** The wallet that an honest node makes of the story, scanned at once. */
async function honest(): Promise<WalletState> {
  const clock = new SimClock();
  const node = new ModelNode(storyOf());
  const parts = partsOf(node, new ModelScan(node.model), clock);
  const { signal } = new AbortController();
  const sync = await openWallet(parts, identity, "genesis", signal);
  const done = sync.catchUp(signal);
  await clock.run(60_000);
  await done;
  return sync.state;
}

function partsOf(node: NodePort, scan: ScanPort, clock: SimClock) {
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  return { policy: EPOCH_POLICY, node, scan, store: new MemoryStore(), clock, makeTree };
}

async function runWith({ tell, atBirth }: Lie) {
  const clock = new SimClock();
  const chosen = new ChosenNode(atBirth ? tell(storyOf()) : new ModelNode(storyOf()));
  const parts = partsOf(chosen, chosen, clock);
  const stop = new AbortController();
  const sync = await openWallet(parts, identity, "genesis", stop.signal);
  chosen.node = tell(storyOf());
  let problem: string | null = null;
  let turns = 0;
  const loop = new WalletLoop({ ...parts, sync }, PAGE_LIMITS.walletPollMs, (facts) => {
    turns += 1;
    problem = facts.problem?.code ?? null;
  });
  const running = loop.run(stop.signal);
  await clock.run(60_000);
  const lied = { state: sync.state, problem, turns };
  const total = () => sumOfNotes(unspentNotes(sync.state));
  return { chosen, sync, clock, lied, total, stop, running, problem: () => problem };
}

describe("a wallet and a node that lies", () => {
  it("has an expectation for each lie", () => {
    expect(LIES.map(({ name }) => name).toSorted()).toEqual(Object.keys(OUTCOMES).toSorted());
  });

  it.each(LIES.map((lie) => [lie.name, lie] as const))("%s", async (name, lie) => {
    const [shown, said, healing] = OUTCOMES[name] ?? [0n, null, "by itself"];
    const run = await runWith(lie);
    expect(run.total()).toBe(shown);
    const { contradiction } = run.lied.state;
    expect(contradiction === null ? run.lied.problem : "wallet/false-record").toBe(said);
    // Neither asleep nor spinning: a look every half a minute at least, and no more than two each half a second.
    expect(run.lied.turns).toBeGreaterThan(1);
    expect(run.lied.turns).toBeLessThan(240);

    run.chosen.node = new ModelNode(storyOf());
    await run.clock.run(120_000);
    const whole = encodeWalletState(await honest());
    if (healing === "scan again") {
      expect(encodeWalletState(run.sync.state)).not.toBe(whole);
      const scanning = run.sync.rescan(run.stop.signal, "genesis");
      await run.clock.run(60_000);
      await scanning;
      await run.clock.run(60_000);
    }
    expect(encodeWalletState(run.sync.state)).toBe(whole);
    expect(run.problem()).toBeNull();
    run.stop.abort();
    await run.clock.run(0);
    await run.running;
    await run.sync.close();
  });
});
