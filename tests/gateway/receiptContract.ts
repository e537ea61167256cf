/** Contract of the gateway API: receipts of payments, for the merchant of an invoice and for whoever knows its id. */
import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { BatchReceipt } from "@svc/shared/invoice/factBatch.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { contractScene } from "./contractScene.ts";
import { GatewayCaller, payment, takenBack } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";

/** A gateway whose scanner makes receipts. */
export type ReceiptHost = GatewayHost & {
  /** Tells what becomes of receipts, with the sink where it is. */
  tellReceipts(receipts: readonly BatchReceipt[]): Promise<void>;
};

/** A file that stands for a receipt: a gateway does not look into it. */
function fileOf(byte: number, bytes = 100): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes).fill(byte);
}

/** The receipt of a payment; null for none any more. */
function receiptOf({ key, index, input }: PaymentFact, file: Uint8Array | null): BatchReceipt {
  if (input.kind !== "mined") throw new TypeError("a payment that no block accepts");
  const { output, block } = input;
  const receipt = file === null ? null : encodeHex(file);
  return { key, index, cmx: output.cmx, block: block.hash, receipt };
}

/** What each test works with: a scene, and an invoice that is paid. */
type ReceiptScene = ReturnType<typeof receiptScene>;

function receiptScene(make: () => Promise<ReceiptHost>) {
  let host: ReceiptHost | null = null;
  const of = contractScene(async () => {
    host = await make();
    return host;
  });
  return {
    get host(): ReceiptHost {
      return host ?? expect.unreachable();
    },
    get shop() {
      return of.shop;
    },
    /** Somebody without a key. */
    get payer() {
      return new GatewayCaller(of.host, null);
    },
    /** An invoice with a payment in a block at 101. */
    async paid() {
      const { id } = await of.shop.create();
      const fact = await payment(of.host, id, 1_000n, 101n);
      await of.host.tell([fact], 101n);
      const pathOf = (reader: string): string => `/api/v1/${reader}/${id}/receipts`;
      const [merchantPath, payerPath] = [pathOf("invoices"), pathOf("checkout")];
      return { id, fact, cmx: receiptOf(fact, null).cmx, merchantPath, payerPath };
    },
  };
}

/** Runs the suite over the hosts that `make` makes. */
export function receiptContract(name: string, make: () => Promise<ReceiptHost>): void {
  describe(`the receipts of ${name}`, () => {
    const of = receiptScene(make);
    givenReceipts(of);
    refusedReceipts(of);
    changedReceipts(of);
  });
}

/** Who has them, and as what. */
function givenReceipts(of: ReceiptScene): void {
  it("are given when the payment is confirmed, and not before, to merchant and payer", async () => {
    const { id, fact, cmx, merchantPath, payerPath } = await of.paid();
    await of.host.tellReceipts([receiptOf(fact, fileOf(7))]);
    const nobody = { status: 404, code: "gateway/no-receipt" };
    for (const [caller, path] of [
      [of.shop, merchantPath],
      [of.payer, payerPath],
    ] as const) {
      await caller.refused("GET", `${path}/${cmx}`, undefined, nobody);
      expect((await caller.ask("GET", path)).json).toEqual({ receipts: [], next: null });
    }
    expect((await of.shop.invoice(id)).payments).toMatchObject([{ receiptUrl: null }]);

    await of.host.tell([], 111n);
    for (const [caller, path] of [
      [of.shop, merchantPath],
      [of.payer, payerPath],
    ] as const) {
      const { json } = await caller.ask("GET", path);
      const receipt = receiptText(fileOf(7));
      const receiptUrl = expect.stringMatching(new RegExp(`^https?://[^/]+${path}/${cmx}$`));
      expect(json).toMatchObject({ receipts: [{ cmx, receipt, receiptUrl }], next: null });
    }
    const { payments, status } = await of.shop.invoice(id);
    expect(status).toBe("confirmed");
    expect(payments[0]?.receiptUrl).toContain(`${merchantPath}/${cmx}`);
    expect((await of.payer.ask("GET", `/api/v1/checkout/${id}`)).json["receipts"]).toBe(1);
  });

  it("are files of CBOR with a name, which nothing on the way keeps", async () => {
    const { id, fact, cmx, payerPath } = await of.paid();
    await of.host.tellReceipts([receiptOf(fact, fileOf(7, INVOICE_LIMITS.receiptBytes))]);
    await of.host.tell([], 111n);
    const answer = await of.host.fetch(`${payerPath}/${cmx}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/cbor");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="receipt-${id}-${cmx.slice(0, 8)}.cbor"`,
    );
    const body = new Uint8Array(await answer.arrayBuffer());
    expect(body).toEqual(fileOf(7, INVOICE_LIMITS.receiptBytes));
  });
}

/** Who has none. */
function refusedReceipts(of: ReceiptScene): void {
  it("go to no other merchant, and to nobody who does not know the invoice", async () => {
    const { fact, cmx, merchantPath, payerPath } = await of.paid();
    await of.host.tellReceipts([receiptOf(fact, fileOf(7))]);
    await of.host.tell([], 111n);
    const other = new GatewayCaller(of.host, await of.host.issueKey("other", ["invoices:read"]));
    const blind = new GatewayCaller(of.host, await of.host.issueKey("shop", ["webhooks"]));
    const noInvoice = { status: 404, code: "gateway/no-invoice" };
    for (const path of [merchantPath, `${merchantPath}/${cmx}`]) {
      await other.refused("GET", path, undefined, noInvoice);
      await of.payer.refused("GET", path, undefined, { status: 401, code: "gateway/bad-key" });
      await blind.refused("GET", path, undefined, { status: 403, code: "gateway/scope" });
    }
    const unknown = `inv_${"0".repeat(32)}`;
    await of.payer.refused("GET", `/api/v1/checkout/${unknown}/receipts`, undefined, noInvoice);
    const { id } = await of.shop.create({ orderId: "another" });
    for (const path of [payerPath, merchantPath])
      await (path === payerPath ? of.payer : of.shop).refused(
        "GET",
        `${path.replace(/inv_[0-9a-f]+/, id)}/${cmx}`,
        undefined,
        { status: 404, code: "gateway/no-receipt" },
      );
  });

  it("that no payment has are passed over", async () => {
    const { id, fact, cmx, payerPath } = await of.paid();
    const receipt = receiptOf(fact, fileOf(7));
    const block = receiptOf(await payment(of.host, id, 1n, 107n), null).block;
    await of.host.tellReceipts([
      { ...receipt, block },
      { ...receipt, index: receipt.index + 1 },
      receiptOf(await payment(of.host, id, 1n, 101n), fileOf(8)),
    ]);
    await of.host.tell([], 111n);
    await of.payer.refused("GET", `${payerPath}/${cmx}`, undefined, {
      status: 404,
      code: "gateway/no-receipt",
    });
  });
}

/** What becomes of them. */
function changedReceipts(of: ReceiptScene): void {
  it("give way to a better one, and go with the block of their payment", async () => {
    const { fact, cmx, payerPath } = await of.paid();
    const file = async (): Promise<number | null> => {
      const answer = await of.host.fetch(`${payerPath}/${cmx}`);
      if (answer.status !== 200) return null;
      return new Uint8Array(await answer.arrayBuffer())[0] ?? null;
    };
    await of.host.tell([], 111n);
    expect(await file()).toBeNull();
    await of.host.tellReceipts([receiptOf(fact, fileOf(1))]);
    await of.host.tellReceipts([receiptOf(fact, fileOf(2))]);
    expect(await file()).toBe(2);
    await of.host.tellReceipts([receiptOf(fact, null)]);
    expect(await file()).toBeNull();
    await of.host.tellReceipts([receiptOf(fact, fileOf(3))]);
    expect(await file()).toBe(3);
    await of.host.tell([takenBack(fact)], 112n);
    expect(await file()).toBeNull();
    await of.host.tell([fact], 113n);
    expect(await file()).toBeNull();
  });

  it("are told to webhooks with the payment that they show", async () => {
    const { fact, cmx, merchantPath } = await of.paid();
    const body = {
      url: "https://shop.example/hook",
      events: ["invoice.confirmed", "invoice.updated"],
    };
    expect((await of.shop.ask("POST", "/api/v1/webhooks", body)).status).toBe(201);
    await of.host.tellReceipts([receiptOf(fact, fileOf(7))]);
    await of.host.tell([], 111n);
    const told = await of.host.hooks();
    expect(told.map((hook) => JSON.parse(hook.body).type)).toEqual(["invoice.confirmed"]);
    expect(JSON.parse(told[0]?.body ?? "").invoice.payments[0].receiptUrl).toContain(
      `${merchantPath}/${cmx}`,
    );
    await of.host.tellReceipts([receiptOf(fact, null)]);
    const later = await of.host.hooks();
    expect(later.map((hook) => JSON.parse(hook.body).type)).toEqual(["invoice.updated"]);
    expect(JSON.parse(later[0]?.body ?? "").invoice.payments[0].receiptUrl).toBeNull();
  });
}
