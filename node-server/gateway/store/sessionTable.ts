/** Prepaid sessions. A token is nowhere: its row stands under half of its SHA-256, and holds the whole of it. */
import * as v from "valibot";
import type { Hash32, MerchantId } from "@svc/shared/base/brand.ts";
import { concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { sameKeyHash } from "@svc/shared/gateway/apiKey.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import { nameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

const sessionRow = v.object({
  merchant: fields.merchantId,
  hash: fields.hash32,
  balance: fields.sompi,
  expiresMs: fields.timestampMs,
});

/** A session. */
export type SessionRow = v.InferOutput<typeof sessionRow>;

/** Bytes of the hash by which a session is found: the others are compared in constant time. */
const PLACE_BYTES = 16;

/** The sessions by merchant. Reads throw as those of `RowTable` do. */
export class SessionTable {
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.sessions,
    name: "sessions",
    codec: jsonCodec<SessionRow>(sessionRow),
    seal: null,
  });

  /** The session of a merchant with this hash, or undefined. */
  get(reader: StoreReader, merchant: MerchantId, hash: Hash32): SessionRow | undefined {
    const row = this.#rows.get(reader, keyOf(merchant, hash));
    return row !== undefined && sameKeyHash(row.hash, hash) ? row : undefined;
  }

  /** Reads all sessions, and looks whether each stands where its hash says. */
  audit(reader: StoreReader, tell: TellFlaw): void {
    for (const { key, row } of this.#rows.audit(reader, tell)) {
      const isInPlace = equalBytes(key, keyOf(row.merchant, row.hash));
      if (!isInPlace) tell("sessions", "a row in the place of another one");
    }
  }

  /** Writes a session. */
  put(batch: StoreBatch, row: SessionRow): void {
    this.#rows.put(batch, keyOf(row.merchant, row.hash), row);
  }
}

function keyOf(merchant: MerchantId, hash: Hash32): Uint8Array {
  return concatBytes(nameKey(merchant), decodeHex(hash).subarray(0, PLACE_BYTES));
}
