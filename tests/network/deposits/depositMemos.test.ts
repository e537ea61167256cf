/**
 * Deposits told apart by memo: payments to one address, each with its own memo, over a node and a wallet daemon in processes of their
 * own. The daemon is killed, stopped and has the wallet scanned again, the chain changes its mind, and the shop's reader is
 * killed: each payment stands credited once. Real proofs, made once.
 */
import { expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { wholeFeed, type DepositEvent } from "./feedReader.ts";
import { amountOf, memoOf, memoPayments } from "./memoPayments.ts";
import { MortalReader } from "./mortalReader.ts";
import { untilSink } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { NodeSwitch } from "../testkit/nodeSwitch.ts";
import { core, storedChain } from "../testkit/scene.ts";
import { options, SHOP, WalletdScene } from "../walletd/walletdScene.ts";
import { LONG_HANG_MS } from "../../testkit/hangMs.ts";

/** Transactions, and payments of each. */
const TRANSACTIONS = IS_FULL ? 100 : 6;
const EACH = IS_FULL ? 10 : 5;
const PAYMENTS = TRANSACTIONS * EACH;
/** Transactions between two troubles: all of them are in blocks before their anchor, which is one for all, is too old. */
const AT_ONCE = IS_FULL ? 2 : 1;
const READER_KILLS = IS_FULL ? 100 : 12;
/** A note for each transaction, one every ten blocks, and some that may not be spent yet. */
const CHAIN = { profile: pruneNetwork(), count: IS_FULL ? 1_300 : 400, payments: [], waiting: 0 };
/** Blocks that a change of chains takes back: fewer than make a deposit final. */
const DEEPEST = 4;
/** Blocks after the last payment, which make it final. */
const BLOCKS = 20;

/** What happens after a payment, in turns. */
const TROUBLES = ["kill", "reorg", "rescan", "reorgWhileDown", "stop", "rescanAndKill"] as const;
type Trouble = (typeof TROUBLES)[number];

/** The shop's daemon with the node that it follows, and another node that has another chain at times. */
class Storm {
  readonly done: Record<Trouble, number>;
  readonly #of: WalletdScene;
  readonly #other: NodeProcess;
  /** Where the shop's readers find whichever daemon runs. */
  readonly #door: NodeSwitch;
  /** Through it the nodes know each other. */
  readonly #line: NodeSwitch;

  private constructor(
    of: WalletdScene,
    { other, door, line }: { other: NodeProcess; door: NodeSwitch; line: NodeSwitch },
  ) {
    this.#of = of;
    this.#other = other;
    this.#door = door;
    this.#line = line;
    this.done = { kill: 0, reorg: 0, rescan: 0, reorgWhileDown: 0, stop: 0, rescanAndKill: 0 };
  }

  static async begin(of: WalletdScene, chainPath: string): Promise<Storm> {
    of.scene.copyStore({ from: chainPath, name: "other" });
    const other = await of.scene.node({ name: "other" });
    await other.keysReady(PATIENCE_MS);
    await of.fill();
    const line = await NodeSwitch.start(of.node.peerPort);
    const storm = new Storm(of, { other, door: await NodeSwitch.start(0), line });
    storm.#open();
    await storm.#meet();
    return storm;
  }

  get readersAddress(): string {
    return `http://${this.#door.address}`;
  }

  /** Transactions go into a block, and another block applies them unless the trouble comes first. */
  async pay(transactions: readonly Uint8Array[], trouble: Trouble): Promise<void> {
    for (const raw of transactions) await this.#of.node.submit(raw);
    if (trouble === "reorg" || trouble === "reorgWhileDown") {
      await this.#reorganise(trouble === "reorgWhileDown");
    } else {
      await mineAt(this.#of.node, 1 + this.#below(3), payAddressOf(1));
      await this.#trouble(trouble);
    }
    this.done[trouble] += 1;
  }

  async #trouble(trouble: Exclude<Trouble, "reorg" | "reorgWhileDown">): Promise<void> {
    if (trouble.startsWith("rescan")) {
      await this.#of.client(SHOP).rescan({}, options());
      if (trouble === "rescan") return;
    }
    if (trouble === "stop") {
      expect(await this.#of.daemon?.stop()).toBe(0);
    } else {
      await this.#of.daemon?.kill();
    }
    await this.#restart();
  }

  /** The nodes part, each mines, and the daemon's node changes to the longer chain of the other one. */
  async #reorganise(isDown: boolean): Promise<void> {
    const { node } = this.#of;
    const { sink } = await node.tip();
    await untilSink([this.#other], { sink, limitMs: PATIENCE_MS });
    this.#line.cut();
    const depth = 2 + this.#below(DEEPEST - 1);
    await mineAt(node, depth, payAddressOf(1));
    await this.#of.untilSynced(SHOP);
    if (isDown) await this.#of.daemon?.kill();
    await mineAt(this.#other, depth + 1 + this.#below(2), payAddressOf(2));
    const longer = await this.#other.tip();
    expect(longer.sink).not.toBe((await node.tip()).sink);
    await this.#meet();
    await untilSink([node], { sink: longer.sink, limitMs: PATIENCE_MS });
    if (isDown) await this.#restart();
    // It merges the blocks of the shorter chain, and what they pay.
    await mineAt(node, 1, payAddressOf(1));
  }

  async #meet(): Promise<void> {
    this.#line.lead(this.#of.node.peerPort);
    await this.#other.addPeer(Number(this.#line.address.split(":").at(-1)));
    await untilSo(async () => (await this.#other.peerCount()) > 0, PATIENCE_MS);
  }

  async #restart(): Promise<void> {
    this.#door.cut();
    await this.#of.start();
    this.#open();
  }

  #open(): void {
    this.#door.lead(Number(new URL(this.#of.daemon?.address ?? "").port));
  }

  #below(limit: number): number {
    return this.#of.scene.random.below(limit);
  }
}

/** In the order of the feed a payment is credited and taken back in turns, and final once, in the block that credits it. */
function expectOrder(events: readonly DepositEvent[]): void {
  expect(events.map(({ cursor }) => Number(cursor))).toEqual(events.map((_, place) => place + 1));
  const credited = new Map<string | null, string | null>();
  const finals = new Map<string | null, string | null>();
  for (const { kind, memo, accepting_block: block, cursor } of events) {
    const before = credited.get(memo);
    if (kind === "seen") continue;
    if (kind === "credited") expect(before, `${cursor} ${memo}`).toBeUndefined();
    else expect(before, `${cursor} ${kind} ${memo}`).toBe(block);
    if (kind === "credited") credited.set(memo, block);
    if (kind === "reversed") credited.delete(memo);
    if (kind === "final") {
      expect(finals.has(memo), `${cursor} ${memo}`).toBe(false);
      finals.set(memo, block);
    }
  }
  expect(credited.size).toBe(PAYMENTS);
  expect(finals).toEqual(credited);
}

/** Each memo stands credited once with its amount, and was said to be final once. */
function wantedCustomers() {
  const rows = Array.from({ length: PAYMENTS }, (_, payment) => {
    const sompi = String(amountOf(payment));
    return [memoOf(payment), { credits: 1, finals: 1, sompi }] as const;
  });
  return Object.fromEntries(rows);
}

test(
  `${PAYMENTS} payments to one address are credited once each by their memos`,
  { timeout: LONG_HANG_MS },
  async () => {
    const chain = await storedChain(CHAIN);
    const of = await WalletdScene.make({ chain });
    const address = of.addressOf("shop");
    const { profile } = CHAIN;
    const wish = { profile, blocks: chain.blocks, address, transactions: TRANSACTIONS, each: EACH };
    const transactions = await memoPayments(core, wish);
    const storm = await Storm.begin(of, chain.path);
    const file = of.scene.appdir("shop.json");
    const reader = new MortalReader(
      { base: storm.readersAddress, token: SHOP, file },
      of.scene.random,
    );
    const dying = reader.die(READER_KILLS);
    dying.catch(() => undefined);
    const turns = TRANSACTIONS / AT_ONCE;
    for (let turn = 0; turn < turns; turn += 1) {
      const due = Math.floor((turn * READER_KILLS) / turns);
      await untilSo(async () => reader.kills >= due, PATIENCE_MS);
      const paid = transactions.slice(turn * AT_ONCE, (turn + 1) * AT_ONCE);
      await storm.pay(paid, TROUBLES[turn % TROUBLES.length] ?? "kill");
    }
    await mineAt(of.node, BLOCKS, payAddressOf(1));
    await dying;
    const last = reader.begin();
    const wanted = wantedCustomers();
    const finals = () => Object.values(reader.ledger.customers).filter((one) => one.finals > 0);
    await untilSo(async () => finals().length === PAYMENTS, PATIENCE_MS).catch(() => undefined);
    await last.stop();
    expect(reader.ledger.customers).toEqual(wanted);
    expect(reader.kills).toBe(READER_KILLS);
    // Where a reader dies is chance: of few kills none may come while it has a page.
    if (IS_FULL) expect(reader.killsWithPage).toBeGreaterThan(0);
    for (const count of Object.values(storm.done)) expect(count).toBeGreaterThan(0);
    const events = await wholeFeed(of, SHOP);
    expectOrder(events);
    expect(events.filter(({ kind }) => kind === "reversed").length).toBeGreaterThan(0);
    const sum = Object.values(wanted).reduce((all, { sompi }) => all + BigInt(sompi), 0n);
    await of.untilSynced(SHOP);
    expect(await of.status(SHOP)).toMatchObject({ note_count: PAYMENTS, error: null });
    expect((await of.status(SHOP))?.balance_sompi).toBe(sum);
    console.info(`${JSON.stringify(storm.done)}, ${reader.killsWithPage} readers died with a page`);
    expect(await of.daemon?.stop()).toBe(0);
    // Each rescan has kept the scan from before it. A folder that is full of them is no note.
    const kept = /^note .*: \d+ earlier files \(\.bak\) lie beside it$/;
    expect((await of.doctor()).filter((line) => !kept.test(line))).toEqual([]);
  },
);
