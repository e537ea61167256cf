/** Both sides of a handshake, and whom it turns away. */
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readEnvelope, writeEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { introductionOf } from "../testkit/stranger.ts";
import { wirePair, type TestWire } from "../testkit/wirePair.ts";
import { shakeHands, type HandshakeParts, type Introduction } from "./handshake.ts";
import { judgePeer, type PeerRules } from "./judgePeer.ts";
import { Link } from "../link/link.ts";

const clock = new ManualClock(1_700_000_000_000n);
const idOf = (number: number): Uint8Array => introductionOf(number).id;

const introduction = (number: number): HandshakeParts["own"] => ({
  ...introductionOf(number),
  services: 3n,
});

function parts(
  byte: number,
  changes: Partial<HandshakeParts<Introduction>> = {},
): HandshakeParts<Introduction> {
  return { own: introduction(byte), clock, judge: () => {}, prepare: (said) => said, ...changes };
}

function linkOver(wire: TestWire): Link {
  return new Link({ wire, clock, onUnknown: () => {} });
}

const names = ({ sent }: TestWire): (string | undefined)[] =>
  sent.map((bytes) => readEnvelope(bytes).payload?.$case);

describe("a handshake", () => {
  it("introduces both sides and makes the routes before it says that it is ready", async () => {
    const [dialer, listener] = wirePair();
    const [a, b] = [linkOver(dialer), linkOver(listener)];
    const prepared: string[] = [];
    const [ofB, ofA] = await Promise.all([
      shakeHands(
        a,
        parts(1, {
          prepare: (said) => {
            prepared.push(...names(dialer).map(String));
            return said;
          },
        }),
      ),
      shakeHands(b, parts(2)),
    ]);
    expect([ofA.id, ofB.id]).toEqual([idOf(1), idOf(2)]);
    expect(ofB).toMatchObject({ protocolVersion: 10, timestamp: 1_700_000_000_000n, services: 3n });
    expect(prepared).toEqual(["version", "verack"]);
    expect(names(dialer)).toEqual(["version", "verack", "ready"]);
    expect(names(listener)).toEqual(["version", "verack", "ready"]);
    // A second introduction is one too many.
    b.send({ $case: "verack", value: {} });
    expect((await a.ended).code).toBe("p2p/unexpected-message");
  });

  it("ends when the other side takes its time", async () => {
    const manual = new ManualClock(0n);
    const wire = wirePair()[0];
    const link = new Link({ wire, clock: manual, onUnknown: () => {} });
    const shaken = shakeHands(link, { ...parts(1), clock: manual });
    manual.advance(4_000);
    await expect(shaken).rejects.toMatchObject({ code: "p2p/stalled", data: { limitMs: "4000" } });
    expect((await link.ended).code).toBe("p2p/stalled");
    expect(names(wire)).toEqual(["version", "reject"]);
  });

  it("ends when the caller gives up, before it begins too", async () => {
    for (const isEarly of [true, false]) {
      const wire = wirePair()[0];
      const cancel = new AbortController();
      if (isEarly) cancel.abort();
      const link = linkOver(wire);
      const shaken = shakeHands(link, parts(1), cancel.signal);
      if (!isEarly) cancel.abort();
      await expect(shaken).rejects.toMatchObject({ code: "run/aborted" });
      expect((await link.ended).code).toBe("run/aborted");
      expect(getEventListeners(cancel.signal, "abort")).toEqual([]);
    }
    const [dialer, listener] = wirePair();
    const cancel = new AbortController();
    const link = linkOver(dialer);
    const other = shakeHands(linkOver(listener), parts(2));
    await Promise.all([shakeHands(link, parts(1), cancel.signal), other]);
    cancel.abort();
    expect(link.signal.aborted).toBe(false);
  });

  it("ends with what the judge says, and the other side hears it", async () => {
    const [dialer, listener] = wirePair();
    const judge = (): never => {
      throw new SvcError("p2p/own-connection", {});
    };
    const b = linkOver(listener);
    const shaken = await Promise.allSettled([
      shakeHands(linkOver(dialer), parts(1, { judge })),
      shakeHands(b, parts(2)),
    ]);
    expect(shaken.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await b.ended).toMatchObject({
      code: "p2p/rejected",
      data: { reason: "LOOPBACK_CONNECTION" },
    });
  });

  it("refuses an id of another length", async () => {
    const wire = wirePair()[0];
    const link = linkOver(wire);
    const shaken = shakeHands(link, parts(1));
    const value = {
      ...introduction(2),
      id: idOf(2).subarray(1),
      protocolVersion: 10,
      timestamp: 0n,
    };
    for (const payload of [
      { $case: "version", value } as const,
      { $case: "verack", value: {} } as const,
    ]) {
      wire.hear(writeEnvelope({ payload, responseId: 0, requestId: 0 }));
    }
    await expect(shaken).rejects.toMatchObject({ code: "p2p/bad-message", data: { field: "id" } });
  });
});

describe("the judge of peers", () => {
  const peer: Introduction = { ...introduction(2), protocolVersion: 10, timestamp: 0n };
  const rules: PeerRules = {
    ownId: idOf(1),
    network: peer.network,
    isKnown: () => false,
    takesAgent: () => true,
    digest: "ab".repeat(32),
  };
  const verdict = (change: Partial<Introduction>, rule: Partial<PeerRules> = {}): string =>
    codeOf(() => judgePeer({ ...peer, ...change }, { ...rules, ...rule }), "taken");

  it("names the first reason there is", () => {
    const worst = { id: idOf(1), network: "svc-mainnet", protocolVersion: 9 };
    const all = { isKnown: () => true, takesAgent: () => false };
    expect(verdict(worst, all)).toBe("p2p/duplicate-connection");
    expect(verdict(worst, { ...all, isKnown: () => false })).toBe("p2p/own-connection");
    const other = { ...worst, id: idOf(3) };
    expect(verdict(other, { ...all, isKnown: () => false })).toBe("p2p/wrong-network");
    const old = { protocolVersion: 9 };
    expect(verdict(old, { takesAgent: () => false })).toBe("p2p/refused-agent");
    expect(verdict(old)).toBe("p2p/wrong-version");
    expect(verdict({ protocolVersion: 11 })).toBe("taken");
    const agentOf = (digest: string) => ({ userAgent: `/svc:1.0.0(profile-${digest})/` });
    expect(verdict({ ...old, ...agentOf("0".repeat(16)) })).toBe("p2p/wrong-profile");
    expect(verdict(agentOf("ab".repeat(8)))).toBe("taken");
  });
});
