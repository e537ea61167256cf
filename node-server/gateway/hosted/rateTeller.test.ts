import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import type { CoinRate } from "@svc/shared/gateway/pricePort.ts";
import { decodeToldRates } from "@svc/shared/gateway/toldRates.ts";
import { verifyCall } from "@svc/shared/protocol/webhook/signedCall.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { RateTeller } from "./rateTeller.ts";

const SECRET = "what the scanner signs with";

it("prices are told with source and time, signed, every minute, also after an answer that is none", async () => {
  const clock = new ManualClock(1_785_100_000_000n);
  const euro: CoinRate = {
    ...{ currency: "EUR", rate: "8.00", source: "exchange.example", isStale: false },
    toldMs: asTimestampMs(clock.nowMs()),
  };
  let rates: readonly CoinRate[] = [];
  const heard: string[] = [];
  const warnings: unknown[] = [];
  const teller = new RateTeller({
    ...{ url: "https://pay.example", secret: new Secret(Buffer.from(SECRET)), clock },
    prices: { rates: async () => rates },
    log: { warn: (facts: unknown) => void warnings.push(facts) },
    request: async (input, init) => {
      const asked = new Request(input, init);
      const body = new Uint8Array(await asked.arrayBuffer());
      const now = clock.nowMs() / 1_000n;
      expect(await verifyCall(SECRET, asked, body, now)).toBe("ok");
      expect(asked.url).toBe("https://pay.example/ingest/v1/rates");
      heard.push(Buffer.from(body).toString());
      return heard.length < 3 ? new Response("x", { status: 503 }) : Response.json({ taken: 1 });
    },
  });
  onTestFinished(() => teller.stop());
  teller.start();
  const minute = async (): Promise<void> => {
    while (clock.sleeping !== 1) await setImmediate();
    clock.advance(GATEWAY_LIMITS.pushRatesMs);
  };
  await minute();
  expect(heard).toEqual([]);
  rates = [euro];
  for (let count = 1; count <= 3; count += 1) {
    while (heard.length < count) await setImmediate();
    await minute();
  }
  expect(decodeToldRates(heard[2] ?? "")).toMatchObject([{ rate: "8.00", toldMs: euro.toldMs }]);
  expect(warnings).toHaveLength(1);
  expect(JSON.stringify(warnings)).not.toContain(SECRET);
});
