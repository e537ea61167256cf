/** Routes, bounds and ends of a link. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import {
  readEnvelope,
  writeEnvelope,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { messageNumbers } from "@svc/shared/protocol/p2p/testkit/messageNumbers.ts";
import { ManualClock } from "../../platform/clock.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { wirePair } from "../testkit/wirePair.ts";
import { Link, newLinkBudgets, type LinkParts } from "./link.ts";
import { checkMessageSize, MESSAGE_BOUNDS } from "./messageBounds.ts";

const ping = (nonce: bigint): P2pPayload => ({ $case: "ping", value: { nonce } });
const hash = { bytes: new Uint8Array(32) };
const inv: P2pPayload = { $case: "invRelayBlock", value: { hash } };

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
    await expect(late).rejects.toMatchObject({ code: "run/timeout", data: { limitMs: "50" } });
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

  it("ends when a route is full, but lets news fall", async () => {
    const { link, hear } = setUp();
    const news = link.route(["invRelayBlock"], { capacity: 2 });
    link.route(["ping"], { capacity: 2 });
    for (let count = 0; count < 5; count += 1) hear(inv);
    await news.next(null);
    await news.next(null);
    expect(link.signal.aborted).toBe(false);
    for (let count = 0; count < 3; count += 1) hear(ping(1n));
    expect(await link.ended).toMatchObject({ code: "queue/full", data: { queue: "ping" } });
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
    expect([code, data["reason"]?.length]).toEqual(["p2p/rejected", LIMITS.p2pReasonChars]);
    expect(said()).toEqual([]);
  });

  it("ends with its wire, and with a peer that does not read", async () => {
    const gone = setUp();
    const other = wirePair()[1];
    other.join(gone.wire);
    other.close();
    expect((await gone.link.ended).code).toBe("p2p/closed");
    const slow = setUp();
    slow.wire.unsentBytes = LIMITS.p2pUnsentBytes + 1;
    slow.link.send(ping(1n));
    expect((await slow.link.ended).code).toBe("p2p/slow-reader");
    expect(slow.said()).toEqual([]);
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
    a.link.send(page(LIMITS.p2pRoomBytes));
    const first = wait("a", a);
    await wait("b", b);
    expect(rooms).toEqual(["b"]);
    // What all hold counts too: nothing is given to b that is not read.
    budgets.unsent.change(LIMITS.p2pTotalRoomBytes);
    const second = wait("b", b);
    a.wire.drain();
    await settle();
    expect(rooms).toEqual(["b"]);
    budgets.unsent.change(-LIMITS.p2pTotalRoomBytes);
    await Promise.all([first, second]);
    expect(rooms).toEqual(["b", "a", "b"]);
    expect(budgets.unsent.used).toBe(0);
  });

  it("gives up waiting for room when it ends or the caller does, and its bytes are given back", async () => {
    const budgets = newLinkBudgets();
    const { link, wire } = setUp({ budgets });
    wire.isRead = false;
    for (let sent = 0; sent < LIMITS.p2pRoomBytes; sent += LIMITS.p2pMessageOverhead) {
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

describe("bounds of messages", () => {
  const definition = readFileSync(
    new URL("../../../shared/protocol/proto/p2p.proto", import.meta.url),
    "utf8",
  );

  it("are there for every message, under its number", () => {
    const bounds = Object.entries(MESSAGE_BOUNDS).map(([name, [number]]) => [name, number]);
    expect(bounds).toEqual(messageNumbers(definition));
  });

  it("are held against what an envelope says, before its parts are looked at", () => {
    const envelope = (payload: P2pPayload) =>
      writeEnvelope({ payload, responseId: 3, requestId: 4 });
    expect(checkMessageSize(envelope(ping(1n)))).toBe(16);
    expect(checkMessageSize(new Uint8Array())).toBeNull();
    const addresses = Array.from({ length: 70_000 }, () => ({
      timestamp: 0n,
      ip: new Uint8Array(),
      port: 0,
    }));
    const large = envelope({ $case: "addresses", value: { addressList: addresses } });
    expect(codeOf(() => checkMessageSize(large))).toBe("p2p/message-too-large");
    const unknown = Uint8Array.of(0x9a, 0x06, 0x80, 0x09, ...new Uint8Array(1_152));
    expect(codeOf(() => checkMessageSize(unknown))).toBe("p2p/message-too-large");
    const twice = Uint8Array.of(...envelope(ping(1n)), ...envelope(ping(2n)));
    for (const bytes of [
      twice,
      Uint8Array.of(0x82),
      Uint8Array.of(0x82, 0x01, 0x05),
      Uint8Array.of(0x0d, 0, 0, 0, 0),
      Uint8Array.of(0x08, 0x01),
      new Uint8Array(20).fill(0xff),
    ]) {
      expect(codeOf(() => checkMessageSize(bytes))).toBe("p2p/bad-message");
    }
  });
});
