/**
 * Durable Object of one viewing key: it gives each invoice an address of its own, and holds the idempotency keys of the merchants
 * whose invoices have addresses of the key.
 *
 * An address, the invoice that has it and the idempotency key of its request are written at once, before the invoice's object hears
 * of it. Whoever finds an invoice here that its object may not have, a repeated request or a payment, makes it there first.
 */
import { DurableObject } from "cloudflare:workers";
import {
  asBlueScore,
  asInvoiceId,
  asSompi,
  asTimestampMs,
  type BlueScore,
  type MerchantId,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { InvoiceOrder, RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import { newInvoice } from "@svc/shared/invoice/invoice.ts";
import { encodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import type { AddressesFact } from "@svc/shared/invoice/factBatch.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { edgeNow } from "../../platform/edgeClock.ts";
import { answered, answering, type ObjectAnswer } from "../../platform/objectAnswer.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import { MerchantRows, type Allotted } from "./merchantRows.ts";

/** An invoice that is wished for. */
export type InvoiceWish = {
  readonly key: ViewingKeyId;
  readonly merchant: MerchantId;
  readonly order: InvoiceOrder;
  readonly request: RequestKey | null;
  readonly tip: BlueScore | null;
};

/** An invoice that was made, as JSON. */
export type WishedInvoice = { readonly json: string; readonly isReplay: boolean };

const ID_BYTES = 16;
/** Where no tip is known, no block is older than the invoice. */
const NO_SCORE = asBlueScore(0n);

/** The object of a viewing key. */
export class MerchantObject extends DurableObject<GatewayEnv> {
  readonly #rows = new MerchantRows(this.ctx.storage);

  /** Makes an invoice, or gives the one that the same request made. Answers with `gateway/no-address`, `gateway/idempotency-conflict`. */
  create(wish: InvoiceWish): Promise<ObjectAnswer<WishedInvoice>> {
    return answering(async () => {
      const { allotted, isReplay } = this.ctx.storage.transactionSync(() => this.#allot(wish));
      if (!isReplay) this.#noteStock(wish.key);
      if (allotted.json !== null) return { json: await this.#make(allotted), isReplay };
      const known = await this.env.INVOICES.getByName(allotted.invoice).read();
      if (known === null) throw new SvcError("gateway/no-invoice", {});
      return { json: known.json, isReplay };
    });
  }

  /** Gives an idempotency key to something that is not an invoice: what the same request made before, or else `made`. */
  claim(merchant: MerchantId, request: RequestKey, made: string): Promise<ObjectAnswer<string>> {
    return answering(async () =>
      this.ctx.storage.transactionSync(() => {
        const known = this.#rows.madeBy(merchant, request);
        if (known === null) this.#rows.use(merchant, request, made);
        return known ?? made;
      }),
    );
  }

  /** Takes a run of addresses. May be repeated. */
  addRun(fact: AddressesFact): Promise<ObjectAnswer<null>> {
    return answering(async () => {
      this.ctx.storage.transactionSync(() => this.#rows.addRun(fact));
      await this.#writeStock(fact.key);
      return null;
    });
  }

  /** The invoices that have these addresses, in the same order; null where none has. Each is with its object then. */
  invoicesAt(indices: readonly number[]): Promise<ObjectAnswer<(string | null)[]>> {
    return answering(async () => {
      const found: (string | null)[] = [];
      for (const index of indices) {
        const allotted = this.#rows.at(index);
        if (allotted !== null && allotted.json !== null) await this.#make(allotted);
        found.push(allotted?.invoice ?? null);
      }
      return found;
    });
  }

  #allot(wish: InvoiceWish): { readonly allotted: Allotted; readonly isReplay: boolean } {
    const { merchant, request } = wish;
    const known = request === null ? null : this.#rows.madeBy(merchant, request);
    if (known !== null) return { allotted: this.#rows.of(known), isReplay: true };
    const allotted = this.#newInvoice(wish);
    this.#rows.allot(allotted);
    if (request !== null) this.#rows.use(merchant, request, allotted.invoice);
    return { allotted, isReplay: false };
  }

  #newInvoice({ key, merchant, order, tip }: InvoiceWish): Allotted {
    const address = this.#rows.take();
    const nowMs = edgeNow();
    const lifeMs = BigInt(order.expiresInS) * 1_000n;
    const { amountSompi, expiresInS: _, ...terms } = order;
    const id = asInvoiceId(`inv_${encodeHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`);
    const invoice = newInvoice({
      ...terms,
      id,
      merchant,
      address: { key, ...address },
      amount: asSompi(amountSompi),
      createdMs: nowMs,
      createdBlueScore: tip ?? NO_SCORE,
      expiresMs: asTimestampMs(nowMs + lifeMs),
      lifeMs,
    });
    return { index: address.index, invoice: id, json: encodeInvoice(invoice) };
  }

  async #make({ invoice, json }: Allotted): Promise<string> {
    const made = answered(await this.env.INVOICES.getByName(invoice).make(json ?? ""));
    this.#rows.made(invoice);
    return made;
  }

  /** Now and then, once few addresses are left; a note that is lost is made again with a later invoice. */
  #noteStock(key: ViewingKeyId): void {
    const left = this.#rows.left();
    const isTold = left < EDGE_LIMITS.addressLow && left % EDGE_LIMITS.addressNoteEvery === 0;
    if (!isTold) return;
    const noted = this.#writeStock(key).catch((thrown: unknown) =>
      console.error(`the stock of addresses was not noted: ${SvcError.from(thrown).code}`),
    );
    this.ctx.waitUntil(noted);
  }

  async #writeStock(key: ViewingKeyId): Promise<void> {
    await this.env.DB.prepare(
      "INSERT INTO address_stock (viewing_key, addresses) VALUES (?1, ?2) ON CONFLICT (viewing_key) DO UPDATE SET addresses = ?2",
    )
      .bind(key, this.#rows.left())
      .run();
  }
}
