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
import { ManualClock } from "../../platform/time/clock.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import type { DepositEvent } from "../store/depositEvent.ts";
import { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { EventFeed } from "./eventFeed.ts";

const TOKEN = asWalletToken("alice");
const { signal } = new AbortController();

function event(number: number): DepositEvent {
  return {
    kind: "credited",
    txid: asTxId(number.toString(16).padStart(64, "0")),
    outputIndex: 0,
    blockHash: asBlockHash("01".repeat(32)),
    chainIndex: asChainIndex(1n),
    blueScore: asBlueScore(1n),
    daaScore: asDaaScore(1n),
    amount: asSompi(5n),
    recipient: asRawAddress("0a".repeat(43)),
    addressIndex: 0,
    memo: "",
    createdMs: asTimestampMs(1n),
  };
}

async function scene() {
  const store = await WalletStore.open(null, null);
  const clock = new ManualClock(0n);
  const feed = new EventFeed(store.events, clock);
  const add = (number: number) => {
    store.commit((batch) => store.events.append(batch, TOKEN, event(number)));
    feed.changed(TOKEN);
  };
  return { clock, feed, add };
}

describe("a reader of a feed", () => {
  it("goes on from its cursor, and is told when the feed has fewer entries than it has read", async () => {
    const { feed, add } = await scene();
    for (const number of [1, 2, 3]) add(number);
    expect(feed.after(TOKEN, 0n, 2)).toMatchObject({ next: 2n, head: 3n });
    expect(feed.after(TOKEN, 2n, 2)).toMatchObject({ next: 3n, entries: [{ cursor: 3n }] });
    expect(feed.after(TOKEN, 3n, 2)).toEqual({ next: 3n, head: 3n, entries: [] });
    expect(() => feed.after(TOKEN, 4n, 2)).toThrow("wallet/cursor-ahead");
  });

  it("waits for an entry of its own wallet, and no longer than it asked for", async () => {
    const { feed, add, clock } = await scene();
    const waiting = feed.wait(TOKEN, 0n, { limit: 5, waitMs: 1e9 }, signal);
    const other = feed.wait(asWalletToken("bob"), 0n, { limit: 5, waitMs: 1e9 }, signal);
    expect(feed.waiting).toBe(2);
    add(1);
    expect((await waiting).entries).toHaveLength(1);
    expect(feed.waiting).toBe(1);
    clock.advance(WALLETD_LIMITS.feedWaitMs);
    expect((await other).entries).toEqual([]);
    expect(feed.waiting).toBe(0);
    expect(await feed.wait(TOKEN, 1n, { limit: 5, waitMs: 0 }, signal)).toMatchObject({ next: 1n });
  });

  it("that goes away leaves nothing behind, and too many do not wait", async () => {
    const { feed, clock } = await scene();
    const gone = new AbortController();
    const waits = Array.from({ length: WALLETD_LIMITS.feedWaiting }, () =>
      feed.wait(TOKEN, 0n, { limit: 1, waitMs: 1_000 }, gone.signal),
    );
    const beyond = await feed.wait(TOKEN, 0n, { limit: 1, waitMs: 1_000 }, signal);
    expect(beyond.entries).toEqual([]);
    gone.abort();
    const ended = await Promise.allSettled(waits);
    expect(ended.every(({ status }) => status === "rejected")).toBe(true);
    expect([feed.waiting, clock.sleeping]).toEqual([0, 0]);
  });
});
