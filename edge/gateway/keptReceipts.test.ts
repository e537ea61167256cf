/** Receipts in the objects of invoices: eviction and kills, false batches of a scanner, and removal by a rollback. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import {
  decodeFactBatch,
  encodeFactBatch,
  type BatchReceipt,
} from "@svc/shared/invoice/factBatch.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment, takenBack } from "../../tests/gateway/gatewayCaller.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";
import type { InvoiceObject } from "./objects/invoiceObject.ts";

let host: EdgeHost;
let shop: GatewayCaller;
beforeEach(async () => {
  host = await EdgeHost.open();
  shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
});
afterEach(() => host.close());

const stubOf = (id: string) => env.INVOICES.getByName(asInvoiceId(id));

/** An invoice with a payment in a block at 101, of which a receipt can be told. */
async function paid(tell = true) {
  const { id } = await shop.create();
  const fact = await payment(host, id, 1_000n, 101n);
  if (tell) await host.tell([fact], 101n);
  return { id, fact, cmx: fact.input.output.cmx };
}

/** A file of some byte that stands for the receipt of a payment. */
function receiptOf({ key, index, input }: PaymentFact, byte: string): BatchReceipt {
  if (input.kind !== "mined") throw new TypeError("a payment that no block accepts");
  const { output, block } = input;
  return { key, index, cmx: output.cmx, block: block.hash, receipt: byte.repeat(100) };
}

/** A batch with receipts, the tip at 111; `number` is 2 for the first of a test. */
function batch(number: bigint, facts: readonly PaymentFact[], receipts: readonly BatchReceipt[]) {
  const told = facts.map(({ key, index, input }) => ({ ...input, key, index }));
  const plain = decodeFactBatch(host.batch(number, told, 111n));
  return encodeFactBatch({ ...plain, receipts: [...receipts] });
}

/** The first byte of the file that the payer is given; null for none. */
async function fileOf(id: string, cmx: string): Promise<number | null> {
  const answer = await host.fetch(`/api/v1/checkout/${id}/receipts/${cmx}`);
  if (answer.status === 404) return null;
  return new Uint8Array(await answer.arrayBuffer())[0] ?? null;
}

/** How many files the object of an invoice keeps. */
function kept(id: string): Promise<number> {
  return runInDurableObject<InvoiceObject, number>(
    stubOf(id),
    (_, { storage }) => [...storage.sql.exec("SELECT cmx FROM receipts")].length,
  );
}

describe("receipts of payments", () => {
  it("are kept while their invoice's object is away, and go with the block of their payment", async () => {
    const { id, fact, cmx } = await paid();
    await host.tellReceipts([receiptOf(fact, "07")]);
    await host.tell([], 111n);
    await evictDurableObject(stubOf(id));
    expect(await fileOf(id, cmx)).toBe(7);
    expect(await kept(id)).toBe(1);
    await host.tell([takenBack(fact)], 112n);
    expect(await kept(id)).toBe(0);
  });

  it("come with the fact of their payment, also where the batch is applied in part and comes again", async () => {
    const [one, two] = [await paid(false), await paid(false)];
    const facts = [one.fact, two.fact];
    const body = batch(
      2n,
      facts,
      facts.map((fact) => receiptOf(fact, "07")),
    );
    await runInDurableObject<InvoiceObject, void>(stubOf(two.id), async (object) => {
      Reflect.set(object, "setDue", () => Promise.reject(new Error("no database")));
    });
    expect((await host.push(body)).status).toBe(500);
    await evictDurableObject(stubOf(two.id));
    for (let times = 0; times < 2; times += 1) expect((await host.push(body)).status).toBe(200);
    for (const { id, cmx } of [one, two]) {
      expect((await shop.invoice(id)).status).toBe("confirmed");
      expect(await fileOf(id, cmx)).toBe(7);
      expect(await kept(id)).toBe(1);
    }
  });

  it("of another block leave no trace, and none is kept for an address that no invoice has", async () => {
    const { id, fact, cmx } = await paid();
    const receipt = receiptOf(fact, "07");
    const other = receiptOf(await payment(host, id, 1n, 107n), "08");
    const nobody = { ...receipt, index: receipt.index + 100 };
    await host.tellReceipts([{ ...receipt, block: other.block }, nobody]);
    await host.tell([], 111n);
    expect(await fileOf(id, cmx)).toBeNull();
    expect(await kept(id)).toBe(0);
  });

  it("are taken from the scanner alone, and within their bounds", async () => {
    const { id, fact, cmx } = await paid();
    const receipt = receiptOf(fact, "07");
    expect((await host.push(batch(3n, [], [receipt]), "another secret")).status).toBe(401);
    const long = { ...receipt, receipt: "07".repeat(INVOICE_LIMITS.receiptBytes + 1) };
    const many = Array.from({ length: INVOICE_LIMITS.factBatchReceipts + 1 }, () => receipt);
    for (const receipts of [[long], many, [{ ...receipt, receipt: "no hex" }]]) {
      expect((await host.push(batch(3n, [], receipts))).status).toBe(400);
    }
    await host.tell([], 111n);
    expect(await fileOf(id, cmx)).toBeNull();
    await host.tellReceipts(Array.from({ length: 16 }, () => receipt));
    expect(await fileOf(id, cmx)).toBe(7);
    expect(await kept(id)).toBe(1);
  });

  it("are none in an object of before they were kept, and come to it", async () => {
    const { id, fact, cmx } = await paid();
    await host.tell([], 111n);
    const tables = await runInDurableObject<InvoiceObject, number>(
      stubOf(id),
      (_, { storage }) =>
        [...storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'receipts'")].length,
    );
    expect(tables).toBe(0);
    expect(await fileOf(id, cmx)).toBeNull();
    await host.tellReceipts([receiptOf(fact, "07")]);
    expect(await fileOf(id, cmx)).toBe(7);
  });
});
