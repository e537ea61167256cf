/** What the operator's program says of refunds that its wallets pay: by whom it is believed, in parts, and over what the platform loses. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { PAYOUT_PATH, payoutAnswer } from "@svc/shared/invoice/payoutCalls.ts";
import { RefundScene, type RefundRecord } from "../../../tests/gateway/refundScene.ts";
import { EdgeHost } from "../../testkit/edgeHost.ts";

const TXID = "ab".repeat(32);
const ERROR = { code: "wallet/insufficient-funds", data: { needed: "2", spendable: "1" } };
const ASKED = { kind: "ask", wallet: "one", maxFee: "100" };

let host: EdgeHost;
let own: RefundScene;
beforeEach(async () => {
  host = await EdgeHost.open();
  own = await RefundScene.open(host);
});
afterEach(() => host.close());

async function say(call: string, body: unknown, secret?: string) {
  const path = `${PAYOUT_PATH}${call}`;
  const text = typeof body === "string" ? body : stableJson(body);
  const headers = await host.signed(path, text, secret);
  const response = await host.fetch(path, { method: "POST", headers, body: text });
  const json: unknown = await response.json();
  return { status: response.status, json };
}

const change = (id: string, ...inputs: readonly object[]) => say("change", { id, inputs });
const due = async (after: string | null = null) =>
  v.parse(payoutAnswer, (await say("due", { after })).json);
const stateOf = async (id: string) =>
  (await own.shop.ask("GET", `/api/v1/refunds/${id}`)).json["state"];
const at = (ms: bigint) => String(host.nowMs() + ms);

async function approved(amount = "100", invoice?: string): Promise<RefundRecord> {
  const paid = invoice ?? (await own.paid(1_000n));
  const made = await own.offered(paid, { amount: "custom", amountSompi: amount });
  await own.fill(made, own.home);
  await own.step(made, "approve", { address: own.home });
  return made;
}

describe("refunds for the operator's wallets", () => {
  it("are due once they are approved, and go over `sent` to `confirmed` by what is told", async () => {
    const made = await own.offered(await own.paid(1_000n), { amount: "all" });
    expect((await due()).refunds).toEqual([]);
    await own.fill(made, own.home);
    await own.step(made, "approve", { address: own.home });
    const [told] = (await due()).refunds;
    const place = await host.addressOf(made.invoiceId);
    expect(told).toMatchObject({
      refund: { state: "approved", address: own.home, terms: { id: made.id, amount: 1_000n } },
      ...{ key: place.key, index: place.index },
    });
    expect((await change(made.id, ASKED)).status).toBe(200);
    const paid = { kind: "paid", txids: [TXID], dueMs: at(1_000n) };
    expect((await change(made.id, paid)).status).toBe(200);
    expect((await due()).refunds).toEqual([]);
    const { json } = await own.shop.ask("GET", `/api/v1/refunds/${made.id}`);
    expect(json).toMatchObject({ state: "sent", txid: TXID });
    await change(made.id, paid, { kind: "confirmed" });
    await change(made.id, paid, { kind: "confirmed" });
    expect(await stateOf(made.id)).toBe("confirmed");
  });

  it("are not cancelled once a wallet was asked, until it has said no", async () => {
    const made = await approved();
    await change(made.id, ASKED);
    expect((await own.step(made, "cancel")).json["code"]).toBe("gateway/refund-state");
    await change(made.id, { kind: "refused", error: ERROR, dueMs: at(60_000n) });
    const { json } = await own.shop.ask("GET", `/api/v1/refunds/${made.id}`);
    expect(json).toMatchObject({ state: "approved", error: { code: ERROR.code } });
    expect((await own.step(made, "cancel")).json["state"]).toBe("cancelled");
    expect(await change(made.id, ASKED)).toMatchObject({
      status: 409,
      json: { code: "gateway/refund-state" },
    });
  });

  it("are paid by one wallet, and of no more than is settled when it is first asked", async () => {
    const made = await approved();
    await change(made.id, ASKED);
    expect(await change(made.id, { ...ASKED, wallet: "another" })).toMatchObject({
      json: { code: "gateway/payout-wallet" },
    });
  });

  it("are told in parts, those due longest first", async () => {
    const invoice = await own.paid(1_000n);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await approved("1", invoice)).id);
      await host.pass(1_000n);
    }
    const { results } = await env.DB.prepare(
      "SELECT due_ms, id FROM refunds ORDER BY due_ms, id",
    ).all<{ due_ms: number; id: string }>();
    expect(results.map(({ id }) => id)).toEqual(ids);
    const [first] = results;
    const page = await due(`${first?.due_ms}-${first?.id}`);
    expect(page.refunds.map(({ refund }) => refund.terms.id)).toEqual(ids.slice(1));
    expect(page.next).toBeNull();
    expect((await say("due", { after: "x" })).json).toMatchObject({ code: "api/bad-field" });
  });
});

describe("a stranger, and a scanner that lies, about refunds", () => {
  it("is not believed without the scanner's secret, and nothing is learnt", async () => {
    const made = await approved();
    const paid = { id: made.id, inputs: [{ kind: "paid", txids: [TXID], dueMs: at(0n) }] };
    for (const [call, body] of [
      ["due", { after: null }],
      ["change", paid],
    ] as const) {
      const refused = { status: 401, json: { code: "gateway/bad-key" } };
      expect(await say(call, body, "another secret"), call).toMatchObject(refused);
      const bare = await host.fetch(`${PAYOUT_PATH}${call}`, {
        method: "POST",
        body: stableJson(body),
      });
      expect(bare.status).toBe(401);
    }
    expect(await stateOf(made.id)).toBe("approved");
  });

  it("neither claims nor approves nor cancels, and says nothing without a bound", async () => {
    const made = await own.offered(await own.paid(1_000n), { amount: "all" });
    const many = Array.from({ length: INVOICE_LIMITS.refundTransactions + 1 }, () => TXID);
    for (const input of [
      { kind: "claim", address: own.home },
      { kind: "approve", address: own.home },
      { kind: "cancel" },
      { kind: "paid", txids: many, dueMs: "0" },
      { kind: "paid", txids: [], dueMs: "0" },
      { kind: "refused", error: { code: "no/such-code", data: {} }, dueMs: "0" },
    ]) {
      expect([400, 422], input.kind).toContain((await change(made.id, input)).status);
    }
    expect(await change(made.id, ASKED)).toMatchObject({ json: { code: "gateway/refund-state" } });
    expect((await say("change", "x".repeat(1_000_000))).status).toBe(413);
    expect((await say("change", "{")).status).toBe(400);
    expect((await say("approve", {})).status).toBe(404);
    expect((await change(`ref_${"0".repeat(32)}`, ASKED)).status).toBe(404);
    expect(await stateOf(made.id)).toBe("requested");
  });
});

describe("a refund whose object is lost in the middle", () => {
  it("is due within seconds where its row could not be written, and nothing is forgotten", async () => {
    const made = await own.offered(await own.paid(1_000n), { amount: "all" });
    await own.fill(made, own.home);
    const stub = env.INVOICES.getByName(asInvoiceId(made.invoiceId));
    await runInDurableObject(stub, (object) =>
      Reflect.set(object, "env", { ...env, DB: withoutRefunds(env.DB) }),
    );
    const approval = await own.step(made, "approve", { address: own.home });
    expect(approval.json["state"]).toBe("approved");
    expect((await due()).refunds).toEqual([]);
    await evictDurableObject(stub);
    expect(await stateOf(made.id)).toBe("approved");
    await host.pass(10_000n);
    expect((await due()).refunds).toHaveLength(1);
  });
});

/** A database whose table of refunds cannot be written. */
function withoutRefunds(db: D1Database): Pick<D1Database, "prepare" | "batch"> {
  return {
    batch: (statements) => db.batch(statements),
    prepare(query) {
      if (query.startsWith("INSERT INTO refunds")) throw new Error("D1 is away");
      return db.prepare(query);
    },
  };
}
