/** Webhooks of the running daemon: a receiver that checks both signatures, is killed, and comes back. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import type { WebhookEndpoint } from "@svc/node-server/client/deliveryQueue.ts";
import { webhookUrl } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { readMetrics } from "@svc/node-server/platform/testkit/readMetrics.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Walletd } from "@svc/node-server/walletd/startWalletd.ts";
import {
  verifyStandardWebhook,
  verifySvcSignature,
  type HeaderSource,
} from "@svc/shared/protocol/webhook/signature.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { clientOf, fastClock, startTestWalletd } from "./walletdFixture.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const fixture = readPaymentFixture();
const { alice } = fixture.owners;
const ALICE = "a11ce".repeat(7);
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
/** Pauses of ten seconds take half a second. */
const clock = fastClock(20);

/** A shop's server: it takes what both signatures prove, and keeps each event once. */
class Receiver {
  readonly verdicts: string[] = [];
  readonly events = new Map<string, { kind: string; cursor: string }>();
  readonly bodies: string[] = [];
  status = 200;
  port = 0;
  #server: Server | null = null;

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#take(request, response));
    server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    this.port = typeof address === "object" && address !== null ? address.port : 0;
    this.#server = server;
  }

  /** Its connections are cut, and nobody listens any more. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) if (part instanceof Uint8Array) parts.push(part);
    const body = Buffer.concat(parts);
    const headers: HeaderSource = { get: (name) => request.headers[name]?.toString() };
    const now = clock.nowMs() / 1_000n;
    this.verdicts.push(await verifySvcSignature(SECRET, headers, body, now));
    this.verdicts.push(await verifyStandardWebhook(SECRET, headers, body, now));
    this.bodies.push(body.toString());
    if (this.status === 200) {
      const { id, data } = JSON.parse(body.toString());
      this.events.set(id, data.event);
    }
    response.writeHead(this.status).end();
  }

  get endpoint(): WebhookEndpoint {
    const url = webhookUrl(`http://127.0.0.1:${this.port}/hook`, "loopback");
    return { url, reach: "loopback", secret: SECRET };
  }
}

let node: RunningNode;
let folder: TemporaryFolder;
let receiver: Receiver;
let daemon: Walletd;

beforeEach(async () => {
  folder = temporaryFolder();
  node = await startTestNode(null);
  receiver = new Receiver();
  await receiver.listen();
  daemon = await start();
});
afterEach(async () => {
  await daemon.stop();
  await receiver.kill();
  await node.stop();
  folder.remove();
});

function start(): Promise<Walletd> {
  const grpc = node.grpcAddress ?? "";
  const over = { webhook: receiver.endpoint };
  return startTestWalletd({ folder: folder.path, node: grpc, clock, over });
}

async function extend(from: number, to: number): Promise<void> {
  for (const raw of fixture.trunk.slice(from, to)) await node.api.submitBlock(raw, never);
}

const options = { signal: never };
const SOON = { timeout: STEP_HANG_MS };
const feed = async () => (await clientOf(daemon, ALICE).events({}, options)).events;
const deliveries = async (dead = "") =>
  (await clientOf(daemon, ALICE).webhooks({ dead }, options)).deliveries;
const states = async () => new Set((await deliveries()).map(({ state }) => state));

it("each entry of the feed arrives, signed twice, over a killed receiver and a new start", async () => {
  await clientOf(daemon, ALICE).import({ seed_hex: alice.seed, birthday: 0n }, options);
  await extend(0, fixture.forkIndex);
  await expect.poll(() => receiver.events.size, SOON).toBeGreaterThan(0);

  await receiver.kill();
  const known = (await feed()).length;
  await extend(fixture.forkIndex, fixture.trunk.length);
  await expect.poll(async () => (await feed()).length, SOON).toBeGreaterThan(known);
  await expect
    .poll(async () => (await deliveries()).find(({ state }) => state === "waiting"), SOON)
    .toMatchObject({ error: { code: "webhook/unreachable" } });
  const told = readMetrics(await (await fetch(`${daemon.address}/metrics`)).text());
  const waiting = told.find(
    ({ name, labels }) => name === "svc_walletd_webhooks" && labels["state"] === "waiting",
  );
  expect(waiting?.value).toBeGreaterThan(0);

  await daemon.stop();
  daemon = await start();
  receiver.status = 500;
  await receiver.listen();
  await expect
    .poll(async () => (await deliveries()).find(({ state }) => state === "waiting"), SOON)
    .toMatchObject({ error: { code: "webhook/refused" } });
  receiver.status = 200;
  await expect.poll(states, SOON).toEqual(new Set(["delivered"]));
  const entries = await feed();
  expect([...receiver.events.values()].map(({ cursor, kind }) => [cursor, kind])).toEqual(
    entries.map(({ cursor, kind }) => [cursor, kind]),
  );
  expect(new Set(receiver.verdicts)).toEqual(new Set(["ok"]));
  expect(receiver.bodies.join()).not.toContain(ALICE);
});

it("a deposit arrives after a new start, though nobody asks for its wallet", async () => {
  await clientOf(daemon, ALICE).import({ seed_hex: alice.seed, birthday: 0n }, options);
  await daemon.stop();
  await extend(0, fixture.forkIndex);
  daemon = await start();
  await expect.poll(() => receiver.events.size, SOON).toBeGreaterThan(0);
});

it("a receiver that is gone for good leaves a dead letter, which is sent again when it is asked for", async () => {
  receiver.status = 410;
  const client = clientOf(daemon, ALICE);
  await client.import({ seed_hex: alice.seed, birthday: 0n }, options);
  await extend(0, fixture.forkIndex);
  await expect.poll(async () => (await deliveries("1")).length, SOON).toBeGreaterThan(0);
  const [first] = await deliveries("1");
  expect(first).toMatchObject({
    state: "dead",
    due_unix: null,
    error: { code: "webhook/refused" },
  });
  receiver.status = 200;
  await client.redeliver(first?.id ?? "", options);
  await expect.poll(() => [...receiver.events.keys()], SOON).toContain(first?.id);
  expect((await deliveries("1")).map(({ id }) => id)).not.toContain(first?.id);
  await expect(client.redeliver(`evt_${"0".repeat(40)}`, options)).rejects.toMatchObject({
    code: "webhook/no-delivery",
  });
});
