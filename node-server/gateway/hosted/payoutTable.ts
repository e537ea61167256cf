/**
 * Refunds of a hosted gateway that this program has taken on, by id and by the address that received what they pay back. A row stays when
 * its refund is over: a refund is paid once, whatever the gateway says of it later.
 */
import * as v from "valibot";
import type { RefundId, ViewingKeyId } from "@svc/shared/base/brand.ts";
import { asRefundId } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import { refundSchema } from "@svc/shared/invoice/refundCodec.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { pairsFrom, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { addressKey, INDEXED } from "../store/gatewayKeys.ts";
import { OUTBOX_TABLES } from "./outboxLayout.ts";

/** A refund that was taken on. */
export type PayoutRow = {
  /** As this program knows it, which is what it pays by. */
  readonly refund: Refund;
  /** The address that received what it pays back. */
  readonly key: ViewingKeyId;
  readonly index: number;
  /** The gateway has been told how it stands. */
  readonly isTold: boolean;
};

const schema: v.GenericSchema<unknown, PayoutRow> = v.object({
  refund: refundSchema,
  key: fields.viewingKeyId,
  index: fields.u32,
  isTold: v.boolean(),
});
const ID_BYTES = 16;

/** The refunds. Reads throw as those of `RowTable` do. */
export class PayoutTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    ...{ table: OUTBOX_TABLES.payouts, name: "payouts", codec: jsonCodec(schema), seal: null },
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** A refund, or undefined. */
  get(id: RefundId): PayoutRow | undefined {
    return this.#rows.get(this.#store, payoutKey(id));
  }

  /** All refunds. */
  *all(): Generator<PayoutRow, void> {
    for (const { row } of this.#rows.from(this.#store, Uint8Array.of())) yield row;
  }

  /** Those that pay back what an address received. */
  of(key: ViewingKeyId, index: number): readonly PayoutRow[] {
    const pairs = pairsFrom(this.#store, OUTBOX_TABLES.payoutsByAddress, addressKey(key, index));
    return [...pairs].map((pair) => {
      const row = this.get(asRefundId(`ref_${encodeHex(pair.key.subarray(-ID_BYTES))}`));
      if (row === undefined) throw this.#rows.corrupt("an index row without a refund");
      return row;
    });
  }

  /** Writes a refund. */
  put(batch: StoreBatch, row: PayoutRow): void {
    this.#rows.put(batch, payoutKey(row.refund.terms.id), row);
    batch.put(OUTBOX_TABLES.payoutsByAddress, byAddress(row), INDEXED);
  }

  /** Forgets a refund of which nothing was asked. */
  delete(batch: StoreBatch, row: PayoutRow): void {
    this.#rows.delete(batch, payoutKey(row.refund.terms.id));
    batch.put(OUTBOX_TABLES.payoutsByAddress, byAddress(row), null);
  }
}

function payoutKey(id: RefundId): Uint8Array<ArrayBuffer> {
  return decodeHex(id.slice("ref_".length));
}

function byAddress({ refund, key, index }: PayoutRow): Uint8Array<ArrayBuffer> {
  return concatBytes(addressKey(key, index), payoutKey(refund.terms.id));
}
