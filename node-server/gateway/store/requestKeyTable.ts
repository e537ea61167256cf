/**
 * Idempotency keys of merchants, and what each made. A key names that for as long as it exists, so it never makes a second one
 * (corrections T12).
 */
import * as v from "valibot";
import type { Hash32, MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { nameKey, textKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** What a key was used for. */
export type RequestKeyRow = {
  /** SHA-256 of the request. */
  readonly bodyHash: Hash32;
  /** Id of what was made: an invoice, a webhook, a refund. */
  readonly made: string;
  readonly createdMs: TimestampMs;
};

const schema: v.GenericSchema<unknown, RequestKeyRow> = v.object({
  bodyHash: fields.hash32,
  made: v.string(),
  createdMs: fields.timestampMs,
});

/** The keys by merchant. Reads throw as those of `RowTable` do. */
export class RequestKeyTable {
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.idempotency,
    name: "idempotency",
    codec: jsonCodec(schema),
    seal: null,
  });

  /** What a merchant's key was used for, or undefined. */
  get(reader: StoreReader, merchant: MerchantId, key: string): RequestKeyRow | undefined {
    return this.#rows.get(reader, keyOf(merchant, key));
  }

  /**
   * The id of what the same request made before; null for a new one. Throws `gateway/idempotency-conflict` where the key was used for
   * another request.
   */
  madeBy(reader: StoreReader, merchant: MerchantId, { key, bodyHash }: RequestKey): string | null {
    const known = this.get(reader, merchant, key);
    if (known === undefined) return null;
    if (known.bodyHash !== bodyHash) throw new SvcError("gateway/idempotency-conflict", {});
    return known.made;
  }

  /** Forgets the key with this SHA-256. */
  delete(batch: StoreBatch, merchant: MerchantId, hash: Uint8Array): void {
    this.#rows.delete(batch, concatBytes(nameKey(merchant), hash));
  }

  /** Writes what a key is used for. */
  put(batch: StoreBatch, merchant: MerchantId, key: string, row: RequestKeyRow): void {
    this.#rows.put(batch, keyOf(merchant, key), row);
  }
}

function keyOf(merchant: MerchantId, key: string): Uint8Array {
  return concatBytes(nameKey(merchant), textKey(key));
}
