/** The part of the gateway API's contract that refunds have: one suite over every host of it. No wallet pays here. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { claim, refund } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment, takenBack, type Answer } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";

type RefundRecord = v.InferOutput<typeof refund>;

const NEVER = "0".repeat(32);
const DAY_MS = 86_400_000n;

/** Runs the suite over the hosts that `make` makes. */
export function refundContract(name: string, make: () => Promise<GatewayHost>): void {
  describe(`refunds of the gateway API of ${name}`, () => {
    let host: GatewayHost;
    let shop: GatewayCaller;
    let payer: GatewayCaller;
    /** Addresses of the host's network. */
    let home: string;
    let elsewhere: string;

    beforeEach(async () => {
      host = await make();
      shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
      payer = new GatewayCaller(host, null);
      home = (await shop.create()).address;
      elsewhere = (await shop.create()).address;
    });
    afterEach(() => host.close());

    /** An invoice of 1,000 sompi that these amounts have paid, settled. */
    async function paid(...amounts: readonly bigint[]): Promise<string> {
      const { id } = await shop.create();
      const facts: PaymentFact[] = [];
      for (const amount of amounts) facts.push(await payment(host, id, amount, 101n));
      await host.tell(facts, 111n);
      return id;
    }

    function offer(invoice: string, body: object, headers = {}): Promise<Answer> {
      return shop.ask("POST", `/api/v1/invoices/${invoice}/refunds`, body, headers);
    }

    async function offered(invoice: string, body: object): Promise<RefundRecord> {
      const answer = await offer(invoice, body);
      expect(answer.status, JSON.stringify(answer.json)).toBe(201);
      return v.parse(refund, answer.json);
    }

    function claimPath({ claimUrl }: RefundRecord): string {
      return `/api/v1/claims/${claimUrl.slice(claimUrl.lastIndexOf("/") + 1)}`;
    }

    async function fill(record: RefundRecord, address: string): Promise<Answer> {
      return payer.ask("POST", claimPath(record), { address });
    }

    async function step(record: RefundRecord, word: string, body?: object): Promise<Answer> {
      return shop.ask("POST", `/api/v1/refunds/${record.id}/${word}`, body);
    }

    function codeOf({ status, json }: Answer): readonly unknown[] {
      return [status, json["code"]];
    }

    it("go from an offer over the payer's address to an approval", async () => {
      const invoice = await paid(1_300n);
      const made = await offered(invoice, { amount: "overpaid", reason: "paid twice" });
      expect(made).toMatchObject({
        ...{ invoiceId: invoice, orderId: "4711", amountSompi: 300n, state: "requested" },
        ...{ address: null, reason: "paid twice", txid: null, error: null },
      });
      expect((await fill(made, home)).json).toMatchObject({ state: "claimed", address: home });
      expect((await fill(made, elsewhere)).json["address"]).toBe(elsewhere);
      expect(codeOf(await step(made, "approve", { address: home }))).toEqual([
        409,
        "gateway/refund-address",
      ]);
      const approved = await step(made, "approve", { address: elsewhere });
      expect(approved.json).toMatchObject({ state: "approved", address: elsewhere });
      expect((await shop.ask("GET", `/api/v1/refunds/${made.id}`)).json).toEqual(approved.json);
      expect(codeOf(await fill(made, home))).toEqual([410, "gateway/claim-over"]);
      expect(codeOf(await step(made, "approve", { address: elsewhere }))).toEqual([
        409,
        "gateway/refund-state",
      ]);
    });

    it("show a payer the amount, the shop and his address, and nothing of the order", async () => {
      const made = await offered(await paid(1_000n), { amount: "all", reason: "hidden reason" });
      const { json } = await payer.ask("GET", claimPath(made));
      expect(v.parse(claim, json)).toMatchObject({ amountSompi: 1_000n, state: "requested" });
      expect(String(json["storeName"])).not.toBe("");
      const shown = JSON.stringify(json);
      for (const hidden of ["4711", "hidden", "orderId", "invoice", made.id, "txid"]) {
        expect(shown, hidden).not.toContain(hidden);
      }
      for (const unknown of [`clm_${NEVER}`, "clm_x", made.id]) {
        const answer = await payer.ask("GET", `/api/v1/claims/${unknown}`);
        expect(codeOf(answer)).toEqual([404, "gateway/no-claim"]);
      }
    });

    it("go to no address that is none", async () => {
      const made = await offered(await paid(1_000n), { amount: "all" });
      const mistyped = home.slice(0, -1) + (home.endsWith("q") ? "p" : "q");
      for (const address of ["", "x", mistyped, `bc1:${home}`]) {
        const answer = await fill(made, address);
        expect(answer.status, address).toBe(400);
        expect(String(answer.json["code"]), address).toMatch(/^address\//);
      }
      expect((await payer.ask("GET", claimPath(made))).json["state"]).toBe("requested");
    });

    it("come to no more than was paid and settled", async () => {
      const invoice = await paid(700n, 600n);
      const most = { amount: "custom", amountSompi: "1301" };
      const tooMuch = await offer(invoice, most);
      expect(codeOf(tooMuch)).toEqual([422, "gateway/refund-too-large"]);
      const first = await offered(invoice, { amount: "custom", amountSompi: "400" });
      expect((await offered(invoice, { amount: "overpaid" })).amountSompi).toBe(300n);
      expect(codeOf(await offer(invoice, { amount: "overpaid" }))).toEqual([
        409,
        "gateway/wrong-state",
      ]);
      expect((await offered(invoice, { amount: "all" })).amountSompi).toBe(600n);
      expect(codeOf(await offer(invoice, { amount: "all" }))).toEqual([409, "gateway/wrong-state"]);
      expect((await step(first, "cancel")).json["state"]).toBe("cancelled");
      const again = await offered(invoice, { amount: "custom", amountSompi: "400" });
      expect(again.state).toBe("requested");
    });

    it("made at the same time come to no more either", async () => {
      const invoice = await paid(1_000n);
      const all = await Promise.all(
        Array.from({ length: 8 }, () => offer(invoice, { amount: "custom", amountSompi: "300" })),
      );
      expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(all.filter(({ status }) => status === 422)).toHaveLength(5);
    });

    it("are neither of what is not settled, nor of what a reorganisation took back", async () => {
      const { id } = await shop.create();
      const fact = await payment(host, id, 1_000n, 101n);
      await host.tell([fact], 110n);
      expect(codeOf(await offer(id, { amount: "all" }))).toEqual([409, "gateway/wrong-state"]);
      await host.tell([], 111n);
      const made = await offered(id, { amount: "all" });
      await fill(made, home);
      await host.tell([takenBack(fact)], 112n);
      expect(codeOf(await step(made, "approve", { address: home }))).toEqual([
        422,
        "gateway/refund-too-large",
      ]);
      await host.tell([fact], 113n);
      expect((await step(made, "approve", { address: home })).status).toBe(200);
    });

    it("that nobody claims in time are cancelled, and free what they offered", async () => {
      const invoice = await paid(1_000n);
      const made = await offered(invoice, { amount: "all" });
      await host.pass(30n * DAY_MS);
      expect((await shop.ask("GET", `/api/v1/refunds/${made.id}`)).json["state"]).toBe("cancelled");
      expect(codeOf(await fill(made, home))).toEqual([410, "gateway/claim-over"]);
      expect((await offered(invoice, { amount: "all" })).amountSompi).toBe(1_000n);
    });

    it("are made and approved once for one key", async () => {
      const invoice = await paid(1_000n);
      const headers = { "Idempotency-Key": "refund-4711" };
      const body = { amount: "custom", amountSompi: "100" };
      const [one, two] = [await offer(invoice, body, headers), await offer(invoice, body, headers)];
      expect([one.status, two.status, two.headers.get("idempotent-replayed")]).toEqual([
        201,
        201,
        "true",
      ]);
      expect(two.json["id"]).toBe(one.json["id"]);
      expect(codeOf(await offer(invoice, { ...body, amountSompi: "101" }, headers))).toEqual([
        409,
        "gateway/idempotency-conflict",
      ]);
      const made = v.parse(refund, one.json);
      await fill(made, home);
      const path = `/api/v1/refunds/${made.id}/approve`;
      const key = { "Idempotency-Key": "approve-4711" };
      const approvals = [
        await shop.ask("POST", path, { address: home }, key),
        await shop.ask("POST", path, { address: home }, key),
      ];
      expect(approvals.map(({ status, json }) => [status, json["state"]])).toEqual([
        [200, "approved"],
        [200, "approved"],
      ]);
    });

    it("of another merchant are answered as those that do not exist", async () => {
      const invoice = await paid(1_000n);
      const made = await offered(invoice, { amount: "all" });
      const other = new GatewayCaller(host, await host.issueKey("elsewhere", KEY_SCOPES));
      const missing = { status: 404, code: "gateway/no-refund" };
      for (const id of [made.id, `ref_${NEVER}`, "x"]) {
        await other.refused("GET", `/api/v1/refunds/${id}`, undefined, missing);
        await other.refused("POST", `/api/v1/refunds/${id}/cancel`, undefined, missing);
        await other.refused("POST", `/api/v1/refunds/${id}/approve`, { address: home }, missing);
      }
      await other.refused(
        "POST",
        `/api/v1/invoices/${invoice}/refunds`,
        { amount: "all" },
        { status: 404, code: "gateway/no-invoice" },
      );
      expect((await other.ask("GET", "/api/v1/refunds")).json["refunds"]).toEqual([]);
      const scoped = new GatewayCaller(host, await host.issueKey("shop", ["invoices:write"]));
      await scoped.refused("GET", "/api/v1/refunds", undefined, {
        status: 403,
        code: "gateway/scope",
      });
    });

    it("are listed by state and in parts", async () => {
      const invoice = await paid(1_000n);
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        const made = await offered(invoice, { amount: "custom", amountSompi: "10" });
        if (count % 2 === 0) await fill(made, home);
        ids.push(made.id);
        await host.pass(1_000n);
      }
      const list = async (query: string): Promise<string[]> => {
        const found: string[] = [];
        for (let cursor = ""; ;) {
          const { json } = await shop.ask("GET", `/api/v1/refunds?limit=2${query}${cursor}`);
          const page = v.parse(v.array(v.looseObject({ id: v.string() })), json["refunds"]);
          found.push(...page.map(({ id }) => id));
          if (json["next"] === null) return found;
          cursor = `&cursor=${String(json["next"])}`;
        }
      };
      expect(await list("")).toEqual(ids.toReversed());
      expect(await list("&state=claimed")).toEqual([ids[4], ids[2], ids[0]]);
      expect(await list("&state=claimed&state=requested")).toHaveLength(5);
      await shop.refused("GET", "/api/v1/refunds?cursor=x", undefined, {
        status: 400,
        code: "api/bad-field",
      });
    });

    it("are so many of one invoice and no more", async () => {
      const invoice = await paid(1_000n);
      for (let count = 0; count < 256; count += 1) {
        await offered(invoice, { amount: "custom", amountSompi: "1" });
      }
      expect(codeOf(await offer(invoice, { amount: "all" }))).toEqual([
        409,
        "gateway/too-many-refunds",
      ]);
    });
  });
}
