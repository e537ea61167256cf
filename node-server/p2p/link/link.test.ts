/** Routes, bounds and ends of a link. */
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  readEnvelope,
  writeEnvelope,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { emptyParts, lengthDelimited } from "../testkit/rawEnvelope.ts";
import { wirePair } from "../testkit/wirePair.ts";
import { Link, newLinkBudgets, type LinkParts } from "./link.ts";

const ping = (nonce: bigint): P2pPayload => ({ $case: "ping", value: { nonce } });
const hash = { bytes: new Uint8Array(32) };
const invOf = (byte: number): P2pPayload => ({
  $case: "invRelayBlock",
  value: { hash: { bytes: new Uint8Array(32).fill(byte) } },
});
const inv = invOf(0);

function setUp({ budgets }: Pick<LinkParts, "budgets"> = {}) {
  const wire = wirePair()[0];
  const clock = new ManualClock(1_000n);
  const unknown: number[] = [];
  const link = new Link({ wire, clock, onUnknown: (number) => unknown.push(number), budgets });
  link.start();
  const hear = (payload: P2pPayload, { responseId = 0, requestId = 0 } = {}): void =>
    wire.hear(writeEnvelope({ payload, responseId, requestId }));
  const said = (): (string | undefined)[] =>
    wire.sent.map((bytes) => {
      const { payload } = readEnvelope(bytes);
      return payload?.$case === "reject" ? `reject ${payload.value.reason}` : payload?.$case;
    });
  return { wire, clock, link, hear, said, unknown };
}

describe("a link", () => {
  it("hands messages to the route of their name, in order", async () => {
    const { link, hear } = setUp();
    const pings = link.route(["ping"]);
    const pongs = link.route(["pong"]);
    hear(ping(1n), { requestId: 9 });
    hear({ $case: "pong", value: { nonce: 7n } });
    hear(ping(2n));
    expect(await pings.next(null)).toEqual({ payload: ping(1n), requestId: 9 });
    expect(await pings.next(null)).toEqual({ payload: ping(2n), requestId: 0 });
    expect((await pongs.next(null)).payload.value.nonce).toBe(7n);
  });

  it("asks with a route of its own, and forgets who stopped waiting", async () => {
    const { link, hear, wire, clock } = setUp();
    const ask = (waitMs: number, signal?: AbortSignal) =>
      link.ask({ payload: ping(1n), answers: ["pong"], waitMs, ...(signal && { signal }) });
    const answer = ask(50);
    const [sent = new Uint8Array()] = wire.sent;
    const { requestId } = readEnvelope(sent);
    hear({ $case: "pong", value: { nonce: 5n } }, { responseId: requestId });
    expect((await answer).value.nonce).toBe(5n);
    const late = ask(50);
    clock.advance(50);
    await expect(late).rejects.toMatchObject({ code: "p2p/stalled", data: { limitMs: "50" } });
    hear({ $case: "pong", value: { nonce: 6n } }, { responseId: requestId + 1 });
    const cancel = new AbortController();
    const cancelled = ask(50, cancel.signal);
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "run/aborted" });
    expect(link.signal.aborted).toBe(false);
    // An id that was never given out, and an answer of another name, are faults.
    hear({ $case: "pong", value: { nonce: 6n } }, { responseId: 99 });
    expect((await link.ended).code).toBe("p2p/unexpected-message");
  });

  it("ends with what nobody waits for, and says why", async () => {
    const { link, hear, said, wire } = setUp();
    const pings = link.route(["ping"]);
    const waiting = pings.next(null);
    hear({ $case: "requestShieldedHistory", value: { anchorHash: hash.bytes, maxBlocks: 1 } });
    const error = await link.ended;
    expect(error).toMatchObject({
      code: "p2p/unexpected-message",
      data: { message: "requestShieldedHistory" },
    });
    await expect(waiting).rejects.toBe(error);
    await expect(pings.next(5)).rejects.toBe(error);
    expect(said()).toEqual(["reject Nobody here waits for the message requestShieldedHistory."]);
    expect(wire.isClosed).toBe(true);
    link.send(ping(1n));
    expect(wire.sent).toHaveLength(1);
  });

  it("ends when a route is full, but lets the oldest news fall", async () => {
    const { link, hear } = setUp();
    const news = link.route(["invRelayBlock"], { capacity: 2 });
    link.route(["ping"], { capacity: 2 });
    for (let count = 0; count < 5; count += 1) hear(invOf(count));
    await settle();
    // The newest lead to those before them.
    for (const count of [3, 4]) {
      const { payload } = await news.next(null);
      expect(payload).toEqual(invOf(count));
    }
    expect(link.signal.aborted).toBe(false);
    for (let count = 0; count < 3; count += 1) hear(ping(1n));
    expect(await link.ended).toMatchObject({ code: "p2p/flooded", data: { message: "ping" } });
  });

  it("ends when small messages of a route are too many bytes, and lets news of so many fall", async () => {
    const { link, hear } = setUp();
    const hashes = Array.from({ length: 3_000 }, () => hash);
    const asked: P2pPayload = { $case: "requestRelayBlocks", value: { hashes } };
    const ids: P2pPayload = { $case: "invTransactions", value: { ids: hashes } };
    const news = link.route(["invTransactions"]);
    link.route(["requestRelayBlocks"]);
    for (let count = 0; count < 50; count += 1) hear(ids);
    await settle();
    let heard = 0;
    const over = new AbortController();
    const drain = async (): Promise<void> => {
      for (;;) {
        await news.next(null, over.signal);
        heard += 1;
      }
    };
    const drained = drain().catch(() => undefined);
    await settle();
    over.abort();
    await drained;
    expect(heard).toBe(
      Math.floor(P2P_LIMITS.p2pRouteBytes / (3_000 * 36 + P2P_LIMITS.p2pMessageOverhead)),
    );
    expect(link.signal.aborted).toBe(false);
    for (let count = 0; count < 50; count += 1) hear(asked);
    expect((await link.ended).code).toBe("p2p/flooded");
  });

  it("ends with a peer that sends more small messages than anybody needs", async () => {
    const { link, hear, clock } = setUp();
    const asked = link.route(["ping"], { capacity: 10 });
    const flood = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) {
        hear(ping(1n));
        await asked.next(null);
      }
    };
    await flood(P2P_LIMITS.p2pSmallBurst);
    clock.advance(1_000);
    await flood(P2P_LIMITS.p2pSmallPerSecond);
    expect(link.signal.aborted).toBe(false);
    hear(ping(1n));
    expect(await link.ended).toMatchObject({ code: "p2p/flooded", data: { message: "ping" } });
  });

  it("ends with a peer that sends more late answers than there can be", async () => {
    const { link, hear } = setUp();
    const conversation = link.converse(ping(1n), ["blockBody"], 1);
    conversation.end();
    const payload: P2pPayload = { $case: "blockBody", value: { transactions: [] } };
    for (let sent = 0; sent < P2P_LIMITS.p2pSmallBurst; sent += 1) hear(payload, { responseId: 1 });
    await settle();
    expect(link.signal.aborted).toBe(false);
    hear(payload, { responseId: 1 });
    expect((await link.ended).code).toBe("p2p/flooded");
  });

  it("looks into nothing that nobody waits for", async () => {
    const { link, wire, hear } = setUp();
    // The content is no protobuf, but the number says that it is an answer to an earlier question.
    const garbage = Uint8Array.of(0xca, 0x02, 0x02, 0x0a, 0x09);
    const asked = link.converse(ping(1n), ["blockHeaders"], 1);
    asked.end();
    wire.hear(Uint8Array.of(...garbage, 0xa8, 0x06, 0x01));
    hear({ $case: "pong", value: { nonce: 1n } }, { responseId: 1 });
    await settle();
    expect(link.signal.aborted).toBe(false);
    wire.hear(garbage);
    expect(await link.ended).toMatchObject({
      code: "p2p/unexpected-message",
      data: { message: "blockHeaders" },
    });
  });

  it("refuses a small message of many parts before it is decoded", async () => {
    const { link, wire } = setUp();
    const headers = link.route(["blockHeaders"]);
    const waiting = headers.next(null);
    wire.hear(lengthDelimited(41, emptyParts(P2P_LIMITS.p2pPageParts + 1)));
    expect((await link.ended).code).toBe("p2p/bad-message");
    await expect(waiting).rejects.toMatchObject({ code: "p2p/bad-message" });
  });

  it("hands out messages as they came to who decodes them itself, and ends with what does not decode", async () => {
    const { link, wire, hear } = setUp();
    const pings = link.route(["ping"]);
    hear(ping(5n), { requestId: 3 });
    const { name, requestId, envelope } = await pings.nextEncoded(null);
    expect([name, requestId, readEnvelope(envelope).payload]).toEqual(["ping", 3, ping(5n)]);
    // A user agent of five bytes, none of which are there.
    const rejected = link.route(["version"]);
    const waiting = rejected.next(null);
    wire.hear(Uint8Array.of(0xa2, 0x01, 0x02, 0x32, 0x05));
    await expect(waiting).rejects.toMatchObject({ code: "p2p/bad-message" });
    expect((await link.ended).code).toBe("p2p/bad-message");
  });

  it("stops reading while its flows have enough, on its own and with all others", async () => {
    const budgets = newLinkBudgets();
    const { link, wire } = setUp({ budgets });
    const states = link.route(["shieldedMetadata"]);
    const size = 4 * 2 ** 20;
    const value = { data: new Uint8Array(size), nullifierCount: 0n };
    const page = writeEnvelope({
      payload: { $case: "shieldedMetadata", value },
      responseId: 0,
      requestId: 0,
    });
    const enough = P2P_LIMITS.p2pQueuedBytes / size;
    for (let count = 0; count < enough + 3; count += 1) wire.hear(page);
    await settle();
    expect(wire.unread).toHaveLength(3);
    await states.nextEncoded(null);
    await settle();
    expect(wire.unread).toHaveLength(2);
    // The others have filled what all may have: this one is read from when little of it waits.
    budgets.queued.change(P2P_LIMITS.p2pTotalQueuedBytes);
    for (let count = 0; count < enough; count += 1) {
      expect(wire.unread).toHaveLength(2);
      await states.nextEncoded(null);
      await settle();
    }
    expect(wire.unread).toHaveLength(1);
    budgets.queued.change(-P2P_LIMITS.p2pTotalQueuedBytes);
    await settle();
    expect(wire.unread).toHaveLength(0);
    expect(link.signal.aborted).toBe(false);
    link.end(new SvcError("p2p/evicted", {}));
    expect(budgets.queued.used).toBe(0);
  });

  it("leaves nothing on signals that outlive what waited", async () => {
    const { link, clock } = setUp();
    const long = new AbortController();
    const pings = link.route(["ping"]);
    for (let count = 0; count < 3; count += 1) {
      const waiting = pings.next(10, long.signal);
      clock.advance(10);
      await expect(waiting).rejects.toMatchObject({ code: "p2p/stalled" });
    }
    expect(getEventListeners(long.signal, "abort")).toEqual([]);
    expect(getEventListeners(link.signal, "abort")).toEqual([]);
  });

  it("skips messages that nobody knows and counts them; one without a message ends it", async () => {
    const { link, wire, unknown } = setUp();
    wire.hear(Uint8Array.of(0x9a, 0x06, 0x01, 0x05));
    wire.hear(new Uint8Array());
    expect(await link.ended).toMatchObject({ code: "p2p/bad-message" });
    expect(unknown).toEqual([99]);
  });

  it("passes on the reason that the other side gives, cut to a length", async () => {
    const { link, hear, said } = setUp();
    hear({ $case: "reject", value: { reason: "x".repeat(5_000) } });
    const { code, data } = await link.ended;
    expect([code, data["reason"]?.length]).toEqual(["p2p/rejected", P2P_LIMITS.p2pReasonChars]);
    expect(said()).toEqual([]);
  });

  it("ends with its wire, and with a peer that does not read", async () => {
    const gone = setUp();
    const other = wirePair()[1];
    other.join(gone.wire);
    other.close();
    expect((await gone.link.ended).code).toBe("p2p/closed");
    const slow = setUp();
    slow.wire.unsentBytes = P2P_LIMITS.p2pUnsentBytes + 1;
    slow.link.send(ping(1n));
    expect((await slow.link.ended).code).toBe("p2p/slow-reader");
    expect(slow.said()).toEqual([]);
    // When all together leave too much, those end that have no room; the others go on.
    const budgets = newLinkBudgets();
    const [tight, easy] = [setUp({ budgets }), setUp({ budgets })];
    budgets.unsent.change(P2P_LIMITS.p2pTotalUnsentBytes);
    tight.wire.unsentBytes = P2P_LIMITS.p2pRoomBytes + 1;
    for (const { link } of [tight, easy]) link.send(ping(1n));
    tight.link.send(ping(2n));
    expect((await tight.link.ended).code).toBe("p2p/slow-reader");
    expect(easy.link.signal.aborted).toBe(false);
  });

  it("sends what is encoded already, as the answer to a question", () => {
    const { link, wire } = setUp();
    const encoded = writeEnvelope({ payload: inv, responseId: 0, requestId: 0 });
    link.sendEncoded(encoded);
    link.sendEncoded(encoded, 300);
    expect(wire.sent.map(readEnvelope)).toEqual([
      { payload: inv, responseId: 0, requestId: 0 },
      { payload: inv, responseId: 300, requestId: 0 },
    ]);
  });

  it("has room again when its peer, and all together, have taken enough", async () => {
    const budgets = newLinkBudgets();
    const [a, b] = [setUp({ budgets }), setUp({ budgets })];
    const page = (bytes: number): P2pPayload => ({
      $case: "shieldedMetadata",
      value: { data: new Uint8Array(bytes), nullifierCount: 0n },
    });
    const rooms: string[] = [];
    const wait = (name: string, { link }: typeof a): Promise<unknown> =>
      link.room().then(() => rooms.push(name));
    a.wire.isRead = false;
    a.link.send(page(P2P_LIMITS.p2pRoomBytes));
    const first = wait("a", a);
    await wait("b", b);
    expect(rooms).toEqual(["b"]);
    // What all hold counts too; only those of whom little waits are served all the same.
    budgets.unsent.change(P2P_LIMITS.p2pTotalRoomBytes);
    b.wire.isRead = false;
    await wait("b", b);
    b.link.send(page(P2P_LIMITS.p2pRoomShare));
    const second = wait("b", b);
    await settle();
    expect(rooms).toEqual(["b", "b"]);
    a.wire.drain();
    await first;
    expect(rooms).toEqual(["b", "b", "a"]);
    budgets.unsent.change(-P2P_LIMITS.p2pTotalRoomBytes);
    await second;
    b.wire.drain();
    await settle();
    expect(budgets.unsent.used).toBe(0);
  });

  it("ends with a peer that leaves what it was given for long", async () => {
    const { link, wire, clock } = setUp();
    wire.isRead = false;
    for (let sent = 0; sent < P2P_LIMITS.p2pRoomBytes; sent += P2P_LIMITS.p2pMessageOverhead) {
      link.send(ping(1n));
    }
    const waiting = link.room();
    clock.advance(P2P_LIMITS.p2pRoomMs);
    await expect(waiting).rejects.toMatchObject({ code: "p2p/slow-reader" });
    expect((await link.ended).code).toBe("p2p/slow-reader");
  });

  it("gives up waiting for room when it ends or the caller does, and its bytes are given back", async () => {
    const budgets = newLinkBudgets();
    const { link, wire } = setUp({ budgets });
    wire.isRead = false;
    for (let sent = 0; sent < P2P_LIMITS.p2pRoomBytes; sent += P2P_LIMITS.p2pMessageOverhead) {
      link.send(ping(1n));
    }
    expect(budgets.unsent.used).toBe(wire.unsentBytes);
    const cancel = new AbortController();
    const cancelled = link.room(cancel.signal);
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "run/aborted" });
    const waiting = link.room();
    const error = new SvcError("p2p/evicted", {});
    link.end(error);
    await expect(waiting).rejects.toBe(error);
    await expect(link.room()).rejects.toBe(error);
    wire.lose();
    await settle();
    expect(budgets.unsent.used).toBe(0);
  });

  it("tells the reference in its words of what is no fault", async () => {
    for (const [code, word] of [
      ["p2p/own-connection", "LOOPBACK_CONNECTION"],
      ["p2p/duplicate-connection", "DUPLICATE_CONNECTION"],
    ] as const) {
      const { link, said } = setUp();
      link.end(new SvcError(code, {}));
      link.end(new SvcError("p2p/closed", {}));
      expect((await link.ended).code).toBe(code);
      expect(said()).toEqual([`reject ${word}`]);
    }
  });
});
