/**
 * A daemon that is killed at random steps, and a client that repeats its calls with the same keys until each is answered: every
 * payment is made exactly once.
 */
import { describe, expect, it } from "vitest";
import { killsOf } from "../../../tests/testkit/killCount.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { testSeed } from "../../platform/testkit/testRun.ts";
import { Mortality, MortalKv, MortalNode } from "../testkit/mortalDaemon.ts";
import {
  addressOf,
  FakeProver,
  mine,
  readTransaction,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
} from "../testkit/spendScene.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { SpendReply } from "./spendService.ts";

const COIN = 100_000_000n;
const { signal } = new AbortController();
const OWN = addressOf(1);
/** Of one coin each. */
const NOTES = 40;
const KILLS = killsOf({ reduced: 5, full: 1_000 });
/** Steps that a daemon survives at most: more than one call takes. */
const STEPS = 45;

type Chance = (below: number) => number;
/** What the client wants: amounts by payee, each payee in one call alone. */
type Wish = { readonly key: string; readonly payees: readonly { to: number; amount: bigint }[] };

function chance(seed: number): Chance {
  const random = mulberry32(seed);
  return (below) => random() % below;
}

/** Calls of one transaction and of several. */
function wishes(draw: Chance): readonly Wish[] {
  let next = 100;
  return ["a", "b", "c"].map((key) => ({
    key,
    payees: Array.from({ length: 1 + draw(3) }, () => {
      next += 1;
      return { to: next, amount: BigInt(1 + draw(12)) * (COIN / 4n) };
    }),
  }));
}

function call(daemon: SceneDaemon, open: OpenWallet, { key, payees }: Wish): Promise<SpendReply> {
  const { service } = daemon;
  const how = { key, isAsync: false };
  const [first] = payees;
  if (payees.length === 1 && first !== undefined) {
    return service.send(open, { to: textOf(first.to), amount: first.amount }, how, signal);
  }
  const request = { payees: payees.map(({ to, amount }) => ({ to: textOf(to), amount })) };
  return service.sendMany(open, request, how, signal);
}

type Life = { readonly mortality: Mortality; readonly daemon: SceneDaemon };

function born(disk: SceneDisk, steps: number, now: bigint): Life {
  const mortality = new Mortality(steps);
  const prover = new FakeProver(() => disk.model.fresh());
  prover.gate = () => mortality.pass();
  const daemon = startDaemon(disk, {
    kv: new MortalKv(disk.kv, mortality),
    node: new MortalNode(disk, mortality),
    // Whoever is dead stays behind with its own clock.
    sim: new SimClock(now),
    provers: [prover],
    policy: { maxSpends: 3 },
  });
  return { mortality, daemon };
}

/** Lets time pass until the work has ended or the daemon has died; what it ends with, or null for the dead. */
async function whileAlive<T>({ daemon, mortality }: Life, work: Promise<T>): Promise<T | null> {
  const end = { isThere: false };
  const arrive = (): void => {
    end.isThere = true;
  };
  work.then(arrive, arrive);
  // In small steps: whoever waits for the wallet asks before a job looks at it again.
  for (let step = 0; step < 2_000 && !end.isThere && !mortality.isDead; step += 1) {
    daemon.lanes.wake();
    await daemon.sim.run(step < 100 ? 10 : 500);
  }
  return mortality.isDead ? null : work;
}

/** Opens the wallet after a start; null when the daemon died over that. */
async function begun(life: Life, token: WalletToken): Promise<OpenWallet | null> {
  const { daemon } = life;
  daemon.service.resume().catch(() => undefined);
  const open = await whileAlive(life, daemon.open.open(token));
  if (open === null) return null;
  const ready = async (): Promise<true> => {
    while (open.fault !== null || daemon.open.peek(token)?.isAtTip !== true)
      await daemon.sim.sleep(5, signal);
    return true;
  };
  return (await whileAlive(life, ready())) === null ? null : open;
}

/** What a client does that repeats each of its calls until it is answered, over the lives and deaths of daemons. */
class Client {
  readonly disk: SceneDisk;
  readonly token: WalletToken;
  kills = 0;
  readonly #draw: Chance;
  #now = 1_000_000n;
  #mined = 0;

  constructor(disk: SceneDisk, draw: Chance) {
    this.disk = disk;
    this.token = disk.add("alice", OWN);
    this.#draw = draw;
  }

  /** Repeats the call until it is answered; the answer. */
  async insist(wish: Wish): Promise<string> {
    for (;;) {
      const life = born(this.disk, 1 + this.#draw(STEPS), this.#now);
      const open = await begun(life, this.token);
      const reply = open && (await whileAlive(life, call(life.daemon, open, wish)));
      await this.#afterwards(life, open);
      if (reply?.kind === "answer") return reply.body;
    }
  }

  /** A daemon that lives. */
  async survivor(): Promise<{ daemon: SceneDaemon; open: OpenWallet }> {
    const life = born(this.disk, 1_000_000, this.#now);
    const open = await begun(life, this.token);
    return { daemon: life.daemon, open: open ?? expect.unreachable() };
  }

  /** Puts what the node has into a block. */
  mine(): void {
    this.#mined = mine(this.disk, this.#mined, OWN);
    this.disk.model.addEmpty(1);
  }

  async #afterwards({ daemon, mortality }: Life, open: OpenWallet | null): Promise<void> {
    if (mortality.isDead) this.kills += 1;
    this.#now = daemon.sim.nowMs() + 1_000n;
    if (this.#draw(4) === 0) this.mine();
    if (mortality.isDead || open === null) return;
    // Its scan file, or an older one, is what the next one begins with.
    if (this.#draw(2) === 0) await daemon.writer.save(open).catch(() => undefined);
    await daemon.service.stop();
    await daemon.lanes.stop();
  }
}

/** What each payee got by all transactions that left a daemon. */
function received(disk: SceneDisk): ReadonlyMap<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const raw of new Set(disk.node.submitted)) {
    for (const { address, value } of readTransaction(raw).outputs) {
      const payee = Number(`0x${address}`);
      sums.set(payee, (sums.get(payee) ?? 0n) + BigInt(value));
    }
  }
  return sums;
}

function feesOf(disk: SceneDisk): bigint {
  return [...new Set(disk.node.submitted)].reduce(
    (sum, raw) => sum + BigInt(readTransaction(raw).fee),
    0n,
  );
}

/** One client with three calls; returns how often a daemon was killed over them. */
async function scenario(seed: number): Promise<number> {
  const draw = chance(seed);
  const model = new ChainModel();
  const outputs = Array.from({ length: NOTES }, () => ({ value: COIN, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  const client = new Client(new SceneDisk(model), draw);
  const { disk } = client;
  const calls = wishes(draw);
  const answers = new Map<string, string>();
  for (const wish of calls) answers.set(wish.key, await client.insist(wish));
  const { daemon, open } = await client.survivor();
  // What a daemon died over before the node had it, the next one hands over.
  daemon.service.start();
  await daemon.sim.run(60_000);
  const expected = calls.flatMap(({ payees }) => payees.map(({ to, amount }) => [to, amount]));
  expect(
    [...received(disk)].toSorted(([a], [b]) => a - b),
    `seed ${seed}`,
  ).toEqual(expected);
  const spent = [...new Set(disk.node.submitted)].flatMap((raw) =>
    readTransaction(raw).spends.map(({ position }) => position),
  );
  expect(new Set(spent).size, `seed ${seed}`).toBe(spent.length);
  client.mine();
  disk.model.addEmpty(30);
  daemon.lanes.wake();
  await daemon.sim.run(10_000);
  for (const wish of calls) {
    const again = await call(daemon, open, wish);
    expect(again, `seed ${seed}`).toEqual({ kind: "answer", body: answers.get(wish.key) });
  }
  // No money lost, no note held.
  const paid = calls.flatMap(({ payees }) => payees).reduce((sum, { amount }) => sum + amount, 0n);
  const { notes } = spendability(open.state, daemon.policy);
  expect(notes.every(({ standing }) => standing === "spendable")).toBe(true);
  const left = notes.reduce((sum, { note }) => sum + note.value, 0n);
  expect(left, `seed ${seed}`).toBe(BigInt(NOTES) * COIN - paid - feesOf(disk));
  expect([...daemon.store.jobs.inState("running")]).toEqual([]);
  await daemon.service.stop();
  await daemon.lanes.stop();
  return client.kills;
}

describe("a daemon that is killed", () => {
  it(`makes each payment once, over ${KILLS} kills`, async () => {
    const seed = testSeed(190_019);
    console.info(`kills of a daemon: SVC_SEED=${seed}`);
    let kills = 0;
    for (let round = 0; kills < KILLS; round += 1) kills += await scenario(seed + round);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  });
});
