/** Rate limits at the edge: one count over all instances of the Worker, and what becomes of it when its object fails. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SHARE_MS, type CallShare } from "@svc/shared/base/callShare.ts";
import type { CountedCall } from "@svc/shared/gateway/callRates.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { GatewayCaller } from "../../tests/gateway/gatewayCaller.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";
import { edgeApp } from "./edgeApp.ts";
import type { RateObject } from "./objects/rateObject.ts";
import { EdgeRates, type RateObjects } from "./ports/edgeRates.ts";

const CALLER = "192.0.2.77";
const PER_CHECKOUT = MERCHANT_LIMITS.checkoutReadsPerMinute;
const SIGN: CountedCall = { name: "createInvoice", merchant: "shop", who: "key" };

let host: EdgeHost;
beforeEach(async () => {
  host = await EdgeHost.open();
});
afterEach(() => host.close());

const now = () => asTimestampMs(host.nowMs());
const all = () => Array.from({ length: EDGE_LIMITS.rateShards }, (_, n) => `rates-${n}`);
const rates = () => new EdgeRates(env.RATES, now);
/** How many of so many calls are let through. */
const passed = async (of: EdgeRates, calls: number, call = SIGN): Promise<number> => {
  let count = 0;
  for (let number = 0; number < calls; number += 1) {
    if ((await of.take(call)).waitS === null) count += 1;
  }
  return count;
};

describe("the limits of a caller", () => {
  it("are one over all instances of the Worker, as the answers say", async () => {
    const shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
    const { id } = await shop.create();
    const instances = [edgeApp({ ...env }), edgeApp({ ...env })];
    const ask = async (number: number) => {
      const headers = { "CF-Connecting-IP": CALLER };
      const url = `https://pay.example/api/v1/checkout/${id}`;
      return instances[number % 2]?.(new Request(url, { headers }));
    };
    for (let number = 0; number < PER_CHECKOUT; number += 1) {
      const answer = await ask(number);
      expect(answer?.status).toBe(200);
      const left = answer?.headers.get("RateLimit-Remaining");
      expect(left).toBe(String(PER_CHECKOUT - 1 - number));
    }
    for (const number of [0, 1]) {
      const over = await ask(number);
      expect(over?.status).toBe(429);
      expect(Number(over?.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(over?.headers.get("RateLimit-Limit")).toBe(String(PER_CHECKOUT));
    }
  });

  it("take nothing for what is refused, at whichever instance", async () => {
    const [one, other] = [rates(), rates()];
    const most = MERCHANT_LIMITS.createsPerMinute;
    expect(await passed(one, most / 2)).toBe(most / 2);
    expect(await passed(other, most)).toBe(most / 2);
    expect(await passed(one, most)).toBe(0);
    await host.passSilently(3_000n);
    expect((await passed(one, 10)) + (await passed(other, 10))).toBe(3);
  });

  it("hold while the object is away from memory, and hold no address", async () => {
    const one = rates();
    const most = PER_CHECKOUT;
    const call: CountedCall = { name: "checkout", merchant: null, who: CALLER, about: "inv_1" };
    expect(await passed(one, most, call)).toBe(most);
    const found: unknown[] = [];
    for (const name of all()) {
      const stub = env.RATES.getByName(name);
      const rows = await runInDurableObject(stub, (_, { storage }) => [
        ...storage.sql.exec("SELECT * FROM buckets"),
      ]);
      found.push(...rows);
      await evictDurableObject(stub);
    }
    expect(found).not.toEqual([]);
    expect(JSON.stringify(found)).not.toContain(CALLER);
    expect(JSON.stringify(found)).not.toContain("inv_1");
    expect(await passed(rates(), 5, call)).toBe(0);
  });
});

describe("an object that counts", () => {
  const stub = () => env.RATES.getByName("rates-0");
  const rowsOf = (object: DurableObjectStub<RateObject>) =>
    runInDurableObject(object, (_, { storage }) => {
      const [row] = storage.sql.exec("SELECT count(*) AS count FROM buckets");
      return v.parse(v.object({ count: v.number() }), row).count;
    });

  it("forgets by its alarm who has his whole share again, and no other", async () => {
    await stub().take("early", 30);
    await host.passSilently(BigInt(SHARE_MS / 2));
    await stub().take("late", 30);
    await host.passSilently(BigInt(SHARE_MS / 2));
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(await rowsOf(stub())).toBe(1);
    await host.passSilently(BigInt(SHARE_MS));
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(await rowsOf(stub())).toBe(0);
    expect(await runDurableObjectAlarm(stub())).toBe(false);
  });

  it("is bounded under a flood of callers, and forgets the oldest of them", async () => {
    await runInDurableObject(stub(), async (object: RateObject) => {
      for (let number = 0; number <= EDGE_LIMITS.rateSubjects; number += 1) {
        await object.take(`caller ${number}`, 30);
        if (number % 1_024 === 0) await host.passSilently(1n);
      }
    });
    expect(await rowsOf(stub())).toBeLessThanOrEqual(EDGE_LIMITS.rateSubjects);
    expect((await stub().take(`caller ${EDGE_LIMITS.rateSubjects}`, 30)).remaining).toBe(28);
    expect((await stub().take("caller 0", 30)).remaining).toBe(29);
  });
});

describe("an instance whose object does not answer", () => {
  const failing = (take: () => Promise<CallShare>): RateObjects => ({
    getByName: () => ({ take }),
  });
  const most = MERCHANT_LIMITS.createsPerMinute;

  it("goes by its own count: it lets through one share and no more, and asks again after a while", async () => {
    let asked = 0;
    const down = failing(() => {
      asked += 1;
      return Promise.reject(new Error("the object is away"));
    });
    const one = new EdgeRates(down, now);
    expect(await passed(one, 2 * most)).toBe(most);
    expect(asked).toBe(1);
    await host.passSilently(BigInt(EDGE_LIMITS.ratePauseMs));
    expect(await passed(one, 10)).toBe(5);
    expect(asked).toBe(2);
  });

  it("does not wait for one that hangs", async () => {
    const over = new AbortController();
    const hanging = failing(() => {
      queueMicrotask(() => over.abort());
      return Promise.withResolvers<CallShare>().promise;
    });
    const one = new EdgeRates(hanging, now, () => over.signal);
    expect(await one.take(SIGN)).toMatchObject({ remaining: most - 1, waitS: null });
  });

  it("answers as before, and the count of all goes on when the object is back", async () => {
    const down = { getByName: () => ({ take: () => Promise.reject(new Error("away")) }) };
    const RATES = Object.assign(Object.create(env.RATES), down);
    const app = edgeApp({ ...env, RATES });
    const answer = await app(new Request("https://pay.example/health"));
    expect([answer.status, answer.headers.get("RateLimit-Limit")]).toEqual([200, "30"]);
    let isDown = true;
    const one = new EdgeRates(
      {
        getByName: (name) => {
          if (isDown) throw new Error("away");
          return env.RATES.getByName(name);
        },
      },
      now,
    );
    expect(await passed(one, 10)).toBe(10);
    isDown = false;
    await host.passSilently(BigInt(EDGE_LIMITS.ratePauseMs));
    expect(await passed(rates(), most)).toBe(most);
    expect(await passed(one, 5)).toBe(0);
  });
});
