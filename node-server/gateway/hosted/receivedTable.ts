/**
 * What the addresses of the viewing keys have received on the chain, by address: the most that may be paid back for each. It stays, since
 * a refund may come long after its payment.
 */
import * as v from "valibot";
import { asSompi, type BlueScore, type Sompi, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { StoreReader } from "../../storage/rows/storeKeys.ts";
import { addressKey } from "../store/gatewayKeys.ts";
import { OUTBOX_TABLES } from "./outboxLayout.ts";
import { receivedKey } from "./receivedKey.ts";

/** A payment that a block accepts. */
export type ReceivedRow = { readonly amount: Sompi; readonly blueScore: BlueScore };

const schema: v.GenericSchema<unknown, ReceivedRow> = v.object({
  amount: fields.sompi,
  blueScore: fields.blueScore,
});

/** The payments. Reads throw as those of `RowTable` do. */
export class ReceivedTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    ...{ table: OUTBOX_TABLES.received, name: "received", codec: jsonCodec(schema), seal: null },
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Sompi that blocks down to a blue score have paid to an address. */
  sum(key: ViewingKeyId, index: number, deepest: bigint): Sompi {
    let sum = 0n;
    for (const { row } of this.#rows.from(this.#store, addressKey(key, index))) {
      if (row.blueScore <= deepest) sum += row.amount;
    }
    return asSompi(sum);
  }

  /** Writes what a fact about the chain says; one about the pool changes nothing. */
  take(batch: StoreBatch, { key, index, input }: PaymentFact): void {
    if (input.kind === "mined") {
      const { output, block } = input;
      const row = { amount: output.amount, blueScore: block.blueScore };
      this.#rows.put(batch, receivedKey({ key, index, output }), row);
    } else if (input.kind === "orphaned") {
      const at = receivedKey({ key, index, output: input.output });
      if (this.#rows.get(batch, at) !== undefined) this.#rows.delete(batch, at);
    }
  }
}
