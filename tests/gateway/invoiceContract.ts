/** Contract of the gateway API: making and listing invoices. */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, TERMS } from "./gatewayCaller.ts";
import type { ContractScene } from "./contractScene.ts";

const NEVER = `inv_${"0".repeat(32)}`;

/** Invoices that are made. */
export function madeInvoices(of: ContractScene): void {
  describe("invoices", () => {
    it("are made with an address of their own, and found again", async () => {
      const [one, two] = [await of.shop.create(), await of.shop.create()];
      expect(one).toMatchObject({ orderId: "4711", amountSompi: 1_000n, status: "new" });
      expect(one.address).not.toBe(two.address);
      expect(one.paymentUri).toBe(`${one.address}?amount=0.00001`);
      expect(one.expiresAt - one.createdAt).toBe(900);
      expect(await of.shop.invoice(one.id)).toEqual(one);
    });

    it("warn their merchant where the amount is below the fee of the smallest payment, 0.0186 coins", async () => {
      const { shop } = of;
      const below = await shop.create({ amountSompi: "1855399" });
      expect(below.warnings).toEqual(["belowNetworkFee"]);
      expect((await shop.invoice(below.id)).warnings).toEqual(["belowNetworkFee"]);
      expect((await shop.create({ amountSompi: "1855400" })).warnings).toEqual([]);
    });

    it("are made once for one key, as long as they exist", async () => {
      const headers = { "Idempotency-Key": "order-4711" };
      const first = await of.shop.ask("POST", "/api/v1/invoices", TERMS, headers);
      await of.host.pass(40n * 86_400_000n);
      const again = await of.shop.ask("POST", "/api/v1/invoices", TERMS, headers);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(again.json["id"]).toBe(first.json["id"]);
      const other = await of.shop.ask(
        "POST",
        "/api/v1/invoices",
        { ...TERMS, orderId: "9" },
        headers,
      );
      expect([other.status, other.json["code"]]).toEqual([409, "gateway/idempotency-conflict"]);
      const elsewhere = new GatewayCaller(of.host, await of.host.issueKey("elsewhere", KEY_SCOPES));
      const theirs = await elsewhere.ask("POST", "/api/v1/invoices", TERMS, headers);
      expect([theirs.status, theirs.json["id"] === first.json["id"]]).toEqual([201, false]);
    });

    it("with one key at once are one invoice", async () => {
      const headers = { "Idempotency-Key": "k" };
      const all = await Promise.all(
        Array.from({ length: 8 }, () => of.shop.ask("POST", "/api/v1/invoices", TERMS, headers)),
      );
      const made = all.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ json }) => json["id"])).size).toBe(1);
      for (const { status } of all) expect([201, 409]).toContain(status);
    });
  });
}

/** Invoices that are read, and requests for them that are refused. */
export function readInvoices(of: ContractScene): void {
  describe("invoices, asked for,", () => {
    it("of another merchant are answered as those that do not exist", async () => {
      const { id } = await of.shop.create();
      const elsewhere = new GatewayCaller(of.host, await of.host.issueKey("elsewhere", KEY_SCOPES));
      const missing = { status: 404, code: "gateway/no-invoice" };
      for (const path of [`/api/v1/invoices/${id}`, `/api/v1/invoices/${NEVER}`]) {
        await elsewhere.refused("GET", path, undefined, missing);
        await elsewhere.refused("POST", `${path}/archive`, undefined, missing);
        await elsewhere.refused("GET", `${path}/events`, undefined, missing);
      }
      const list = await elsewhere.ask("GET", "/api/v1/invoices");
      expect(list.json["invoices"]).toEqual([]);
    });

    it.each([
      [{ amountSompi: "0" }, 400],
      [{ amountSompi: "01" }, 400],
      [{ amountSompi: "9223372036854775808" }, 400],
      [{ amountSompi: undefined }, 400],
      [{ orderId: "" }, 400],
      [{ orderId: "x".repeat(129) }, 400],
      [{ orderId: undefined }, 422],
      [{ orderId: 1 }, 422],
      [{ expiresIn: 59 }, 400],
      [{ requiredBlueScore: 0 }, 400],
      [{ requiredBlueScore: 10_001 }, 400],
      [{ redirectUrl: "javascript:alert(1)" }, 400],
      [{ metadata: { a: 1 } }, 400],
      [{ toleranceUnderSompi: "1000" }, 400],
    ])("are refused with %j", async (change, status) => {
      const answer = await of.shop.ask("POST", "/api/v1/invoices", { ...TERMS, ...change });
      expect(answer.status, JSON.stringify(answer.json)).toBe(status);
      const [field = ""] = Object.keys(change);
      expect(String(answer.json["field"]).split(".")[0]).toBe(field);
    });

    it("ignore fields that nobody knows", async () => {
      expect((await of.shop.create({ unknown: { deep: [1] } })).status).toBe("new");
    });
  });
}

/** The list of invoices. */
export function listedInvoices(of: ContractScene): void {
  describe("invoices", () => {
    it("are listed, searched, and put away", async () => {
      const [one, two] = [
        await of.shop.create({ orderId: "a", metadata: { table: "Window" } }),
        await of.shop.create({ orderId: "b" }),
      ];
      const ids = async (query: string): Promise<unknown> => {
        const { json } = await of.shop.ask("GET", `/api/v1/invoices${query}`);
        return v
          .parse(v.array(v.looseObject({ id: v.string() })), json["invoices"])
          .map(({ id }) => id);
      };
      expect(await ids("?orderId=b")).toEqual([two.id]);
      expect(await ids("?text=window")).toEqual([one.id]);
      expect(await ids("?status=paid&status=confirmed")).toEqual([]);
      await of.shop.ask("POST", `/api/v1/invoices/${one.id}/archive`);
      expect(await ids("")).toEqual([two.id]);
      expect(new Set(Array.from([await ids("?archived=1")].flat()))).toEqual(
        new Set([one.id, two.id]),
      );
      const part = await of.shop.ask("GET", "/api/v1/invoices?limit=1&archived=1");
      const rest = await of.shop.ask(
        "GET",
        `/api/v1/invoices?limit=1&archived=1&cursor=${String(part.json["next"])}`,
      );
      expect(part.json["invoices"]).not.toEqual(rest.json["invoices"]);
      await of.shop.refused("GET", "/api/v1/invoices?cursor=x", undefined, {
        status: 400,
        code: "api/bad-field",
      });
    });
  });
}
