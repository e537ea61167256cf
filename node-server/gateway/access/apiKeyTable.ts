/** API keys of merchants. A key itself is nowhere: its row stands under its hash. */
import * as v from "valibot";
import type { Hash32, MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { asHash32 } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { KEY_SCOPES, type KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { nameKey, pairsFrom, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { ACCESS_TABLES } from "./accessLayout.ts";

/** A key, without itself. */
export type ApiKeyRow = {
  readonly merchant: MerchantId;
  /** Names the key to its merchant: its first characters. */
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly KeyScope[];
  readonly createdMs: TimestampMs;
  /** Null while it is good. */
  readonly revokedMs: TimestampMs | null;
};

/** A row and the hash under which it stands. */
export type PlacedApiKey = { readonly hash: Hash32; readonly row: ApiKeyRow };

const schema: v.GenericSchema<unknown, ApiKeyRow> = v.object({
  merchant: fields.merchantId,
  id: v.string(),
  label: v.string(),
  scopes: v.array(v.picklist(KEY_SCOPES)),
  createdMs: fields.timestampMs,
  revokedMs: v.nullable(fields.timestampMs),
});

/** The keys by SHA-256. Reads throw as those of `RowTable` do. */
export class ApiKeyTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: ACCESS_TABLES.apiKeys,
    name: "api_keys",
    codec: jsonCodec(schema),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** The key with a hash, or undefined. */
  get(hash: Hash32, reader: StoreReader = this.#store): ApiKeyRow | undefined {
    return this.#rows.get(reader, decodeHex(hash));
  }

  /** The keys of a merchant, revoked ones among them, by their ids. */
  of(merchant: MerchantId, reader: StoreReader = this.#store): readonly PlacedApiKey[] {
    const keys: PlacedApiKey[] = [];
    const table = ACCESS_TABLES.apiKeysByMerchant;
    for (const { value } of pairsFrom(reader, table, nameKey(merchant))) {
      const row = this.#rows.get(reader, value);
      if (row === undefined) throw this.#rows.corrupt("an index row without a key");
      keys.push({ hash: asHash32(encodeHex(value)), row });
    }
    return keys;
  }

  /** Writes a key. */
  put(batch: StoreBatch, { hash, row }: PlacedApiKey): void {
    const key = decodeHex(hash);
    this.#rows.put(batch, key, row);
    const index = concatBytes(nameKey(row.merchant), nameKey(row.id));
    batch.put(ACCESS_TABLES.apiKeysByMerchant, index, key);
  }
}
