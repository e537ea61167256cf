/**
 * The wallet daemon killed at random moments, while it starts, pays and follows the chain, with a client that repeats each call
 * with the same key until it is answered: every payment is on the chain once, and no event is missing or twice.
 */
import { beforeAll, expect, test } from "vitest";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import { killsOf, reportKills } from "../contract/killCount.ts";
import {
  FeedReader,
  InsistentClient,
  type DepositEvent,
  type WantedPayment,
} from "./insistentClient.ts";
import { mineAt, payAddressOf } from "./nodeMiner.ts";
import { PATIENCE_MS } from "./networkSizes.ts";
import { untilSo } from "./nodeProcess.ts";
import { recordedProgram } from "./recordedProofs.ts";
import type { StoredChain } from "./scene.ts";
import { notesChain, options, PAYER, WalletdScene } from "./walletdScene.ts";

const REAL_KILLS = killsOf({ reduced: 4, full: 50 });
const RECORDED_KILLS = killsOf({ reduced: 20, full: 1_000 });
/** Kills of one folder before it is looked at as a whole and another one begins. */
const KILLS_OF_ONE_FOLDER = 50;
const COIN = 100_000_000n;
/** Of ten kills, so many come while payments are made, the others while blocks come. */
const WHILE_PAYING = 7;
/** Blocks after the payments: the first applies them, and the last makes them final. */
const BLOCKS = 20;
/** How long the last events may take. */
const FEED_MS = 30_000;
const HOUR_MS = 3_600_000;
let chain: StoredChain;
beforeAll(async () => {
  chain = await notesChain();
});

/** How daemons are killed. */
type Kills = {
  readonly count: number;
  /** Milliseconds after which a daemon that listens is killed at the latest. */
  readonly workMs: number;
  readonly payments: number;
};

/** Kills daemons one after the other, and leaves one that lives. */
class Killer {
  killed = 0;
  readonly #of: WalletdScene;
  readonly #workMs: number;
  /** How long the last start took. */
  #startMs = 1_000;

  constructor(of: WalletdScene, workMs: number) {
    this.#of = of;
    this.#workMs = workMs;
  }

  /** Kills so many more; resolves when the survivor listens. */
  async kill(count: number): Promise<void> {
    const { random } = this.#of.scene;
    await this.#of.daemon?.kill();
    for (let left = count - 1; left > 0; left -= 1) {
      this.killed += 1;
      const daemon = this.#of.begin();
      if (random.below(3) === 0) {
        await pause(random.below(this.#startMs));
      } else {
        const begun = performance.now();
        await daemon.listening();
        this.#startMs = Math.ceil(performance.now() - begun);
        await pause(random.below(this.#workMs));
      }
      await daemon.kill();
    }
    this.killed += 1;
    await this.#of.start();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function wantedPayments(of: WalletdScene, count: number): readonly WantedPayment[] {
  return Array.from({ length: count }, (_, place) => ({
    key: `order-${place}`,
    to: of.addressOf(place % 2 === 0 ? "shop" : "elsewhere"),
    amount: COIN / 2n + BigInt(place),
    memo: `order ${place}`,
    isJob: place % 3 === 1,
  }));
}

/** One folder and its kills; everything is looked at in the end. */
async function killOver(of: WalletdScene, kills: Kills): Promise<void> {
  const { count, workMs, payments } = kills;
  await of.fill();
  expect(await of.daemon?.stop()).toBe(0);
  await of.start();
  const wanted = wantedPayments(of, payments);
  const client = new InsistentClient(of);
  const reader = new FeedReader(of);
  const killer = new Killer(of, workMs);
  reader.start();
  const whilePaying = Math.ceil((count * WHILE_PAYING) / 10);
  await Promise.all([
    killer.kill(whilePaying),
    spread(wanted, whilePaying, killer, (payment) => client.pay(payment)),
  ]);
  const begin = killer.killed;
  const blocks = Array.from({ length: BLOCKS }, () => payAddressOf(1));
  await Promise.all([
    killer.kill(count - whilePaying),
    spread(blocks, count - whilePaying, { killedFrom: begin, killer }, (address) =>
      mineAt(of.node, 1, address),
    ),
  ]);
  expect(killer.killed).toBe(count);
  await expectAll(of, { wanted, client, reader });
}

/** Does one thing after the other, spread over the kills. */
async function spread<T>(
  things: readonly T[],
  kills: number,
  watched: Killer | { readonly killedFrom: number; readonly killer: Killer },
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  const killed = (): number =>
    watched instanceof Killer ? watched.killed : watched.killer.killed - watched.killedFrom;
  for (const [place, thing] of things.entries()) {
    const due = Math.floor((place * kills) / things.length);
    await untilSo(async () => killed() >= due, PATIENCE_MS);
    await work(thing);
  }
}

type Done = {
  readonly wanted: readonly WantedPayment[];
  readonly client: InsistentClient;
  readonly reader: FeedReader;
};

async function expectAll(of: WalletdScene, done: Done): Promise<void> {
  await expectPaidOnce(of, done);
  await expectEvents(of, done);
  await expectBalance(of, done);
  // The same keys give the same answers, and pay nothing.
  for (const wanted of done.wanted) {
    const before = done.client.answers.get(wanted.key);
    expect(await done.client.pay(wanted)).toEqual(before);
  }
  for (const job of done.client.jobs.values()) {
    expect(await of.client(PAYER).job(job, options())).toMatchObject({ state: "done", share: 1 });
  }
  expect(await of.daemon?.stop()).toBe(0);
  expect(of.unfinished()).toEqual([]);
  expect(await of.doctor()).toEqual([]);
}

async function expectPaidOnce(of: WalletdScene, { wanted, client }: Done): Promise<void> {
  const txids = [...client.answers.values()].flatMap((answer) => answer.txids);
  expect((await of.applied()).toSorted()).toEqual(txids.toSorted());
  const received = [await of.scanned("shop"), await of.scanned("elsewhere")].flatMap(receipts);
  expect(received.toSorted()).toEqual(
    wanted.map(({ memo, amount }) => `${encodeMemo(memo)} ${amount}`).toSorted(),
  );
}

function receipts({ history }: WalletState): readonly string[] {
  const rows = history.filter(({ kind }) => kind === "received");
  return rows.map(({ memo, amount }) => `${memo.replace(/(?:00)+$/, "")} ${amount}`);
}

/** Each deposit seen at most once, credited once and final once; the whole feed is what the reader has. */
async function expectEvents(of: WalletdScene, { wanted, client, reader }: Done): Promise<void> {
  const address = of.addressOf("shop");
  const deposits = wanted.filter(({ to }) => to === address);
  const finals = (): number => reader.events.filter(({ kind }) => kind === "final").length;
  await untilSo(async () => finals() >= deposits.length, FEED_MS).catch(async (error: unknown) => {
    await reader.stop();
    throw new Error(`${String(error)}: ${describe(reader.events)}`);
  });
  await reader.stop();
  const { events } = await of.client("shop").events({ limit: "1000" }, options());
  expect(reader.events).toEqual(events);
  const cursors = events.map(({ cursor }) => BigInt(cursor));
  expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => (a < b ? -1 : 1)));
  for (const { key, amount } of deposits) {
    const { txid } = client.answers.get(key) ?? expect.unreachable();
    const own = events.filter((event) => event.txid === txid);
    const kinds = own.map(({ kind }) => kind).filter((kind) => kind !== "seen");
    expect(kinds, key).toEqual(["credited", "final"]);
    expect(own.length - kinds.length, key).toBeLessThanOrEqual(1);
    expect(own.every((event) => event.amount_sompi === amount)).toBe(true);
  }
  expect(new Set(events.map(({ txid }) => txid)).size).toBe(deposits.length);
}

function describe(events: readonly DepositEvent[]): string {
  return events.map(({ cursor, kind, txid }) => `${cursor} ${kind} ${txid.slice(0, 8)}`).join(", ");
}

/** What was mined, less what was paid, is there, and none of it is held. */
async function expectBalance(of: WalletdScene, { wanted, client }: Done): Promise<void> {
  const { history } = await of.scanned("payer");
  const mined = history.filter(({ kind }) => kind === "mined");
  const fees = [...client.answers.values()].reduce((sum, { fee_sompi: fee }) => sum + fee, 0n);
  const paid = wanted.reduce((sum, { amount }) => sum + amount, 0n);
  const left = mined.reduce((sum, { amount }) => sum + amount, 0n) - paid - fees;
  await of.untilSynced(PAYER);
  await untilSo(async () => (await of.status(PAYER))?.balance_sompi === left, PATIENCE_MS).catch(
    async () => expect(await of.status(PAYER)).toMatchObject({ balance_sompi: left }),
  );
  expect(await of.status(PAYER)).toMatchObject({ pending_out_sompi: 0n, error: null });
}

test(
  `${REAL_KILLS} kills of the wallet daemon that proves pay each payment once`,
  { timeout: 2 * HOUR_MS },
  async () => {
    for (let done = 0; done < REAL_KILLS; done += KILLS_OF_ONE_FOLDER) {
      const count = Math.min(KILLS_OF_ONE_FOLDER, REAL_KILLS - done);
      const of = await WalletdScene.make({ chain });
      await killOver(of, { count, workMs: 4_000, payments: count < 10 ? 2 : 12 });
    }
    reportKills("wallet", REAL_KILLS);
  },
);

test(
  `${RECORDED_KILLS} kills of the wallet daemon with proofs made before pay each payment once`,
  { timeout: 2 * HOUR_MS },
  async () => {
    for (let done = 0; done < RECORDED_KILLS; done += KILLS_OF_ONE_FOLDER) {
      const count = Math.min(KILLS_OF_ONE_FOLDER, RECORDED_KILLS - done);
      const of = await WalletdScene.make({ chain, program: recordedProgram });
      await killOver(of, { count, workMs: 400, payments: count < KILLS_OF_ONE_FOLDER ? 6 : 16 });
    }
    reportKills("walletd", RECORDED_KILLS);
  },
);
