import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { env } from "cloudflare:workers";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { encodeToldRates, type ToldRate } from "@svc/shared/gateway/toldRates.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";
import { RATES_PATH } from "./ingestRates.ts";
import { RateStore } from "./rateStore.ts";

let host: EdgeHost;
beforeEach(async () => {
  host = await EdgeHost.open();
});
afterEach(() => host.close());

const now = () => asTimestampMs(host.nowMs());
const euro = (rate: string, agoMs: bigint): ToldRate => {
  const toldMs = asTimestampMs(host.nowMs() - agoMs);
  return { currency: "EUR", rate, source: "exchange.example", toldMs };
};

async function send(body: string, secret?: string): Promise<number> {
  const headers = await host.signed(RATES_PATH, body, secret);
  return (await host.fetch(RATES_PATH, { method: "POST", headers, body })).status;
}

describe("prices that a scanner tells", () => {
  it("are signed by its secret, and of now", async () => {
    const body = encodeToldRates([euro("8.00", 0n)]);
    expect(await send(body, env.SVC_ADMIN_SECRET)).toBe(401);
    const headers = await host.signed(RATES_PATH, body);
    await host.passSilently(301_000n);
    expect((await host.fetch(RATES_PATH, { method: "POST", headers, body })).status).toBe(401);
    expect(await send("{")).toBe(400);
    expect(await send('{"rates":[{"currency":"EUR"}]}')).toBe(422);
    expect(await send(" ".repeat(1_000_000))).toBe(413);
    expect(await new RateStore(env.DB, now).rates()).toEqual([]);
    expect(await send(encodeToldRates([]))).toBe(200);
  });

  it("do not go back: an older one that comes again changes nothing", async () => {
    await host.tellRates([euro("8.00", 1_000n)]);
    await host.tellRates([euro("1.00", 2_000n)]);
    expect(await new RateStore(env.DB, now).rate("EUR")).toMatchObject({ rate: "8.00" });
    await host.tellRates([euro("9.00", 0n)]);
    expect(await new RateStore(env.DB, now).rate("EUR")).toMatchObject({ rate: "9.00" });
  });

  it("are no younger than now, so that each grows old", async () => {
    await host.tellRates([euro("8.00", -86_400_000n)]);
    expect(await new RateStore(env.DB, now).rate("EUR")).toMatchObject({ toldMs: now() });
    await host.passSilently(900_001n);
    expect(await new RateStore(env.DB, now).rate("EUR")).toMatchObject({ isStale: true });
  });
});
