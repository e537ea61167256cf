import { describe, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { DeliveryOutcome } from "../../client/deliveryQueue.ts";
import type { WebhookPost } from "../../client/webhookPost.ts";
import { WebhookSender } from "../../client/webhookSender.ts";
import { createLog } from "../../platform/log/log.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { FeedDeliveries } from "./feedDeliveries.ts";

const NOW = 1_700_000_000_000n;
const [ALICE, BOB] = [asWalletToken("alice"), asWalletToken("bob")];
const SEED = Number(process.env["SVC_SEED"] ?? "19");

async function scene() {
  const store = await WalletStore.open(null, null);
  const clock = new ManualClock(NOW);
  const random = mulberry32(SEED);
  const endpoint = { url: new URL("https://shop.test/"), reach: "public", secret: "s" } as const;
  const queue = new FeedDeliveries({
    store,
    endpoint,
    clock,
    randomBytes: (length) => Uint8Array.from({ length }, () => random() % 256),
    addressText: (recipient) => `svc:${recipient.slice(0, 4)}`,
  });
  let made = 0;
  const credit = (token: WalletToken, memo = "6869"): bigint => {
    made += 1;
    const event = {
      kind: "credited" as const,
      txid: asTxId(made.toString(16).padStart(64, "0")),
      outputIndex: 0,
      blockHash: asBlockHash("01".repeat(32)),
      chainIndex: asChainIndex(7n),
      blueScore: asBlueScore(7n),
      daaScore: asDaaScore(7n),
      amount: asSompi(0xffff_ffff_ffff_ffffn),
      recipient: asRawAddress("0a".repeat(43)),
      addressIndex: 3,
      memo,
      createdMs: asTimestampMs(clock.nowMs()),
    };
    return store.commit((batch) => {
      const cursor = store.events.append(batch, token, event) ?? expect.unreachable();
      queue.add(batch, token, { cursor, event });
      return cursor;
    });
  };
  const log = createLog("silent");
  const sender = (post: (post: WebhookPost, signal: AbortSignal) => Promise<void>) =>
    new WebhookSender({ queue, clock, random, log, post });
  return { store, clock, queue, credit, sender, random };
}

type Body = { id: string; type: string; data: { wallet: string; event: { cursor: string } } };
const read = ({ body }: WebhookPost): Body => JSON.parse(new TextDecoder().decode(body));

describe("deliveries of a feed", () => {
  it("are forgotten when they were done long ago, and never before", async () => {
    const { store, queue } = await scene();
    const { deliveries } = store;
    const time = asTimestampMs(NOW);
    const times = { attempts: 0, createdMs: time, dueMs: time, error: null };
    const newest = WALLETD_LIMITS.webhooksKept + 3n;
    for (const cursor of [1n, 2n, 3n, 4n, newest]) {
      const id = `evt_${cursor.toString(16).padStart(40, "0")}`;
      store.commit((batch) =>
        deliveries.add(batch, { token: ALICE, cursor }, { ...times, id, state: "waiting" }),
      );
    }
    const kept = () => deliveries.after(ALICE, 0n, 10).map(({ cursor }) => cursor);
    const dead = () => deliveries.deadAfter(ALICE, 0n, 10).map(({ cursor }) => cursor);
    const settle = (outcome: DeliveryOutcome): void => {
      const [next] = queue.due(time, 1);
      queue.settle(next ?? expect.unreachable(), outcome);
    };
    const error = new SvcError("webhook/refused", { status: 500 }).toJSON();
    settle({ kind: "dead", error });
    settle({ kind: "delivered" });
    settle({ kind: "dead", error });
    settle({ kind: "dead", error });
    store.commit((batch) => deliveries.again(batch, { token: ALICE, cursor: 2n }, time));
    expect([kept(), dead()]).toEqual([
      [1n, 2n, 3n, 4n, newest],
      [1n, 3n, 4n],
    ]);
    store.commit((batch) => {
      const place = { token: ALICE, cursor: newest };
      const row = deliveries.get(place, batch) ?? expect.unreachable();
      deliveries.change(batch, place, { ...row, state: "delivered" });
    });
    expect([kept(), dead()]).toEqual([[2n, 4n, newest], [4n]]);
    expect(queue.due(time, 10)).toHaveLength(1);
    expect(queue.counts()).toEqual({ waiting: 1, dead: 1 });
  });

  it("of a wallet that took another's place are not done with those of the other", async () => {
    const { credit, queue, store } = await scene();
    credit(ALICE);
    const [old] = queue.due(asTimestampMs(NOW), 1);
    store.deleteWallet(ALICE);
    credit(ALICE);
    expect(queue.content(old ?? expect.unreachable())).toBe(null);
    queue.settle(old ?? expect.unreachable(), { kind: "delivered" });
    expect(queue.due(asTimestampMs(NOW), 1)).toHaveLength(1);
  });

  it("say what happened, and not whose token it is", async () => {
    const { credit, queue } = await scene();
    credit(ALICE);
    const [due] = queue.due(asTimestampMs(NOW), 1);
    const content = queue.content(due ?? expect.unreachable());
    const text = new TextDecoder().decode(content?.body);
    expect(text).not.toContain("alice");
    expect(JSON.parse(text)).toEqual({
      id: content?.id,
      type: "deposit.credited",
      eventType: "deposit.credited",
      createdAt: 1_700_000_000,
      apiVersion: "v1",
      data: {
        wallet: expect.stringMatching(/^wallet-[0-9a-f]{8}$/),
        event: {
          cursor: "1",
          kind: "credited",
          txid: `${"0".repeat(63)}1`,
          outputIndex: 0,
          blockHash: "01".repeat(32),
          chainIndex: "7",
          amountSompi: "18446744073709551615",
          recipient: "svc:0a0a",
          addressIndex: 3,
          memo: "hi",
          memoHex: "6869",
          createdMs: String(NOW),
        },
      },
    });
  });

  it(`reach a receiver that fails at random, each wallet's in order, while the sender is killed (SVC_SEED=${SEED})`, async () => {
    const { credit, sender, random, clock, queue } = await scene();
    const got = new Map<string, bigint[]>();
    const ids = new Set<string>();
    const post = async (sent: WebhookPost): Promise<void> => {
      const { id, data } = read(sent);
      const luck = random() % 4;
      if (luck === 0) throw new SvcError("webhook/refused", { status: 500 });
      const cursors = got.get(data.wallet) ?? [];
      got.set(data.wallet, cursors);
      // What it takes twice it knows by the id.
      if (!ids.has(id)) cursors.push(BigInt(data.event.cursor));
      ids.add(id);
      if (luck === 1) throw new SvcError("webhook/unreachable", { reason: "the answer was lost" });
    };
    let running = sender(post);
    running.start();
    for (let round = 0; round < 60; round += 1) {
      credit(round % 3 === 0 ? BOB : ALICE);
      running.wake();
      clock.advance(random() % 20_000);
      if (random() % 4 === 0) {
        await running.stop();
        running = sender(post);
        running.start();
      }
    }
    for (let round = 0; queue.nextMs() !== null;) {
      if (round > 5_000) expect.unreachable();
      // Signatures come from other threads. A clock that did not wait for them would make dead letters on a busy machine.
      if (running.underWay === 0) {
        round += 1;
        clock.advance(60_000);
        running.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await running.stop();
    const lanes = [...got.values()].toSorted((a, b) => a.length - b.length);
    expect(lanes.map(({ length }) => length)).toEqual([20, 40]);
    for (const lane of lanes) expect(lane).toEqual(lane.map((_, place) => BigInt(place + 1)));
  });

  it("are counted as they wait, and as dead letters", async () => {
    const { store, credit, queue, clock } = await scene();
    const error = new SvcError("webhook/refused", { status: "410" }).toJSON();
    const settle = (state: "dead" | "delivered") => {
      const [due] = queue.due(asTimestampMs(clock.nowMs()), 1);
      const outcome = state === "dead" ? ({ kind: "dead", error } as const) : { kind: state };
      queue.settle(due ?? expect.unreachable(), outcome);
    };
    expect(queue.counts()).toEqual({ waiting: 0, dead: 0 });
    for (const token of [ALICE, ALICE, BOB, ALICE]) credit(token);
    expect(queue.counts()).toEqual({ waiting: 4, dead: 0 });
    expect(store.deliveries.counts(3)).toEqual({ waiting: 3, dead: 0 });
    settle("dead");
    settle("dead");
    settle("delivered");
    expect(queue.counts()).toEqual({ waiting: 1, dead: 2 });
    const [dead] = [...store.deliveries.deadAfter(ALICE, 0n, 9)];
    expect(dead?.row).toMatchObject({ state: "dead" });
    const again = queue.redeliver(ALICE, dead?.row.id ?? "");
    expect(again.row).toMatchObject({ state: "waiting", attempts: 0 });
    expect(queue.counts()).toEqual({ waiting: 2, dead: 1 });
    store.deleteWallet(BOB);
    store.deleteWallet(ALICE);
    expect(queue.counts()).toEqual({ waiting: 0, dead: 0 });
  });

  it("go out again under the same id, for their own wallet alone", async () => {
    const { credit, queue, sender, clock } = await scene();
    const ids: string[] = [];
    const running = sender(async (sent) => void ids.push(read(sent).id));
    running.start();
    credit(ALICE);
    running.wake();
    await expect.poll(() => ids.length, { interval: 1 }).toBe(1);
    credit(BOB);
    running.wake();
    await expect.poll(() => [ids.length, queue.nextMs()], { interval: 1 }).toEqual([2, null]);
    const [first = "", second = ""] = ids;
    for (const [token, id] of [
      [ALICE, second],
      [ALICE, "evt_x"],
      [ALICE, first.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))],
    ] as const) {
      expect(() => queue.redeliver(token, id)).toThrow("webhook/no-delivery");
    }
    clock.advance(5);
    queue.redeliver(ALICE, first);
    running.wake();
    await expect.poll(() => ids.length, { interval: 1 }).toBe(3);
    expect(ids[2]).toBe(first);
    await running.stop();
  });
});
