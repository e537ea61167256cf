/** The part of the gateway API's contract that refunds have: one suite over every host of it. No wallet pays here. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { claim, refund } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment, takenBack, type Answer } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";
import { RefundScene } from "./refundScene.ts";

const NEVER = "0".repeat(32);
const DAY_MS = 86_400_000n;

/** Runs the suite over the hosts that `make` makes. */
export function refundContract(name: string, make: () => Promise<GatewayHost>): void {
  describe(`refunds of the gateway API of ${name}`, () => {
    let made: RefundScene;
    const scene = (): RefundScene => made;

    beforeEach(async () => {
      made = await RefundScene.open(await make());
    });
    afterEach(() => made.host.close());

    describeClaims(scene);
    describeAmounts(scene);
    describeEnds(scene);
    describeOwners(scene);
    describeLists(scene);
  });
}

function codeOf({ status, json }: Answer): readonly unknown[] {
  return [status, json["code"]];
}

function describeClaims(scene: () => RefundScene): void {
  it("go from an offer over the payer's address to an approval", async () => {
    const own = scene();
    const invoice = await own.paid(1_300n);
    const made = await own.offered(invoice, { amount: "overpaid", reason: "paid twice" });
    expect(made).toMatchObject({
      ...{ invoiceId: invoice, orderId: "4711", amountSompi: 300n, state: "requested" },
      ...{ address: null, reason: "paid twice", txid: null, error: null },
    });
    expect((await own.fill(made, own.home)).json).toMatchObject({
      state: "claimed",
      address: own.home,
    });
    expect((await own.fill(made, own.elsewhere)).json["address"]).toBe(own.elsewhere);
    expect(codeOf(await own.step(made, "approve", { address: own.home }))).toEqual([
      409,
      "gateway/refund-address",
    ]);
    const approved = await own.step(made, "approve", { address: own.elsewhere });
    expect(approved.json).toMatchObject({ state: "approved", address: own.elsewhere });
    expect((await own.shop.ask("GET", `/api/v1/refunds/${made.id}`)).json).toEqual(approved.json);
    expect(codeOf(await own.fill(made, own.home))).toEqual([410, "gateway/claim-over"]);
    expect(codeOf(await own.step(made, "approve", { address: own.elsewhere }))).toEqual([
      409,
      "gateway/refund-state",
    ]);
  });

  it("show a payer the amount, the shop and his address, and nothing of the order", async () => {
    const own = scene();
    const made = await own.offered(await own.paid(1_000n), {
      amount: "all",
      reason: "hidden reason",
    });
    const { json } = await own.payer.ask("GET", own.claimPath(made));
    expect(v.parse(claim, json)).toMatchObject({ amountSompi: 1_000n, state: "requested" });
    expect(String(json["storeName"])).not.toBe("");
    const shown = JSON.stringify(json);
    for (const hidden of ["4711", "hidden", "orderId", "invoice", made.id, "txid"]) {
      expect(shown, hidden).not.toContain(hidden);
    }
    for (const unknown of [`clm_${NEVER}`, "clm_x", made.id]) {
      const answer = await own.payer.ask("GET", `/api/v1/claims/${unknown}`);
      expect(codeOf(answer)).toEqual([404, "gateway/no-claim"]);
    }
  });

  it("go to no address that is none", async () => {
    const own = scene();
    const made = await own.offered(await own.paid(1_000n), { amount: "all" });
    const mistyped = own.home.slice(0, -1) + (own.home.endsWith("q") ? "p" : "q");
    for (const address of ["", "x", mistyped, `bc1:${own.home}`]) {
      const answer = await own.fill(made, address);
      expect(answer.status, address).toBe(400);
      expect(String(answer.json["code"]), address).toMatch(/^address\//);
    }
    expect((await own.payer.ask("GET", own.claimPath(made))).json["state"]).toBe("requested");
  });
}

function describeAmounts(scene: () => RefundScene): void {
  it("come to no more than was paid and settled", async () => {
    const own = scene();
    const invoice = await own.paid(700n, 600n);
    const most = { amount: "custom", amountSompi: "1301" };
    const tooMuch = await own.offer(invoice, most);
    expect(codeOf(tooMuch)).toEqual([422, "gateway/refund-too-large"]);
    const first = await own.offered(invoice, { amount: "custom", amountSompi: "400" });
    expect((await own.offered(invoice, { amount: "overpaid" })).amountSompi).toBe(300n);
    expect(codeOf(await own.offer(invoice, { amount: "overpaid" }))).toEqual([
      409,
      "gateway/wrong-state",
    ]);
    expect((await own.offered(invoice, { amount: "all" })).amountSompi).toBe(600n);
    expect(codeOf(await own.offer(invoice, { amount: "all" }))).toEqual([
      409,
      "gateway/wrong-state",
    ]);
    expect((await own.step(first, "cancel")).json["state"]).toBe("cancelled");
    const again = await own.offered(invoice, { amount: "custom", amountSompi: "400" });
    expect(again.state).toBe("requested");
  });

  it("made at the same time come to no more either", async () => {
    const own = scene();
    const invoice = await own.paid(1_000n);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => own.offer(invoice, { amount: "custom", amountSompi: "300" })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(all.filter(({ status }) => status === 422)).toHaveLength(5);
  });

  it("are neither of what is not settled, nor of what a reorganisation took back", async () => {
    const own = scene();
    const { id } = await own.shop.create();
    const fact = await payment(own.host, id, 1_000n, 101n);
    await own.host.tell([fact], 110n);
    expect(codeOf(await own.offer(id, { amount: "all" }))).toEqual([409, "gateway/wrong-state"]);
    await own.host.tell([], 111n);
    const made = await own.offered(id, { amount: "all" });
    await own.fill(made, own.home);
    await own.host.tell([takenBack(fact)], 112n);
    expect(codeOf(await own.step(made, "approve", { address: own.home }))).toEqual([
      422,
      "gateway/refund-too-large",
    ]);
    await own.host.tell([fact], 113n);
    expect((await own.step(made, "approve", { address: own.home })).status).toBe(200);
  });
}

function describeEnds(scene: () => RefundScene): void {
  it("that nobody claims in time are cancelled, and free what they offered", async () => {
    const own = scene();
    const invoice = await own.paid(1_000n);
    const made = await own.offered(invoice, { amount: "all" });
    await own.host.pass(30n * DAY_MS);
    expect((await own.shop.ask("GET", `/api/v1/refunds/${made.id}`)).json["state"]).toBe(
      "cancelled",
    );
    expect(codeOf(await own.fill(made, own.home))).toEqual([410, "gateway/claim-over"]);
    expect((await own.offered(invoice, { amount: "all" })).amountSompi).toBe(1_000n);
  });

  it("are made and approved once for one key", async () => {
    const own = scene();
    const invoice = await own.paid(1_000n);
    const headers = { "Idempotency-Key": "refund-4711" };
    const body = { amount: "custom", amountSompi: "100" };
    const [one, two] = [
      await own.offer(invoice, body, headers),
      await own.offer(invoice, body, headers),
    ];
    expect([one.status, two.status, two.headers.get("idempotent-replayed")]).toEqual([
      201,
      201,
      "true",
    ]);
    expect(two.json["id"]).toBe(one.json["id"]);
    expect(codeOf(await own.offer(invoice, { ...body, amountSompi: "101" }, headers))).toEqual([
      409,
      "gateway/idempotency-conflict",
    ]);
    const made = v.parse(refund, one.json);
    await own.fill(made, own.home);
    const path = `/api/v1/refunds/${made.id}/approve`;
    const key = { "Idempotency-Key": "approve-4711" };
    const approvals = [
      await own.shop.ask("POST", path, { address: own.home }, key),
      await own.shop.ask("POST", path, { address: own.home }, key),
    ];
    expect(approvals.map(({ status, json }) => [status, json["state"]])).toEqual([
      [200, "approved"],
      [200, "approved"],
    ]);
  });
}

function describeOwners(scene: () => RefundScene): void {
  it("of another merchant are answered as those that do not exist", async () => {
    const own = scene();
    const invoice = await own.paid(1_000n);
    const made = await own.offered(invoice, { amount: "all" });
    const other = new GatewayCaller(own.host, await own.host.issueKey("elsewhere", KEY_SCOPES));
    const missing = { status: 404, code: "gateway/no-refund" };
    for (const id of [made.id, `ref_${NEVER}`, "x"]) {
      await other.refused("GET", `/api/v1/refunds/${id}`, undefined, missing);
      await other.refused("POST", `/api/v1/refunds/${id}/cancel`, undefined, missing);
      await other.refused("POST", `/api/v1/refunds/${id}/approve`, { address: own.home }, missing);
    }
    await other.refused(
      "POST",
      `/api/v1/invoices/${invoice}/refunds`,
      { amount: "all" },
      { status: 404, code: "gateway/no-invoice" },
    );
    expect((await other.ask("GET", "/api/v1/refunds")).json["refunds"]).toEqual([]);
    const scoped = new GatewayCaller(own.host, await own.host.issueKey("shop", ["invoices:write"]));
    await scoped.refused("GET", "/api/v1/refunds", undefined, {
      status: 403,
      code: "gateway/scope",
    });
  });
}

function describeLists(scene: () => RefundScene): void {
  it("are listed by state and in parts", async () => {
    const own = scene();
    const invoice = await own.paid(1_000n);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const made = await own.offered(invoice, { amount: "custom", amountSompi: "10" });
      if (count % 2 === 0) await own.fill(made, own.home);
      ids.push(made.id);
      await own.host.pass(1_000n);
    }
    const list = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor = ""; ;) {
        const { json } = await own.shop.ask("GET", `/api/v1/refunds?limit=2${query}${cursor}`);
        const page = v.parse(v.array(v.looseObject({ id: v.string() })), json["refunds"]);
        found.push(...page.map(({ id }) => id));
        const next = v.parse(v.nullable(v.string()), json["next"]);
        if (next === null) return found;
        cursor = `&cursor=${next}`;
      }
    };
    expect(await list("")).toEqual(ids.toReversed());
    expect(await list("&state=claimed")).toEqual([ids[4], ids[2], ids[0]]);
    expect(await list("&state=claimed&state=requested")).toHaveLength(5);
    await own.shop.refused("GET", "/api/v1/refunds?cursor=x", undefined, {
      status: 400,
      code: "api/bad-field",
    });
  });

  it("are so many of one invoice and no more", async () => {
    const own = scene();
    const invoice = await own.paid(1_000n);
    for (let count = 0; count < 64; count += 1) {
      await own.offered(invoice, { amount: "custom", amountSompi: "1" });
    }
    expect(codeOf(await own.offer(invoice, { amount: "all" }))).toEqual([
      409,
      "gateway/too-many-refunds",
    ]);
  });
}
