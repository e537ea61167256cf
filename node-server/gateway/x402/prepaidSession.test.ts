/** Prepaid sessions of x402 over the gateway's database and a model of a node: payments that open one, and requests that spend it. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DeskHost } from "../testkit/deskHost.ts";
import { openShop, paymentOf, payloadOf, X402Shop } from "../testkit/x402Shop.ts";

let host: DeskHost;
let shop: X402Shop;
beforeEach(async () => {
  ({ host, shop } = await openShop());
});
afterEach(() => host.close());

describe("a prepaid session", () => {
  const hash = createHash("sha256").update(Buffer.alloc(32, 7)).digest("hex");
  const open = async (note: string, sessionHash = hash) => {
    const asked = await shop.challenge("1000", { sessionSeconds: 600 });
    const payload = { ...payloadOf(paymentOf(asked, note)), sessionHash };
    return shop.settle(asked, payload);
  };

  it("is opened by its payment, and paid from until it is empty", async () => {
    const asked = await shop.challenge("1000", { sessionSeconds: 600 });
    const bare = payloadOf(paymentOf(asked, "bare"));
    expect(await shop.verify(asked, bare)).toBe("invalid_exact_svc_session");
    expect(await shop.spend(hash, "1")).toBe("session_unknown");
    expect(await open("note")).toMatchObject({ success: true });
    expect(await shop.spend(hash, "400")).toBe("600");
    expect(await shop.spend(hash, "601")).toBe("session_balance_too_low");
    expect(await shop.spend(hash, "600")).toBe("0");
    expect(await shop.spend(hash, "1")).toBe("session_balance_too_low");
  });

  it("is opened for one of two tokens that are shown with one payment at the same moment", async () => {
    const asked = await shop.challenge("1000", { sessionSeconds: 600 });
    const payload = payloadOf(paymentOf(asked, "note"));
    const other = "ab".repeat(32);
    const held = Promise.withResolvers<undefined>();
    host.payments.gate = held.promise;
    const both = [hash, other].map((sessionHash) =>
      shop.settle(asked, { ...payload, sessionHash }, sessionHash),
    );
    await expect.poll(() => host.payments.probes).toBe(2);
    held.resolve(undefined);
    const answers = await Promise.all(both);
    const reasons = answers.map(({ success, errorReason }) =>
      success === true ? "" : errorReason,
    );
    expect(new Set(reasons)).toEqual(new Set(["", "invalid_exact_svc_session"]));
    const balances = [await shop.spend(hash, "1"), await shop.spend(other, "1")];
    const isFirst = reasons[0] === "";
    expect(balances).toEqual(isFirst ? ["999", "session_unknown"] : ["session_unknown", "999"]);
  });

  it("lasts no shorter when it is paid for again", async () => {
    const long = await shop.challenge("1000", { sessionSeconds: 86_400 });
    await shop.settle(long, { ...payloadOf(paymentOf(long, "long")), sessionHash: hash });
    await open("short");
    await host.pass(600_000n);
    expect(await shop.spend(hash, "1")).toBe("1999");
    await host.pass(85_800_000n);
    expect(await shop.spend(hash, "1")).toBe("session_expired");
  });

  it("never goes below zero, however many spend at once", async () => {
    await open("note");
    const spent = await Promise.all(Array.from({ length: 100 }, () => shop.spend(hash, "30")));
    const taken = spent.filter((left) => left !== "session_balance_too_low");
    expect(taken).toHaveLength(33);
    expect(new Set(taken).size).toBe(33);
    expect(taken).toContain("10");
  });

  it("ends, is its merchant's alone, and goes on with what is left when it is paid for again", async () => {
    await open("note");
    await shop.spend(hash, "100");
    const stranger = new X402Shop(host, await host.issueKey("stranger", ["x402"]));
    expect(await stranger.spend(hash, "1")).toBe("session_unknown");
    // Another token whose hash begins with the same half.
    const like = hash.slice(0, 32) + "0".repeat(32);
    expect(await shop.spend(like, "1")).toBe("session_unknown");
    await open("more");
    expect(await shop.spend(hash, "1")).toBe("1899");
    await host.pass(600_000n);
    expect(await shop.spend(hash, "1")).toBe("session_expired");
    await open("anew");
    expect(await shop.spend(hash, "1")).toBe("999");
  });
});
