/** The wallet API over TLS: clients that know the certificate by its fingerprint, and those that mean no good. */
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect as connectTcp, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parsePairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { PublicAccess } from "../public/publicAccess.ts";
import { PublicIdentity } from "../public/publicIdentity.ts";
import type { HttpAnswer } from "../../platform/testkit/askHttp.ts";
import {
  refusal,
  TOKEN,
  WALLET,
  WalletServerFixture,
  type Ask,
  type Over,
} from "../testkit/walletServerFixture.ts";

const FEW = { connections: { total: 6, perHost: 4 } };
const HEADERS = { "X-Wallet-Token": TOKEN };

const MADE_MS = BigInt(Date.UTC(2026, 0, 2));

let identity: PublicIdentity;

beforeEach(async () => {
  const folder = folderOfTest();
  const parts = { folder, host: null, renewCertificate: false, apiToken: null, nowMs: MADE_MS };
  identity = await PublicIdentity.open(parts);
});

async function start(over: Over = {}): Promise<WalletServerFixture> {
  const { tls, bearer } = identity;
  const fixture = await WalletServerFixture.start({ tls, bearer, ...over });
  onTestFinished(() => fixture.stop());
  return fixture;
}

/** Connects as a paired phone does: whatever names the certificate has, it must be the one of the fingerprint. */
async function dial(
  { port }: Pick<WalletServerFixture, "port">,
  options: { readonly maxVersion?: "TLSv1.1" | "TLSv1.2"; readonly localAddress?: string } = {},
  fingerprint: string | null = identity.fingerprint,
): Promise<TLSSocket> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
  await once(socket, "secureConnect");
  const found = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(":", "").toLowerCase();
  expect(found).toBe(fingerprint);
  return socket;
}

async function ask(socket: TLSSocket, path: string, sent: Ask = {}): Promise<HttpAnswer> {
  const { method = "GET", headers = {} } = sent;
  const host = `127.0.0.1:${socket.remotePort}`;
  const asked = request({
    createConnection: () => socket,
    path,
    method,
    headers: { Host: host, ...headers },
  });
  asked.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on("response", resolve);
    asked.on("error", reject);
  });
  let body = "";
  response.setEncoding("utf8");
  for await (const part of response) body += String(part);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

/** A connection on which no handshake is made. */
function halfOpen({ port }: WalletServerFixture, localAddress = "127.0.0.1"): Socket {
  const socket = connectTcp({ host: "127.0.0.1", port, localAddress });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Resolves when a connection has ended, a reset among the ways to end. */
function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once("close", () => resolve()));
}

describe("a client that knows the fingerprint", () => {
  it.each(["TLSv1.2", "TLSv1.3"] as const)("is served over %s", async (version) => {
    const fixture = await start();
    expect(fixture.server.address).toBe(`https://127.0.0.1:${fixture.port}`);
    const socket = await dial(fixture, version === "TLSv1.2" ? { maxVersion: version } : {});
    expect(socket.getProtocol()).toBe(version);
    const headers = { ...HEADERS, Authorization: `Bearer ${identity.bearer}` };
    expect((await ask(socket, "/api/wallet/balance", { headers })).status).toBe(200);
    expect(fixture.seen).toMatchObject([{ name: "balance" }]);
  });

  it("has it from the code that the operator is shown, and is served with nothing else", async () => {
    const access = await PublicAccess.open({
      folder: folderOfTest(),
      listen: "127.0.0.1",
      host: null,
      hostOption: "--public-host",
      insecure: false,
      apiToken: null,
      renewCertificate: false,
      network: "simnet",
      nowMs: MADE_MS,
    });
    const { tls, bearer } = access;
    const fixture = await start({ tls, bearer, rules: access.rulesOf(OWN_PAGES) });
    const shown = { port: fixture.port, draws: false, wallet: TOKEN };
    const pairing = parsePairing(access.lines(shown).at(-1) ?? "");
    const socket = await dial({ port: pairing.port }, {}, pairing.fingerprint);
    const answer = await ask(socket, "/api/wallet/balance", {
      headers: { "X-Wallet-Token": pairing.wallet ?? "", Authorization: `Bearer ${pairing.token}` },
    });
    expect(answer.status).toBe(200);
    expect(fixture.seen).toMatchObject([{ call: { token: TOKEN } }]);
  });

  it("may trust the certificate by its name as well", async () => {
    const { port } = await start();
    const place = { host: "127.0.0.1", port, servername: "localhost" };
    const socket = connect({ ...place, ca: identity.tls.cert });
    await once(socket, "secureConnect");
    expect(socket.authorized).toBe(true);
    socket.destroy();
  });

  it("needs the bearer too, but for health and preflights; a page of the list reads the refusal", async () => {
    const fixture = await start();
    const origin = { Origin: WALLET };
    for (const wrong of [undefined, identity.bearer.slice(1), `${identity.bearer}0`]) {
      const bearer = wrong === undefined ? {} : { Authorization: `Bearer ${wrong}` };
      const headers = { ...HEADERS, ...origin, ...bearer };
      const answer = await ask(await dial(fixture), "/api/status", { headers });
      expect(refusal(answer)).toEqual([401, "api/bad-bearer"]);
      expect(answer.headers["access-control-allow-origin"]).toBe(WALLET);
    }
    expect(fixture.seen).toEqual([]);
    expect((await ask(await dial(fixture), "/health")).status).toBe(200);
    const preflight = { method: "OPTIONS", headers: origin };
    expect((await ask(await dial(fixture), "/api/status", preflight)).status).toBe(204);
  });
});

describe("a client that is not welcome", () => {
  it("speaks an old version, and gets no connection", async () => {
    const fixture = await start();
    await expect(dial(fixture, { maxVersion: "TLSv1.1" })).rejects.toThrow(/protocol|version/i);
  });

  it("speaks HTTP, and is told so", async () => {
    const fixture = await start();
    const answer = await fixture.ask("/api/status", { headers: HEADERS });
    expect(refusal(answer)).toEqual([400, "http/tls-only"]);
    expect(answer.headers["connection"]).toBe("close");
    expect(fixture.seen).toEqual([]);
  });

  it("speaks nothing that there is, and is hung up on", async () => {
    const socket = halfOpen(await start());
    socket.write("\u0000".repeat(4_096));
    socket.resume();
    await ended(socket);
  });

  it("asks for another handshake on its connection, and gets none", async () => {
    const fixture = await start();
    const socket = await dial(fixture, { maxVersion: "TLSv1.2" });
    const ended = new Promise((resolve) => {
      socket.on("error", resolve);
      socket.on("close", resolve);
      socket.renegotiate({}, (error) => {
        if (error !== null) resolve(error);
      });
    });
    expect(await ended).toBeInstanceOf(Error);
  });
});

describe("handshakes that nobody ends", () => {
  it("end after their time", async () => {
    const fixture = await start({ bounds: { handshakeMs: 500 } });
    const [silent, slow] = [halfOpen(fixture), halfOpen(fixture)];
    slow.write(Uint8Array.of(0x16, 0x03, 0x01));
    for (const socket of [silent, slow]) socket.resume();
    await Promise.all([ended(silent), ended(slow)]);
    // On a busy machine an honest one may take longer, too, and is tried again.
    const statusOf = async () => (await ask(await dial(fixture), "/health")).status;
    await expect.poll(() => statusOf().catch(() => null)).toBe(200);
  });

  it("count against their host before they begin, and against nobody else", async () => {
    const fixture = await start({ shares: FEW });
    const held = Array.from({ length: FEW.connections.perHost }, () => halfOpen(fixture));
    await Promise.all(held.map((socket) => once(socket, "connect")));
    const beyond = halfOpen(fixture);
    await ended(beyond);
    await expect(dial(fixture)).rejects.toThrow(/ECONNRESET|disconnected/);
    const other = await dial(fixture, { localAddress: "127.0.0.2" });
    expect((await ask(other, "/health")).status).toBe(200);
    const [first] = held;
    first?.destroy();
    await expect.poll(async () => dial(fixture).catch(() => null)).not.toBeNull();
  });

  it("do not hold up a daemon that stops", async () => {
    const fixture = await start();
    const sockets = [halfOpen(fixture), halfOpen(fixture)];
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    await dial(fixture);
    await fixture.stop();
  });
});
