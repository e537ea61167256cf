/**
 * Addresses of challenges that nobody paid: what is left of one is a row from which its invoice is made again when a payment comes. The
 * row is bytes, since there may be very many: id 16 ‖ address 43 ‖ amount u64 ‖ made u64 ‖ expiry u64 ‖ blue score at its making u64 ‖
 * life in seconds u32 ‖ version of the invoice u32 ‖ merchant.
 */
import {
  asBlueScore,
  asInvoiceId,
  asMerchantId,
  asRawAddress,
  asSompi,
  asTimestampMs,
  type BlueScore,
  type InvoiceId,
  type MerchantId,
  type RawAddress,
  type Sompi,
  type TimestampMs,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { numberKey, readNumberKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { RowTable, type RowCodec } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import { addressKey, indexKey, invoiceAtEnd, invoiceKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** What is left of a challenge. */
export type OldAddress = {
  readonly id: InvoiceId;
  readonly merchant: MerchantId;
  readonly raw: RawAddress;
  readonly amount: Sompi;
  readonly createdMs: TimestampMs;
  readonly expiresMs: TimestampMs;
  readonly createdBlueScore: BlueScore;
  readonly lifeMs: bigint;
  /** Number of the last change of its invoice that was told. */
  readonly version: number;
};

const ID_END = 16;
const RAW_END = ID_END + 43;
const NUMBERS_END = RAW_END + 4 * 8;
const HEAD_BYTES = NUMBERS_END + 2 * 4;

const codec: RowCodec<OldAddress> = {
  encode: (row) =>
    concatBytes(
      invoiceKey(row.id),
      decodeHex(row.raw),
      ...[row.amount, row.createdMs, row.expiresMs, row.createdBlueScore].map(numberKey),
      indexKey(Number(row.lifeMs / 1_000n)),
      indexKey(row.version),
      new TextEncoder().encode(row.merchant),
    ),
  decode(body) {
    if (body.length <= HEAD_BYTES) throw new TypeError("length");
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const number = (place: number): bigint =>
      readNumberKey(body.subarray(RAW_END + place * 8)) ?? 0n;
    return {
      id: asInvoiceId(invoiceAtEnd(body.subarray(0, ID_END))),
      raw: asRawAddress(encodeHex(body.subarray(ID_END, RAW_END))),
      amount: asSompi(number(0)),
      createdMs: asTimestampMs(number(1)),
      expiresMs: asTimestampMs(number(2)),
      createdBlueScore: asBlueScore(number(3)),
      lifeMs: BigInt(view.getUint32(NUMBERS_END)) * 1_000n,
      version: view.getUint32(NUMBERS_END + 4),
      merchant: asMerchantId(
        new TextDecoder("utf-8", { fatal: true }).decode(body.subarray(HEAD_BYTES)),
      ),
    };
  },
};

/** The addresses by viewing key and index. Reads throw as those of `RowTable` do. */
export class OldAddressTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.oldAddresses,
    name: "old_addresses",
    codec,
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** What is left at an address, or undefined. */
  at(key: ViewingKeyId, index: number, reader: StoreReader = this.#store): OldAddress | undefined {
    return this.#rows.get(reader, addressKey(key, index));
  }

  /** Writes it. */
  put(batch: StoreBatch, key: ViewingKeyId, index: number, row: OldAddress): void {
    this.#rows.put(batch, addressKey(key, index), row);
  }

  /** Forgets it: its invoice is there again. */
  delete(batch: StoreBatch, key: ViewingKeyId, index: number): void {
    this.#rows.delete(batch, addressKey(key, index));
  }

  /** Reads all rows. */
  audit(tell: TellFlaw): void {
    for (const _row of this.#rows.audit(this.#store, tell)) continue;
  }
}
