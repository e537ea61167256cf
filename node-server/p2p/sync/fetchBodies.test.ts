import { beforeEach, describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rawHeadersOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { fetchBodies, type BodySource } from "./fetchBodies.ts";
import {
  hashOf,
  headerMessage,
  NumberedChain,
  numberOf,
  numbersIn,
} from "./testkit/numberedChain.ts";

let clock = new ManualClock(0n);
let chain = new NumberedChain(0, 0);
let sources: BodySource[] = [];
let inserted: number[] = [];
/** As many as fit a page of the store. */
let headersPage: number = P2P_LIMITS.syncBatchBlocks;
beforeEach(() => {
  clock = new ManualClock(0n);
  chain = new NumberedChain(0, 0);
  [sources, inserted] = [[], []];
  headersPage = P2P_LIMITS.syncBatchBlocks;
});

/** Questions of a node that has the headers. */
async function ask(question: string, args: readonly unknown[]): Promise<never> {
  const [first, second, third] = args;
  const answer = (): unknown => {
    if (question === "bodiesMissing") {
      return chain.missing(String(first), String(second), Number(third));
    }
    if (question === "ancestry") {
      return numberOf(String(first)) <= numberOf(String(second)) ? "chain" : "none";
    }
    if (question !== "headersOf" || !(first instanceof Uint8Array)) throw new Error(question);
    return rawHeadersOf(numbersIn(first).slice(0, headersPage).map(headerMessage));
  };
  return answer() as never;
}

function fetchAll(high: number, signal = new AbortController().signal): Promise<void> {
  const parts = {
    reader: { ask },
    sources: () => sources,
    insert: async (raw: Uint8Array) => {
      const number = Number(decodeRawBlock(raw).header.nonce);
      inserted.push(number);
      return chain.insert(number);
    },
    onProgress: () => {},
    steadyMs: () => clock.steadyMs(),
    signal,
  };
  return fetchBodies(parts, hashOf(high));
}

/** Whether a peer answers, maybe after a while. */
type Gives = (asked: number) => boolean | Promise<boolean>;

/** A peer that has bodies up to a number; it answers as long as `gives` says so, and sends each so many `times`. */
function source(known: number, gives: Gives = () => true, times = 1) {
  const { peer, remote, start } = linkedPeer(clock, [], `peer ${sources.length}`);
  const requests = remote.route(["requestBlockBodies"]);
  start();
  const asked: number[] = [];
  const serve = async (): Promise<void> => {
    for (;;) {
      const { payload, requestId } = await requests.next(null);
      for (const { bytes } of payload.value.hashes) {
        const number = numberOf(encodeHex(bytes));
        asked.push(number);
        if (!(await gives(number))) return;
        for (let time = 0; time < times; time += 1) {
          remote.send({ $case: "blockBody", value: { transactions: [] } }, requestId);
        }
      }
    }
  };
  serve().catch(() => undefined);
  sources.push({ peer, known: hashOf(known) });
  return { link: peer.link, asked };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe("bodies of known headers", () => {
  it("come from one peer, in the order of the graph", async () => {
    chain = new NumberedChain(1_000, 0);
    source(1_000);
    await fetchAll(1_000);
    expect(inserted).toEqual(upTo(1_000));
  });

  it("come all, also when the store gives a few of the headers at a time", async () => {
    chain = new NumberedChain(300, 0);
    headersPage = 7;
    source(300);
    await fetchAll(300);
    expect(inserted).toEqual(upTo(300));
  });

  it("come from several, each as far as it has them", async () => {
    const count = 20 * P2P_LIMITS.syncBatchBlocks;
    chain = new NumberedChain(count, 0);
    const whole = source(count);
    const half = source(count / 2);
    await fetchAll(count);
    expect(inserted).toEqual(upTo(count));
    expect(half.asked.length).toBeGreaterThan(P2P_LIMITS.syncBatchBlocks);
    expect(Math.max(...half.asked)).toBeLessThanOrEqual(count);
    expect(whole.asked.length + half.asked.length).toBe(count);
  });

  it("are asked of another peer when one stalls, which loses its link", async () => {
    chain = new NumberedChain(500, 0);
    const stalling = source(500, (number) => number < 30);
    source(500);
    const done = fetchAll(500);
    await settle();
    clock.advance(P2P_LIMITS.syncStallMs);
    await done;
    expect(inserted).toEqual(upTo(500));
    expect((await stalling.link.ended).code).toBe("p2p/stalled");
  });

  it("are asked of another peer when one gives them too slowly, though it never stalls", async () => {
    chain = new NumberedChain(500, 0);
    const stepMs = P2P_LIMITS.syncStallMs / 2;
    const { signal } = new AbortController();
    const slow = source(500, () => clock.sleep(stepMs, signal).then(() => true));
    source(500);
    const done = fetchAll(500);
    for (let passedMs = 0; passedMs < P2P_LIMITS.syncBatchMs; passedMs += stepMs) {
      await settle();
      expect(slow.link.signal.aborted).toBe(false);
      clock.advance(stepMs);
    }
    await settle();
    clock.advance(stepMs);
    await done;
    expect(inserted).toEqual(upTo(500));
    expect((await slow.link.ended).code).toBe("p2p/stalled");
  });

  it("that are refused end the fetching and the link of whoever sent them", async () => {
    chain = new NumberedChain(500, 0);
    const data = { expected: "1", found: "2" };
    chain.refused.set(150, {
      kind: "rejected",
      hash: hashOf(150),
      code: "body/bad-merkle-root",
      data,
    });
    const { link } = source(500);
    // Whoever else is asked for bodies must not be blamed for it.
    await expect(fetchAll(500)).rejects.toMatchObject({ code: "sync/no-source" });
    expect((await link.ended).code).toBe("body/bad-merkle-root");
    expect(inserted).toContain(149);
  });

  it("are asked of another peer when one sends more than was asked for", async () => {
    chain = new NumberedChain(500, 0);
    const flooding = source(500, () => true, 20);
    source(500);
    await fetchAll(500);
    expect(inserted).toEqual(upTo(500));
    expect((await flooding.link.ended).code).toBe("p2p/flooded");
  });

  it("are missed when no peer is left", async () => {
    chain = new NumberedChain(500, 0);
    const { link } = source(500, (number) => number < 200);
    const done = fetchAll(500);
    done.catch(() => undefined);
    await settle();
    link.end(new SvcError("p2p/closed", {}));
    await expect(done).rejects.toMatchObject({ code: "sync/no-source" });
    expect(inserted).toEqual(upTo(2 * P2P_LIMITS.syncBatchBlocks));
  });

  it("are given up when the caller does, and the links stay", async () => {
    chain = new NumberedChain(500, 0);
    const { link } = source(500, (number) => number < 200);
    const stop = new AbortController();
    const done = fetchAll(500, stop.signal);
    done.catch(() => undefined);
    await settle();
    stop.abort();
    await expect(done).rejects.toMatchObject({ code: "run/aborted" });
    expect(link.signal.aborted).toBe(false);
  });

  it("are not asked for where there are none to ask for", async () => {
    chain = new NumberedChain(10, 10);
    await fetchAll(10);
    expect(inserted).toEqual([]);
  });
});
