/** Floods of x402 calls over the gateway's database and a model of a node: they are bounded, and payments go on. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import type { DeskHost } from "../testkit/deskHost.ts";
import { openShop, paymentOf, payloadOf, X402Shop, type Asked } from "../testkit/x402Shop.ts";

let host: DeskHost;
let shop: X402Shop;
beforeEach(async () => {
  ({ host, shop } = await openShop());
});
afterEach(() => host.close());

describe("a flood", () => {
  it("of challenges is refused by number, and of uploads by caller, while payments go on", async () => {
    const asked = await shop.challenge("1000");
    const codes = new Map<unknown, number>();
    const count = async (path: string, times: number, body: object): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        const { code } = await shop.ask(path, body);
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    };
    // One of the 600 of this minute is made.
    await count("/x402/challenges", 650, { amountSompi: "0", resource: "GET x" });
    expect(codes.get("http/too-many-requests")).toBe(51);
    codes.clear();
    const junk = { challenge: asked.extra.challenge, transaction: "AAAA" };
    await count("/x402/payments", 40, junk);
    expect(codes.get("http/too-many-requests")).toBe(10);
    const payload = payloadOf(paymentOf(asked, "note"));
    expect(await shop.settle(asked, payload)).toMatchObject({ success: true });
  });

  it("of payments that are checked at once is bounded: one more is told to ask again", async () => {
    const asked = await shop.challenge("1000");
    const held = Promise.withResolvers<undefined>();
    host.payments.gate = held.promise;
    const verifies = (by: X402Shop, of: Asked) =>
      Array.from({ length: 20 }, (_, note) =>
        by.verify(of, payloadOf(paymentOf(of, `${of.payTo} ${note}`))),
      );
    const own = verifies(shop, asked);
    // One merchant has a share of the places: the others find theirs. All must have come before one is free again.
    await expect.poll(() => host.payments.probes).toBe(16);
    const all: Promise<unknown>[] = [];
    for (const name of ["b", "c", "d", "e"]) {
      const other = new X402Shop(host, await host.issueKey(name, KEY_SCOPES));
      all.push(...verifies(other, await other.challenge("1000")));
    }
    await expect.poll(() => host.payments.probes).toBe(64);
    let refused = 0;
    for (const one of [...own, ...all]) void one.then((is) => (refused += Number(is !== "valid")));
    await expect.poll(() => refused).toBe(36);
    held.resolve(undefined);
    const [ownVerdicts, verdicts] = [await Promise.all(own), await Promise.all(all)];
    const busy = (of: readonly unknown[]) => of.filter((one) => one === "http/unavailable").length;
    expect([busy(ownVerdicts), busy(verdicts)]).toEqual([4, 32]);
    expect(ownVerdicts.filter((verdict) => verdict === "valid")).toHaveLength(1);
  });

  it("of questions while the node is away is answered as what it is, and not as a fault of a payment", async () => {
    const asked = await shop.challenge("1000");
    host.payments.fault = "lost";
    const payload = payloadOf(paymentOf(asked, "note"));
    expect(await shop.verify(asked, payload)).toBe("http/unavailable");
    host.payments.fault = "none";
    expect(await shop.verify(asked, payload)).toBe("valid");
  });
});
