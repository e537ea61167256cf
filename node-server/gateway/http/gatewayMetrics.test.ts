import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../platform/log/log.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { readMetrics } from "../../platform/testkit/readMetrics.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { DeskHost } from "../testkit/deskHost.ts";
import { GatewayMetrics, type GatewayMetricSources } from "./gatewayMetrics.ts";
import { startGatewayServer } from "./gatewayServer.ts";

const clock = new ManualClock(1_000_000n);

async function start(over: Partial<GatewayMetricSources> = {}) {
  const host = await DeskHost.open(null);
  const metrics = new GatewayMetrics(clock);
  const server = await startGatewayServer({
    ...host.served,
    ...{ handlers: {}, merchants: { keyOf: async () => null }, metrics },
    ...{
      host: "127.0.0.1",
      port: 0,
      option: "--gateway-listen",
      rules: OWN_PAGES,
      hasLimits: true,
    },
    randomBytes: (length) => new Uint8Array(length),
    clock,
    log: createLog("silent"),
  });
  onTestFinished(async () => {
    await server.stop();
    await host.close();
  });
  metrics.watch({
    chain: { lagMs: 2_500n, problem: null, keyCount: 3 },
    store: {
      invoices: { due: () => [1, 2] },
      deliveries: { due: () => [{ row: { dueMs: 991_000n } }, { row: { dueMs: 999_000n } }] },
    },
    watch: { count: 4 },
    ...over,
  });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.address + path, { headers });
  return { metrics, ask };
}

it("tells how far the scan is, what waits and what was answered", async () => {
  const { metrics, ask } = await start();
  metrics.made();
  expect((await ask("/nothing")).status).toBe(404);
  const response = await ask("/metrics");
  expect(response.headers.get("content-type")).toContain("version=0.0.4");
  const samples = readMetrics(await response.text());
  const told = new Map(
    samples.map(({ name, labels, value }) => [
      `${name} ${Object.values(labels).join()}`.trim(),
      value,
    ]),
  );
  expect(Object.fromEntries(told)).toMatchObject({
    svc_gateway_scan_age_seconds: 2.5,
    svc_gateway_scan_faulty: 0,
    svc_gateway_viewing_keys: 3,
    svc_gateway_streams: 4,
    svc_gateway_invoices_overdue: 2,
    svc_gateway_invoices_total: 1,
    svc_gateway_webhooks_due: 2,
    svc_gateway_webhook_delay_seconds: 9,
    "svc_gateway_http_requests_total 404": 1,
  });
});

it("leaves out what is not known, and tells of a fault", async () => {
  const { ask } = await start({
    chain: {
      lagMs: null,
      problem: new SvcError("wallet/node-unreachable", { url: "x" }),
      keyCount: 0,
    },
    store: { invoices: { due: () => [] }, deliveries: { due: () => [] } },
  });
  const text = await (await ask("/metrics")).text();
  expect(text).toContain("svc_gateway_scan_faulty 1");
  expect(text).not.toMatch(/^svc_gateway_(scan_age|webhook_delay)_seconds [0-9]/m);
});

it("tells nobody but callers on this machine", async () => {
  const { ask } = await start();
  for (const header of ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"]) {
    const response = await ask("/metrics", { [header]: "10.0.0.1" });
    expect(response.status, header).toBe(403);
    expect(await response.text()).not.toContain("svc_gateway_");
  }
});
