/** Peers that are dialled through a SOCKS5 proxy: addresses and names, and proxies that fail in every way. */
import { createHook } from "node:async_hooks";
import { duplexPair } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { IS_FULL, testSeed } from "../../platform/testkit/testRun.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { PATIENT_DIAL } from "../testkit/patientDial.ts";
import { chances } from "../testkit/chances.ts";
import { startSocksServer, type SocksServer } from "../testkit/socksServer.ts";
import { dialPeer, type DialLimits } from "./grpcDialer.ts";
import { startGrpcListener, type GrpcListener } from "./grpcListener.ts";
import { Link } from "./link.ts";
import { openTunnel } from "./proxyTunnel.ts";
import type { Wire } from "./wire.ts";

const HOST = "127.0.0.1";
const NAME = "peer.example.onion";
const clock = new ManualClock(1_700_000_000_000n);
const RUNS = IS_FULL ? 100_000 : 500;
const SEED = testSeed(17);
const forever = new AbortController().signal;

let listener: GrpcListener;
let proxy: SocksServer;
let accepted: Wire[] = [];
beforeEach(async () => {
  accepted = [];
  listener = await startGrpcListener({
    host: HOST,
    port: 0,
    admits: () => true,
    onWire: (wire) => accepted.push(wire),
  });
  proxy = await startSocksServer({ [NAME]: listener.port });
});
afterEach(async () => {
  await proxy.stop();
  await listener.stop();
});

const linkOver = (wire: Wire): Link => new Link({ wire, clock, onUnknown: () => {} });
const via = (): { limits: DialLimits; proxy: SocksServer } => ({ limits: PATIENT_DIAL, proxy });

/** Both ends, with what the listener hears. */
async function speak(wire: Wire): Promise<string> {
  const dialler = linkOver(wire);
  const [taken] = accepted.splice(0);
  if (taken === undefined) throw new Error("nobody came");
  const other = linkOver(taken);
  const pings = other.route(["ping"]);
  const pongs = dialler.route(["pong"]);
  dialler.start();
  other.start();
  dialler.send({ $case: "ping", value: { nonce: 7n } });
  const { payload } = await pings.next(null);
  other.send({ $case: "pong", value: payload.value });
  return `${payload.value.nonce} ${(await pongs.next(null)).payload.value.nonce}`;
}

describe("a peer behind a proxy", () => {
  it("is reached by its address, and by a name that nobody looks up here", async () => {
    const lookups: string[] = [];
    const hook = createHook({
      init: (_id, type) => {
        if (/ADDRINFO|NAMEINFO|QUERYWRAP|CARES/.test(type)) lookups.push(type);
      },
    });
    hook.enable();
    const byAddress = await dialPeer({ ip: HOST, port: listener.port }, forever, via());
    expect(await speak(byAddress)).toBe("7 7");
    const byName = await dialPeer({ ip: NAME, port: 1_234 }, forever, via());
    expect(await speak(byName)).toBe("7 7");
    expect(lookups).toEqual([]);
    // Only the proxy's own name is looked up; so the test would see it.
    const named = { host: "localhost", port: proxy.port };
    const third = await dialPeer({ ip: NAME, port: 2 }, forever, {
      limits: PATIENT_DIAL,
      proxy: named,
    });
    hook.disable();
    expect(lookups).toEqual(["GETADDRINFOREQWRAP"]);
    expect(await speak(third)).toBe("7 7");
    expect(proxy.asked).toEqual([
      `address ${HOST}:${listener.port}`,
      `name ${NAME}:1234`,
      `name ${NAME}:2`,
    ]);
    expect(byName.remote).toEqual({ ip: NAME, port: 1_234 });
  });

  it("may speak in the same breath as the proxy's last word", async () => {
    proxy.manner = "connects in one breath";
    const wire = await dialPeer({ ip: NAME, port: 1 }, forever, via());
    expect(await speak(wire)).toBe("7 7");
  });

  it("is unreachable when the proxy says so, or closes the connection early or late", async () => {
    for (const manner of ["refuses", "ends early", "ends late"] as const) {
      proxy.manner = manner;
      const asked = proxy.asked.length;
      await expect(dialPeer({ ip: NAME, port: 1 }, forever, via()), manner).rejects.toMatchObject({
        code: "p2p/unreachable",
      });
      // Once for each dial, and nothing stays open.
      expect(proxy.asked.length - asked, manner).toBe(manner === "ends early" ? 0 : 1);
      while (proxy.open() > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(accepted).toEqual([]);
  });

  it("is given up when a silent proxy takes too long, or the caller wants no more", async () => {
    proxy.manner = "is silent";
    const hasty = { ...PATIENT_DIAL, connectMs: 50 };
    await expect(
      dialPeer({ ip: NAME, port: 1 }, forever, { limits: hasty, proxy }),
    ).rejects.toMatchObject({ code: "p2p/unreachable" });
    const cancel = new AbortController();
    const dialling = dialPeer({ ip: NAME, port: 1 }, cancel.signal, via());
    while (proxy.open() === 0) await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    await expect(dialling).rejects.toMatchObject({ code: "run/aborted" });
    while (proxy.open() > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it("is a peer or unreachable, whatever bytes a proxy answers with", async () => {
    const random = chances(SEED);
    const sound = [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 80, 82, 73];
    let [reached, failed] = [0, 0];
    for (let run = 0; run < RUNS; run += 1) {
      const [near, far] = duplexPair({ allowHalfOpen: false });
      const answer = Uint8Array.from(sound);
      for (let change = Math.floor(random() * 4); change > 0; change -= 1)
        answer[Math.floor(random() * answer.length)] = Math.floor(random() * 256);
      far.resume();
      const cut = Math.floor(random() * sound.length);
      far.write(answer.subarray(0, cut));
      far.end(answer.subarray(cut));
      const tunnel = openTunnel(near, { ip: NAME, port: 1 }, PATIENT_DIAL.connectMs);
      const outcome = await rejectionCode(tunnel, "reached");
      if (outcome === "reached") reached += 1;
      else failed += 1;
      expect(["reached", "p2p/unreachable"], `SVC_SEED=${SEED}`).toContain(outcome);
      near.destroy();
    }
    expect(Math.min(reached, failed)).toBeGreaterThan(RUNS / 50);
  });

  it("is unreachable without the proxy: by name, and when nobody listens there", async () => {
    // A name that leads somewhere, if it were looked up here.
    const local = { ip: "localhost", port: listener.port };
    await expect(dialPeer(local, forever, { limits: PATIENT_DIAL })).rejects.toMatchObject({
      code: "p2p/unreachable",
    });
    const { host, port } = proxy;
    await proxy.stop();
    const hasty = { ...PATIENT_DIAL, connectMs: 50 };
    await expect(
      dialPeer({ ip: HOST, port: listener.port }, forever, {
        limits: hasty,
        proxy: { host, port },
      }),
    ).rejects.toMatchObject({ code: "p2p/unreachable" });
    expect(accepted).toEqual([]);
    proxy = await startSocksServer({});
  });
});
