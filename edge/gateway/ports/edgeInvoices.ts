/** Invoices in Durable Objects, and their list in D1. */
import type { BlueScore, InvoiceId, MerchantId } from "@svc/shared/base/brand.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
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
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { decodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import type { InvoiceInput } from "@svc/shared/invoice/invoiceInput.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { answered } from "../../platform/objectAnswer.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import { listInvoices } from "../invoiceList.ts";
import type { MerchantStore } from "../merchantStore.ts";
import type { GivenInvoice } from "../objects/invoiceObject.ts";
import type { HeldTip } from "./heldTip.ts";

/** Dependencies. */
export type EdgeInvoicesParts = {
  readonly env: Pick<GatewayEnv, "DB" | "INVOICES" | "MERCHANTS">;
  readonly merchants: Pick<MerchantStore, "row">;
  readonly tip: Pick<HeldTip, "blueScore">;
};

/** The invoices of a hosted gateway. What D1 and the platform say reaches the caller as `internal/unexpected`. */
export class EdgeInvoices implements InvoicePort {
  readonly #parts: EdgeInvoicesParts;

  constructor(parts: EdgeInvoicesParts) {
    this.#parts = parts;
  }

  async create(
    merchant: MerchantId,
    order: InvoiceOrder,
    request: RequestKey | null,
  ): Promise<MadeInvoice> {
    const { env, merchants } = this.#parts;
    const row = await merchants.row(merchant);
    if (row === null || row.closedMs !== null) throw new SvcError("gateway/bad-key", {});
    const { key } = row;
    const wish = { key, merchant, order, request, tip: this.tip() };
    const { json, isReplay } = answered(await env.MERCHANTS.getByName(key).create(wish));
    return { invoice: decodeInvoice(json), isReplay };
  }

  async find(id: InvoiceId): Promise<Invoice | null> {
    const given = await this.#parts.env.INVOICES.getByName(id).read();
    return given === null ? null : decodeInvoice(given.json);
  }

  /** A check cannot travel to the object, so the object changes the revision alone that was checked. */
  async change(
    id: InvoiceId,
    input: InvoiceInput,
    allow: (invoice: Invoice) => void,
  ): Promise<Invoice> {
    const object = this.#parts.env.INVOICES.getByName(id);
    let given: GivenInvoice | null = await object.read();
    for (let tries = 0; tries < EDGE_LIMITS.changeTries; tries += 1) {
      if (given === null) throw new SvcError("gateway/no-invoice", {});
      allow(decodeInvoice(given.json));
      const { revision } = given;
      const change = { inputs: [input], receipts: [], depth: null, seenMs: null, revision };
      const after = answered(await object.change(change));
      if (after.isChanged) return decodeInvoice(after.json);
      given = after;
    }
    throw new SvcError("http/unavailable", { reason: "the invoice changes all the time" });
  }

  async list(
    merchant: MerchantId,
    filter: InvoiceFilter,
    cursor: string | null,
    limit: number,
  ): Promise<Page<Invoice>> {
    const { orderIds, statuses, text, fromMs, toMs, withArchived } = filter;
    const { rows, next } = await listInvoices(this.#parts.env.DB, {
      ...{ merchant, limit, archived: withArchived ? null : false },
      ...(orderIds.length === 0 ? {} : { orderIds }),
      ...(statuses.length === 0 ? {} : { statuses }),
      ...(text === null ? {} : { search: text }),
      ...(fromMs === null ? {} : { fromMs: asTimestampMs(fromMs) }),
      ...(toMs === null ? {} : { untilMs: asTimestampMs(toMs) }),
      ...(cursor === null ? {} : { cursor }),
    });
    return { rows: rows.map(({ json }) => decodeInvoice(json)), next };
  }

  async events(id: InvoiceId, cursor: string | null, limit: number): Promise<Page<ToldEvent>> {
    const below = cursor === null ? Number.MAX_SAFE_INTEGER : versionOf(cursor);
    const rows = await this.#parts.env.INVOICES.getByName(id).told(below, limit);
    const last = rows.at(-1);
    const next = rows.length < limit || last === undefined ? null : String(last.version);
    return { rows, next };
  }

  tip(): BlueScore | null {
    return this.#parts.tip.blueScore;
  }
}

function versionOf(cursor: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(cursor)) return Number(cursor);
  throw new SvcError("api/bad-field", { field: "cursor", expected: "one of an answer before" });
}
