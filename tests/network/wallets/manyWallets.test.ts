/**
 * Many wallets in one daemon. At the full size 350 follow two blocks a second together, one with a payment: none is more than five
 * seconds behind, and resident memory stays level. The reduced size has fewer wallets and measures nothing: all come to the tip. Thousands
 * are made, opened and evicted at random, and each is found as it was.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { median } from "../../bench/run/median.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { Scene } from "../testkit/scene.ts";
import { LoadedWalletd, type SeenStatus } from "./loadedWalletd.ts";

const TOGETHER = IS_FULL ? 350 : 60;
/** Blocks that they follow together; at the full size two a second, for half an hour. */
const FOLLOWED = IS_FULL ? 3_600 : 20;
const BLOCK_MS = IS_FULL ? 500 : 0;
/** How far a wallet may be behind where that is measured. At the reduced size `late` lists loading and faulty wallets alone. */
const BEHIND_MS = IS_FULL ? 5_000 : Number.POSITIVE_INFINITY;
const FOLLOW_MS = FOLLOWED * BLOCK_MS;
/** From when on the memory is compared. */
const SETTLED_MS = 5 * 60_000;
/** Bound of a test: its measured time, and that of making the wallets. */
const LONGEST_MS = FOLLOW_MS + 3 * PATIENCE_MS;
/** Part by which the memory of any later minute may differ from that of minute 5. */
const GROWTH = 0.05;
const LOOK_MS = 1_000;
/** Wallets that are made, opened and dropped. */
const MANY = IS_FULL ? 10_000 : 200;
const OPENINGS = IS_FULL ? 10_000 : 500;
const OPENINGS_PER_BLOCK = 50;
const RESIDENT = 64;
/** Wallets that own something. */
const OWNERS = 10;
/** Calls at once. */
const AT_ONCE = 8;
/** Blocks after which a mined note may be spent. */
const MATURE_BLOCKS = 24;
const MINUTE_MS = 60_000;

const tokenOf = (number: number): string => `wallet-${number}`;

/** Of so many openings one is waited for: the others are answered from the wallet's file. */
const WAITED_OPENINGS = 10;

/** Works on so many things, a few at once. */
async function each(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** What a node's chain had when: which DAA score a wallet must have come to by now. */
class MinedChain {
  readonly #node: NodeProcess;
  readonly #mined: { readonly atMs: number; readonly daaScore: number }[] = [];

  constructor(node: NodeProcess) {
    this.#node = node;
  }

  async mine(address: string): Promise<void> {
    await mineAt(this.#node, 1, address);
    const { daaScore } = await this.#node.tip();
    // The tip tells that of the next block.
    this.#mined.push({ atMs: performance.now(), daaScore: Number(daaScore) - 1 });
  }

  /** Mines so many blocks at the pace of the test; each pays another address. */
  async follow(addresses: readonly string[], count: number): Promise<void> {
    const begun = performance.now();
    for (let block = 0; block < count; block += 1) {
      await this.mine(addresses[block % addresses.length] ?? "");
      await sleep(Math.max(0, begun + (block + 1) * BLOCK_MS - performance.now()));
    }
  }

  /** The score of the last block that is older than a wallet may be behind. */
  due(): number {
    const limit = performance.now() - BEHIND_MS;
    return this.#mined.findLast(({ atMs }) => atMs <= limit)?.daaScore ?? 0;
  }
}

/** Opens wallets by asking for their status. */
class Openings {
  /** Wallets that were waited for until they were open. */
  waited = 0;
  /** Wallets that had been open and were not when they were asked for again. */
  evictions = 0;
  readonly #daemon: LoadedWalletd;
  readonly #opened = new Set<number>();

  constructor(daemon: LoadedWalletd) {
    this.#daemon = daemon;
  }

  /** The status of a wallet; where it is waited for, that of the open one. */
  async open(number: number, isWaitedFor: boolean): Promise<SeenStatus> {
    const wasOpen = this.#opened.has(number);
    let status = await this.#daemon.status(tokenOf(number));
    if (wasOpen && status.loading) this.evictions += 1;
    if (isWaitedFor) {
      await untilSo(async () => {
        if (status.loading) status = await this.#daemon.status(tokenOf(number));
        return !status.loading;
      }, PATIENCE_MS);
      this.waited += 1;
    }
    if (!status.loading) this.#opened.add(number);
    return status;
  }
}

async function started(more: readonly string[]) {
  const scene = new Scene(pruneNetwork());
  const node = await scene.node({ name: "mining", more: ["--loglevel=warn"] });
  await node.keysReady(PATIENCE_MS);
  const walletDir = join(scene.appdir("."), "wallets");
  const daemon = await LoadedWalletd.start({ node, walletDir, more });
  return { node, daemon, chain: new MinedChain(node) };
}

/** Resolves when each of them has been scanned to the tip once. */
async function untilAllSynced(daemon: LoadedWalletd): Promise<void> {
  const begun = performance.now();
  await each(TOGETHER, async (number) => {
    await untilSo(async () => (await daemon.status(tokenOf(number))).synced, PATIENCE_MS);
  });
  console.info(`all were synced after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
}

/** Asks all wallets again and again while work goes on; returns which were too far behind, and the memory by time. */
async function watched(daemon: LoadedWalletd, chain: MinedChain, work: Promise<void>) {
  const late: string[] = [];
  const memory: { readonly atMs: number; readonly mib: number }[] = [];
  const begun = performance.now();
  const done = new AbortController();
  const over = work.finally(() => done.abort());
  while (!done.signal.aborted) {
    const round = performance.now();
    await each(TOGETHER, async (number) => {
      const due = chain.due();
      const { scanned_blocks: scanned, loading, error } = await daemon.status(tokenOf(number));
      if (loading || error !== null || scanned < due) {
        late.push(`${tokenOf(number)} at ${scanned} of ${due}: ${loading} ${error}`);
      }
    });
    memory.push({ atMs: round - begun, mib: daemon.residentMiB() });
    await Promise.race([over, sleep(Math.max(0, round + LOOK_MS - performance.now()))]);
  }
  await over;
  return { late, memory };
}

/** Makes the wallets, and brings notes that may be spent to the first one; resolves with their addresses. */
async function filled(node: NodeProcess, daemon: LoadedWalletd): Promise<readonly string[]> {
  const addresses: string[] = [];
  await each(TOGETHER, async (number) => {
    addresses[number] = await daemon.create(tokenOf(number), 0);
  });
  await mineAt(node, 2, addresses[0] ?? "");
  await mineAt(node, MATURE_BLOCKS, payAddressOf(1));
  await untilSo(async () => (await daemon.status(tokenOf(0))).spend_ready, PATIENCE_MS);
  await untilAllSynced(daemon);
  return addresses;
}

test(
  `${TOGETHER} wallets follow the chain together, and one of them pays`,
  async () => {
    const { node, daemon, chain } = await started([
      `--max-resident-wallets=${2 * TOGETHER}`,
      "--proof-threads=1",
    ]);
    const addresses = await filled(node, daemon);
    const before = (await daemon.status(tokenOf(1))).note_count;
    const paying = daemon.ask("/api/wallet/send", tokenOf(0), {
      to: addresses[1],
      amount_sompi: "100000000",
    });
    const following = Promise.all([chain.follow(addresses.slice(2), FOLLOWED), paying]);
    const { late, memory } = await watched(
      daemon,
      chain,
      following.then(() => undefined),
    );
    expect(late).toEqual([]);
    await untilSo(async () => {
      await mineAt(node, 1, payAddressOf(1));
      return (await daemon.status(tokenOf(1))).note_count === before + 1;
    }, PATIENCE_MS);
    // A block's reward is paid by the block that merges it.
    await mineAt(node, 1, payAddressOf(1));
    await each(TOGETHER - 2, async (place) => {
      const minedTo = Math.max(0, Math.ceil((FOLLOWED - place) / (TOGETHER - 2)));
      const notes = async () => (await daemon.status(tokenOf(place + 2))).note_count;
      await untilSo(async () => (await notes()) >= minedTo, PATIENCE_MS);
      expect(await notes(), tokenOf(place + 2)).toBe(minedTo);
    });
    expect(await daemon.metric("svc_walletd_wallets_open")).toBe(TOGETHER);
    console.info(
      `${memory[0]?.mib.toFixed(0)} MiB at first, ${memory.at(-1)?.mib.toFixed(0)} MiB at last`,
    );
    if (IS_FULL) expect(Math.max(...differences(memory))).toBeLessThanOrEqual(GROWTH);
    expect(await daemon.stop()).toBe(0);
  },
  LONGEST_MS,
);

/** By which part the memory of each minute after minute 5 differs from that of minute 5. */
function differences(memory: readonly { readonly atMs: number; readonly mib: number }[]) {
  const before = (endMs: number) =>
    median(
      memory.filter(({ atMs }) => atMs >= endMs - MINUTE_MS && atMs < endMs).map(({ mib }) => mib),
    );
  const settled = before(SETTLED_MS);
  const minutes = Math.floor((FOLLOW_MS - SETTLED_MS) / MINUTE_MS);
  return Array.from({ length: minutes }, (_, minute) =>
    Math.abs(before(SETTLED_MS + (minute + 1) * MINUTE_MS) / settled - 1),
  );
}

test(
  "wallets that are made, opened and dropped at random are found as they were",
  async () => {
    const { node, daemon, chain } = await started([
      `--max-resident-wallets=${RESIDENT}`,
      "--idle-evict=2",
      "--proof-threads=1",
    ]);
    const random = seededRandom("wallets");
    const addresses = new Map<number, string>();
    await each(MANY, async (number) => {
      addresses.set(number, await daemon.create(tokenOf(number), 0));
    });
    const owners = Array.from({ length: OWNERS }, (_, number) => addresses.get(number) ?? "");
    for (const owner of owners) await mineAt(node, 1, owner);
    const mining = chain.follow([payAddressOf(1)], OPENINGS / OPENINGS_PER_BLOCK);
    const wrong: string[] = [];
    const seen = new Openings(daemon);
    let most = 0;
    await each(OPENINGS, async (turn) => {
      const number = random.below(MANY);
      const { address, error } = await seen.open(number, turn % WAITED_OPENINGS === 0);
      const isIts = address === addresses.get(number);
      if (!isIts || error !== null) wrong.push(`${tokenOf(number)}: ${address} ${error}`);
      if (turn % 50 === 0) most = Math.max(most, await daemon.metric("svc_walletd_wallets_open"));
    });
    await mining;
    expect(wrong).toEqual([]);
    expect(seen.waited).toBeGreaterThan(0);
    expect(seen.evictions).toBeGreaterThan(0);
    // No wallet was busy. These are looks at some moments: that the bound holds at every moment is shown by `openWallets.test.ts`.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(RESIDENT);
    const { daaScore } = await node.tip();
    await each(OWNERS, async (number) => {
      await untilSo(async () => {
        const { scanned_blocks: scanned, loading } = await daemon.status(tokenOf(number));
        return !loading && scanned >= Number(daaScore) - 1;
      }, PATIENCE_MS);
      const { note_count: notes, balance_sompi: balance } = await daemon.status(tokenOf(number));
      expect(notes, tokenOf(number)).toBe(1);
      expect(BigInt(balance)).toBeGreaterThan(0n);
    });
    const { waited, evictions } = seen;
    console.info(
      `${MANY} wallets, at most ${most} open, ${daemon.residentMiB().toFixed(0)} MiB, ${evictions} of those that were opened again had been dropped, ${waited} were waited for`,
    );
    expect(await daemon.stop()).toBe(0);
  },
  LONGEST_MS,
);
