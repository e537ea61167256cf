/** Wires over real gRPC on loopback. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { listenLocally } from "../../platform/testkit/listenLocally.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { PATIENT_DIAL } from "../testkit/patientDial.ts";
import { introductionOf } from "../testkit/stranger.ts";
import { dialPeer } from "./grpcDialer.ts";
import { startGrpcListener, type GrpcListener } from "./grpcListener.ts";
import { GrpcWire } from "./grpcWire.ts";
import { shakeHands, type HandshakeParts, type Introduction } from "../handshake/handshake.ts";
import { Link } from "./link.ts";
import type { Wire } from "./wire.ts";

const HOST = "127.0.0.1";
/** It never moves: nothing here ends because a machine is slow. */
const clock = new ManualClock(1_700_000_000_000n);
const forever = new AbortController().signal;
const listeners: GrpcListener[] = [];
const links: Link[] = [];

afterEach(async () => {
  for (const link of links.splice(0)) link.end(new SvcError("node/stopping", {}));
  for (const listener of listeners.splice(0)) await listener.stop();
});

async function listen(admits = true): Promise<{ port: number; accepted: Promise<Wire> }> {
  const accepted = Promise.withResolvers<Wire>();
  const listener = await startGrpcListener({
    host: HOST,
    port: 0,
    admits: () => admits,
    onWire: accepted.resolve,
    closeMs: PATIENT_DIAL.closeMs,
    limits: { noStreamMs: PATIENT_DIAL.openMs },
  });
  listeners.push(listener);
  return { port: listener.port, accepted: accepted.promise };
}

function linkOver(wire: Wire): Link {
  const link = new Link({ wire, clock, onUnknown: () => {} });
  links.push(link);
  return link;
}

const parts = (byte: number): HandshakeParts<Introduction> => ({
  own: { ...introductionOf(byte), userAgent: `/test:${byte}/` },
  clock,
  judge: () => {},
  prepare: (said) => said,
});

async function linked(): Promise<[dialer: Link, listener: Link]> {
  const { port, accepted } = await listen();
  const [dialer, listener] = await Promise.all([
    dialPeer({ ip: HOST, port }, forever, { limits: PATIENT_DIAL }).then(linkOver),
    accepted.then(linkOver),
  ]);
  const [ofListener, ofDialer] = await Promise.all([
    shakeHands(dialer, parts(1)),
    shakeHands(listener, parts(2)),
  ]);
  expect([ofDialer.userAgent, ofListener.userAgent]).toEqual(["/test:1/", "/test:2/"]);
  return [dialer, listener];
}

const state = (data: Uint8Array): P2pPayload => ({
  $case: "shieldedMetadata",
  value: { data, nullifierCount: 1n },
});

const ignored = { onMessage: () => {}, onSent: () => {} };

describe("gRPC wires", () => {
  it("carry messages of all sizes both ways, in order, compressed or not", async () => {
    const [dialer, listener] = await linked();
    expect([dialer.isOutbound, listener.isOutbound]).toEqual([true, false]);
    expect(listener.remote.ip).toBe(HOST);
    const sizes = [0, 1, 1_000, 1_500, 100_000, 3_000_000];
    for (const [from, to] of [
      [dialer, listener],
      [listener, dialer],
    ] as const) {
      const route = to.route(["shieldedMetadata"]);
      const sent = sizes.map((size) => new Uint8Array(randomBytes(size)));
      for (const data of sent) from.send(state(data));
      for (const data of sent) {
        const { payload } = await route.next(null);
        expect(Buffer.compare(payload.value.data, data)).toBe(0);
      }
    }
  });

  it("bring the last word before they end", async () => {
    for (const ending of [0, 1]) {
      const pair = await linked();
      const [from, to] = ending === 0 ? pair : pair.toReversed();
      from?.end(new SvcError("p2p/unexpected-message", { message: "version" }));
      expect(await to?.ended).toMatchObject({
        code: "p2p/rejected",
        data: { reason: "Nobody here waits for the message version." },
      });
    }
  });

  it("end when the other side is cut off", async () => {
    const [dialer, listener] = await linked();
    await listeners.splice(0)[0]?.stop();
    expect((await dialer.ended).code).toBe("p2p/closed");
    expect((await listener.ended).code).toBe("p2p/closed");
  });

  it("do not come to be where nobody listens, is taken in, or speaks the protocol", async () => {
    const refusing = await listen(false);
    const silent = createServer();
    const silentPort = await listenLocally(silent);
    const cancel = new AbortController();
    const hasty = { connectMs: 50, openMs: 50, closeMs: 50 };
    const hanging = dialPeer({ ip: HOST, port: silentPort }, cancel.signal, { limits: hasty });
    // It may have failed before anybody looks.
    hanging.catch(() => undefined);
    await expect(
      dialPeer({ ip: HOST, port: refusing.port }, forever, { limits: PATIENT_DIAL }),
    ).rejects.toMatchObject({
      code: "p2p/unreachable",
      data: { address: `${HOST}:${refusing.port}`, reason: "no peers are taken in now" },
    });
    await expect(hanging).rejects.toMatchObject({ code: "p2p/unreachable" });
    silent.close();
    await expect(
      dialPeer({ ip: HOST, port: silentPort }, forever, { limits: hasty }),
    ).rejects.toMatchObject({
      code: "p2p/unreachable",
    });
    cancel.abort();
    const never = dialPeer({ ip: HOST, port: refusing.port }, cancel.signal);
    await expect(never).rejects.toMatchObject({ code: "run/aborted" });
  });

  it("hold what a peer says before anybody listens", async () => {
    const { port, accepted } = await listen();
    const dialer = linkOver(await dialPeer({ ip: HOST, port }, forever, { limits: PATIENT_DIAL }));
    const wire = await accepted;
    const early = Promise.withResolvers<void>();
    if (!(wire instanceof GrpcWire)) throw new Error("another wire");
    const arrived = wire.arrived.bind(wire);
    wire.arrived = (bytes) => {
      arrived(bytes);
      early.resolve();
    };
    const shaken = shakeHands(dialer, parts(1));
    // Its version is here; the link is made later all the same.
    await early.promise;
    const [peer] = await Promise.all([shaken, shakeHands(linkOver(wire), parts(2))]);
    expect(peer.userAgent).toBe("/test:2/");
  });

  it("end with a peer that says more than its version before anybody listens", async () => {
    const { port, accepted } = await listen();
    const dialer = linkOver(await dialPeer({ ip: HOST, port }, forever, { limits: PATIENT_DIAL }));
    const wire = await accepted;
    dialer.start();
    dialer.send(state(new Uint8Array(randomBytes(P2P_LIMITS.p2pListBytes))));
    expect((await dialer.ended).code).toBe("p2p/closed");
    expect(
      await new Promise((resolve) => wire.listen({ ...ignored, onClosed: resolve })),
    ).toBeNull();
  });
});
