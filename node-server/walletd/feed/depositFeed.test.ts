import { describe, expect, it } from "vitest";
import type { TxId } from "@svc/shared/base/brand.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { IS_FULL } from "../../platform/testkit/testRun.ts";
import type { FeedEntry } from "../store/eventTable.ts";
import { ADDRESS, FeedScene, TOKEN } from "./testkit/feedScene.ts";

const SEED = Number(process.env["SVC_SEED"] ?? "19");
const PAYMENTS = IS_FULL ? 1_000 : 100;
/** How often each thing happens meanwhile, at least. */
const LEAST = IS_FULL
  ? { reorgs: 21, kills: 21, rescans: 4, readerKills: 100 }
  : { reorgs: 4, kills: 4, rescans: 2, readerKills: 20 };

type Payment = { readonly txid: TxId; readonly memo: string };

/** Somebody who keeps what he has read, and the cursor, in one place, and is killed before or after he has. */
class Reader {
  cursor = 0n;
  readonly standing = new Map<string, number>();
  readonly entries: FeedEntry[] = [];

  read(scene: FeedScene, limit: number, isKilled: boolean): void {
    const page = scene.feed.after(TOKEN, this.cursor, limit);
    if (isKilled) return;
    for (const entry of page.entries) {
      this.entries.push(entry);
      const { kind, memo } = entry.event;
      const change = kind === "credited" ? 1 : kind === "reversed" ? -1 : 0;
      this.standing.set(memo ?? "", (this.standing.get(memo ?? "") ?? 0) + change);
    }
    this.cursor = page.next;
  }
}

/** Pays one address again and again while the chain changes its mind and the daemon dies. */
class Storm {
  readonly scene: FeedScene;
  readonly reader = new Reader();
  readonly done = { reorgs: 0, kills: 0, rescans: 0, readerKills: 0 };
  readonly #random: () => number;
  readonly #mined: Payment[][] = [];
  #waiting: Payment[] = [];
  #made = 0;

  constructor(scene: FeedScene, random: () => number) {
    this.scene = scene;
    this.#random = random;
  }

  get isOver(): boolean {
    const { reorgs, kills, rescans, readerKills } = this.done;
    const isWild = reorgs >= LEAST.reorgs && kills >= LEAST.kills && rescans >= LEAST.rescans;
    const isPaid = this.#made === PAYMENTS && this.#waiting.length === 0;
    return isWild && readerKills >= LEAST.readerKills && isPaid;
  }

  below(bound: number): number {
    return this.#random() % bound;
  }

  mine(): void {
    const { model } = this.scene;
    for (let added = this.below(8); added > 0 && this.#made < PAYMENTS; added -= 1) {
      this.#made += 1;
      const memo = this.#made.toString(16).padStart(8, "0");
      this.#waiting.push({ txid: model.txid(), memo });
    }
    const chosen = this.#waiting.filter(() => this.below(3) > 0);
    this.#waiting = this.#waiting.filter((payment) => !chosen.includes(payment));
    const txs = chosen.map(({ txid, memo }) => ({
      txid,
      outputs: [{ value: 5n, recipient: ADDRESS, memo }],
    }));
    model.add({ txs });
    this.#mined.push(chosen);
  }

  reorganise(): void {
    const depth = Math.min(this.below(9), this.scene.model.length - 1);
    if (depth < 1) return;
    this.done.reorgs += 1;
    const kept = this.scene.model.length - depth;
    this.scene.model.cut(kept);
    this.#waiting.push(...this.#mined.splice(kept).flat());
    for (let block = 0; block <= depth; block += 1) this.mine();
  }

  async step(): Promise<void> {
    const { scene, reader, done } = this;
    const chance = this.below(20);
    if (chance < 12) this.mine();
    else if (chance < 15) this.reorganise();
    else if (chance < 16) scene.save();
    else if (chance < 18) {
      await scene.kill();
      done.kills += 1;
      if (this.below(2) === 0) this.reorganise();
      await scene.start();
    } else if (chance < 19 && done.rescans < 8) {
      await scene.rescan();
      done.rescans += 1;
    }
    if (this.below(3) === 0) await scene.clock.run(this.below(3_000));
    if (this.below(4) === 0) await scene.settle();
    const isKilled = this.below(3) === 0;
    if (isKilled) done.readerKills += 1;
    reader.read(scene, 1 + this.below(50), isKilled);
  }
}

describe("the feed of a wallet", () => {
  it(`tells of ${PAYMENTS} payments to one address each once, whatever happens meanwhile (SVC_SEED=${SEED})`, async () => {
    const scene = await FeedScene.open(new ChainModel());
    const storm = new Storm(scene, mulberry32(SEED));
    storm.mine();
    await scene.start();
    while (!storm.isOver) await storm.step();
    for (let block = 0; block < 8; block += 1) scene.model.add();
    await scene.settle();
    const { reader } = storm;
    for (let last = -1n; last !== reader.cursor;) {
      last = reader.cursor;
      reader.read(scene, 100, false);
    }
    expect(reader.standing.size).toBe(PAYMENTS);
    expect([...reader.standing.values()].every((credits) => credits === 1)).toBe(true);
    expect(reader.entries.map(({ cursor }) => cursor)).toEqual(
      reader.entries.map((_, place) => BigInt(place + 1)),
    );
    checkOrder(reader.entries);
    await scene.kill();
  });

  it("tells of each receipt once when commits fail meanwhile, and wakes its reader", async () => {
    const model = new ChainModel();
    for (let block = 0; block < 20; block += 1) {
      model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n, recipient: ADDRESS }] }] });
    }
    const scene = await FeedScene.open(model);
    scene.isDiskFull = true;
    await scene.start();
    const { signal } = new AbortController();
    const waiting = scene.feed.wait(TOKEN, 0n, { limit: 1, waitMs: 60_000 }, signal);
    await scene.clock.run(20_000);
    expect(scene.store.events.head(TOKEN)).toBe(0n);
    scene.isDiskFull = false;
    await scene.settle();
    expect((await waiting).entries).toHaveLength(1);
    const kinds = scene.feed.after(TOKEN, 0n, 100).entries.map(({ event }) => event.kind);
    expect(kinds.filter((kind) => kind === "credited")).toHaveLength(20);
    expect(kinds.filter((kind) => kind === "final")).toHaveLength(15);
    expect(kinds).toHaveLength(35);
    await scene.kill();
  });

  it("says once that a payment waits, and not after a block has paid it", async () => {
    const model = new ChainModel();
    const txid = model.txid();
    const paying = { txs: [{ txid, outputs: [{ value: 5n, recipient: ADDRESS, memo: "6d" }] }] };
    const notes = model.add(paying).notes;
    model.cut(0);
    model.add();
    const scene = await FeedScene.open(model);
    await scene.start();
    await scene.settle();
    const kinds = () =>
      scene.feed.after(TOKEN, 0n, 100).entries.map(({ event }) => `${event.kind} ${event.memo}`);
    scene.writer().seen(TOKEN, notes, scene.wallet.state);
    scene.writer().seen(TOKEN, notes, scene.wallet.state);
    expect(kinds()).toEqual(["seen 6d"]);
    model.add(paying);
    const other = model.add({ txs: [{ ...paying.txs[0], txid: model.txid() }] }).notes;
    await scene.settle();
    scene.writer().seen(TOKEN, [...notes, ...other], scene.wallet.state);
    expect(kinds()).toEqual(["seen 6d", "credited 6d", "credited 6d"]);
    await scene.kill();
  });
});

/** Each payment is credited, then reversed, in turns, and final once at the end, for the block that credits it. */
function checkOrder(entries: readonly FeedEntry[]): void {
  const last = new Map<string, string>();
  const finals = new Map<string, string>();
  for (const { event } of entries) {
    const memo = event.memo ?? "";
    const before = last.get(memo);
    if (event.kind === "credited") {
      expect(before).toBeUndefined();
      last.set(memo, event.blockHash ?? "");
    } else {
      expect(before).toBe(event.blockHash);
      if (event.kind === "reversed") last.delete(memo);
    }
    if (event.kind === "final") finals.set(memo, event.blockHash ?? "");
  }
  expect(last.size).toBe(PAYMENTS);
  expect(finals).toEqual(last);
}
