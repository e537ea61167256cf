/**
 * The desk: invoices in the gateway's database. What changes an invoice is one commit with its events and the deliveries of these to
 * webhooks; changes that come at the same time share a commit.
 */
import type {
  AddressText,
  BlueScore,
  InvoiceId,
  MerchantId,
  RawAddress,
  ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { asBlueScore, asInvoiceId, asSompi, asTimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type {
  InvoiceFilter,
  InvoiceOrder,
  InvoicePort,
  MadeInvoice,
  Page,
  RequestKey,
  ToldEvent,
} from "@svc/shared/gateway/gatewayPorts.ts";
import { newInvoice, type Invoice } from "@svc/shared/invoice/invoice.ts";
import { createdEvent, type InvoiceEvent } from "@svc/shared/invoice/invoiceEvent.ts";
import type { InvoiceInput, InvoiceMoment } from "@svc/shared/invoice/invoiceInput.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import type { WorkLadder } from "@svc/shared/light/workLadder.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { MerchantTable } from "../access/merchantTable.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { FreeAddress } from "../store/addressTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { OldAddress } from "../store/oldAddressTable.ts";
import type { DeskEvents } from "./deskEvents.ts";
import { listInvoices } from "./listInvoices.ts";
import { revivedInvoice } from "./revivedInvoice.ts";

/** Dependencies of the desk. */
export type InvoiceDeskParts = {
  readonly store: GatewayStore;
  readonly merchants: Pick<MerchantTable, "get">;
  readonly events: Pick<DeskEvents, "tell">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly addressText: (raw: RawAddress) => AddressText;
  /** Resolves when a viewing key without addresses may have some again. */
  readonly moreAddresses: (key: ViewingKeyId) => Promise<void>;
  /** Hears that something of an invoice may be due earlier, and of which viewing key an address was taken; null for none. */
  readonly onChange: (id: InvoiceId, key: ViewingKeyId | null) => void;
};

const ID_BYTES = 16;
/** Where no tip is known, no block is older than the invoice. */
const NO_SCORE = asBlueScore(0n);

/** The invoices of a gateway. */
export class InvoiceDesk implements InvoicePort {
  readonly #parts: InvoiceDeskParts;
  #tip: BlueScore | null = null;
  #ladder: WorkLadder | null = null;

  constructor(parts: InvoiceDeskParts) {
    this.#parts = parts;
  }

  async create(
    merchant: MerchantId,
    order: InvoiceOrder,
    request: RequestKey | null,
  ): Promise<MadeInvoice> {
    const { store, onChange } = this.#parts;
    const made = await this.#withAddress(merchant, () =>
      store.run((batch) => this.#create(batch, merchant, order, request)),
    );
    const { id, address } = made.invoice.terms;
    onChange(id, made.isReplay ? null : address.key);
    return made;
  }

  async find(id: InvoiceId): Promise<Invoice | null> {
    return this.#parts.store.invoices.get(id) ?? null;
  }

  async change(
    id: InvoiceId,
    input: InvoiceInput,
    allow: (invoice: Invoice) => void,
  ): Promise<Invoice> {
    const { store, onChange } = this.#parts;
    const changed = await store.run((batch) => {
      const invoice = store.invoices.get(id, batch);
      if (invoice === undefined) throw new SvcError("gateway/no-invoice", {});
      allow(invoice);
      return this.apply(batch, invoice, [input]);
    });
    onChange(id, null);
    return changed;
  }

  async list(
    merchant: MerchantId,
    filter: InvoiceFilter,
    cursor: string | null,
    limit: number,
  ): Promise<Page<Invoice>> {
    return listInvoices(this.#parts.store.invoices, { merchant, filter, cursor, limit });
  }

  async events(id: InvoiceId, cursor: string | null, limit: number): Promise<Page<ToldEvent>> {
    const below = cursor === null ? null : versionOf(cursor);
    const rows = this.#parts.store.events.below(id, below, limit);
    const last = rows.at(-1);
    const next = rows.length < limit || last === undefined ? null : String(last.version);
    return { rows, next };
  }

  tip(): BlueScore | null {
    return this.#tip;
  }

  /** The sink stands at this blue score from now on; null while no node says where. `ladder`: what was proved below it, null where depth decides. */
  moveTip(tip: BlueScore | null, ladder: WorkLadder | null = null): void {
    this.#tip = tip;
    this.#ladder = ladder;
  }

  /** Applies what happened to an invoice, as part of a commit; returns the invoice after it. */
  apply(batch: StoreBatch, invoice: Invoice, inputs: readonly InvoiceInput[]): Invoice {
    const { store } = this.#parts;
    const { invoice: after, events } = reduceInvoice(invoice, inputs, this.moment());
    if (after === invoice) return after;
    store.invoices.put(batch, after);
    this.#tell(batch, events);
    return after;
  }

  /** The invoice that was put away, as it was; null where its merchant is not there. It is not written. */
  revived(old: OldAddress, place: Omit<FreeAddress, "raw">): Invoice | null {
    const { merchants, addressText } = this.#parts;
    const policy = merchants.get(old.merchant)?.policy;
    if (policy === undefined) return null;
    const { raw } = old;
    return revivedInvoice(old, { ...place, raw, text: addressText(raw) }, policy);
  }

  /** The present, for what is applied now. */
  moment(): InvoiceMoment {
    const nowMs = asTimestampMs(this.#parts.clock.nowMs());
    return { nowMs, tip: this.#tip, ladder: this.#ladder };
  }

  /** Invoices may come faster than addresses are derived: then they wait, a bounded number of times. */
  async #withAddress<T>(merchant: MerchantId, make: () => Promise<T>): Promise<T> {
    for (let waits = 0; ; waits += 1) {
      try {
        return await make();
      } catch (thrown) {
        const key = this.#parts.merchants.get(merchant)?.key;
        if (!SvcError.is(thrown, "gateway/no-address") || key === undefined) throw thrown;
        if (waits === GATEWAY_LIMITS.addressWaits) throw thrown;
        await this.#parts.moreAddresses(key);
      }
    }
  }

  #create(
    batch: StoreBatch,
    merchant: MerchantId,
    order: InvoiceOrder,
    request: RequestKey | null,
  ): MadeInvoice {
    const { store } = this.#parts;
    const made = request === null ? null : store.idempotency.madeBy(batch, merchant, request);
    if (made !== null) {
      const invoice = store.invoices.get(asInvoiceId(made), batch);
      if (invoice === undefined) throw new SvcError("gateway/no-invoice", {});
      return { invoice, isReplay: true };
    }
    const invoice = this.#newInvoice(batch, merchant, order);
    store.invoices.put(batch, invoice);
    const { id, createdMs } = invoice.terms;
    if (request !== null) {
      const { key, bodyHash } = request;
      store.idempotency.put(batch, merchant, key, { bodyHash, made: id, createdMs });
    }
    this.#tell(batch, [createdEvent(invoice)]);
    return { invoice, isReplay: false };
  }

  #newInvoice(batch: StoreBatch, merchant: MerchantId, order: InvoiceOrder): Invoice {
    const { store, merchants, randomBytes, addressText } = this.#parts;
    const row = merchants.get(merchant);
    if (row === undefined || row.closedMs !== null) throw new SvcError("gateway/bad-key", {});
    const address = store.addresses.take(batch, row.key);
    const { nowMs, tip } = this.moment();
    const lifeMs = BigInt(order.expiresInS) * 1_000n;
    return newInvoice({
      id: asInvoiceId(`inv_${encodeHex(randomBytes(ID_BYTES))}`),
      merchant,
      orderId: order.orderId,
      address: { ...address, text: addressText(address.raw) },
      amount: asSompi(order.amountSompi),
      createdMs: nowMs,
      createdBlueScore: tip ?? NO_SCORE,
      expiresMs: asTimestampMs(nowMs + lifeMs),
      lifeMs,
      policy: order.policy,
      redirectUrl: order.redirectUrl,
      language: order.language,
      metadata: order.metadata,
      quote: order.quote,
    });
  }

  #tell(batch: StoreBatch, events: readonly InvoiceEvent[]): void {
    for (const event of events) this.#parts.events.tell(batch, event);
  }
}

function versionOf(cursor: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(cursor)) return Number(cursor);
  throw new SvcError("api/bad-field", { field: "cursor", expected: "one of an answer before" });
}
