/** Attacks on the gateway's API over real sockets: a flood of invoices, and guesses at their ids. Whoever is no part of it notices nothing. */
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { GatewayMetrics } from "@svc/node-server/gateway/http/gatewayMetrics.ts";
import { startGatewayServer } from "@svc/node-server/gateway/http/gatewayServer.ts";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment, TERMS } from "../../gateway/gatewayCaller.ts";
import { testSeed } from "@svc/node-server/platform/testkit/testRun.ts";

const FLOOD = 500;
const MINUTE_MS = 60_000;
const CREATED = 201;
const TOO_MANY = 429;

let host: DeskHost;
let clock: ManualClock;
let url: string;

beforeEach(async () => {
  host = await DeskHost.open(null);
  clock = new ManualClock(host.nowMs());
  const server = await startGatewayServer({
    ...host.served,
    metrics: new GatewayMetrics(clock),
    ...{ host: "127.0.0.1", port: 0, option: "--gateway-listen" },
    ...{ rules: OWN_PAGES, hasLimits: true },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    clock,
    log: createLog("silent"),
  });
  url = server.address;
  onTestFinished(async () => {
    await server.stop();
    await host.close();
  });
});

/** Makes an invoice under an idempotency key. */
function create(apiKey: string, key: string): Promise<Response> {
  return fetch(`${url}/api/v1/invoices`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${apiKey}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    },
    body: JSON.stringify(TERMS),
  });
}

it("makes as many invoices of a flood as one key may, puts off the others, and serves the next shop", async () => {
  const flooding = await host.issueKey("flooding", KEY_SCOPES);
  const calm = new GatewayCaller(host, await host.issueKey("calm", KEY_SCOPES));
  const { id } = await calm.create();
  const answers = await Promise.all(
    Array.from({ length: FLOOD }, async (_, order) => {
      const response = await create(flooding, `order-${order}`);
      await response.text();
      return response;
    }),
  );
  const made = answers.filter(({ status }) => status === CREATED);
  const putOff = answers.filter(({ status }) => status === TOO_MANY);
  expect([made.length, putOff.length]).toEqual([
    MERCHANT_LIMITS.createsPerMinute,
    FLOOD - MERCHANT_LIMITS.createsPerMinute,
  ]);
  for (const { headers } of putOff) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  // The other shop's invoice is paid meanwhile, and it may make another one.
  await host.tell([await payment(host, id, 1_000n, 101n)], 101n);
  expect((await calm.invoice(id)).status).toBe("paid");
  expect((await create(await host.issueKey("calm", KEY_SCOPES), "next")).status).toBe(CREATED);
  // Nothing of it is lost: an order that was put off is made when there is room again, and one that was made is not made twice.
  clock.advance(MINUTE_MS);
  const again = await create(flooding, "order-499");
  expect(again.status).toBe(CREATED);
  const first = await create(flooding, "order-0");
  expect(first.headers.get("idempotent-replayed")).toBe("true");
});

it("answers guesses at invoices all alike", async () => {
  const calm = new GatewayCaller(host, await host.issueKey("calm", KEY_SCOPES));
  const { id } = await calm.create();
  const seed = testSeed(31);
  console.log(`seed ${seed}`);
  const random = mulberry32(seed);
  const guesses = Array.from({ length: 2 * MERCHANT_LIMITS.checkoutReadsPerMinute }, () => {
    const digits = Array.from({ length: 32 }, () => (random() & 0xf).toString(16)).join("");
    return `inv_${digits}`;
  });
  // As far from it as one digit.
  guesses.unshift(`${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`);
  const answers = await Promise.all(
    guesses.map(async (guess) => {
      const response = await fetch(`${url}/api/v1/checkout/${guess}`);
      const { requestId: _, ...rest } = Object(await response.json());
      return { status: response.status, body: JSON.stringify(rest) };
    }),
  );
  expect(answers.every(({ status }) => status === 404 || status === TOO_MANY)).toBe(true);
  const found = answers.filter(({ status }) => status === 404);
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(({ body }) => body)).size).toBe(1);
});
