/**
 * Addresses that invoices will have. They come in runs of consecutive indices of a viewing key, and each is given out once.
 *
 * The next index of a viewing key only grows. A run that begins below it is not taken: an index that was given out never comes again.
 */
import * as v from "valibot";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { asRawAddress } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { InvoiceAddress } from "@svc/shared/invoice/invoice.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { pairsFrom, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { addressKey, viewingKeyKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** Consecutive addresses of a viewing key. */
export type AddressRun = {
  readonly key: ViewingKeyId;
  /** Index of the first. */
  readonly from: number;
  /** 43 bytes each. */
  readonly addresses: Uint8Array;
};

/** An address that nobody has yet. */
export type FreeAddress = Omit<InvoiceAddress, "text">;

/** The place of the next address: in the run at `run`, at this index. */
type Head = { readonly run: number; readonly next: number };

const ADDRESS_BYTES = 43;
const head: v.GenericSchema<unknown, Head> = v.object({ run: fields.u32, next: fields.u32 });

/** The runs by viewing key. Reads throw as those of `RowTable` do. */
export class AddressTable {
  readonly #store: StoreReader;
  readonly #runs = new RowTable<Uint8Array>({
    table: GATEWAY_TABLES.addresses,
    name: "addresses",
    codec: { encode: (bytes) => bytes, decode: (bytes) => bytes.slice() },
    seal: null,
  });
  readonly #heads = new RowTable({
    table: GATEWAY_TABLES.addressHeads,
    name: "address_heads",
    codec: jsonCodec(head),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Adds a run behind those that are there. Throws `store/corrupt` for one that begins below the next index. */
  add(batch: StoreBatch, { key, from, addresses }: AddressRun): void {
    const runs = [...pairsFrom(batch, GATEWAY_TABLES.addresses, viewingKeyKey(key))];
    const last = runs.at(-1);
    const end =
      last === undefined
        ? (this.#head(batch, key)?.next ?? 0)
        : endOf(this.#run(batch, last.key), last.key);
    if (from < end) throw this.#runs.corrupt(`a run from ${from} behind one up to ${end}`);
    this.#runs.put(batch, addressKey(key, from), addresses);
    if (runs.length === 0) {
      this.#heads.put(batch, viewingKeyKey(key), { run: from, next: from });
    }
  }

  /** The next address of a viewing key, which nobody has. Throws `gateway/no-address` while there is none. */
  take(batch: StoreBatch, key: ViewingKeyId): FreeAddress {
    const at = this.#head(batch, key);
    const place = at === undefined ? null : addressKey(key, at.run);
    const run = place === null ? undefined : this.#runs.get(batch, place);
    if (at === undefined || place === null || run === undefined) {
      throw new SvcError("gateway/no-address", {});
    }
    const offset = (at.next - at.run) * ADDRESS_BYTES;
    const raw = asRawAddress(encodeHex(run.subarray(offset, offset + ADDRESS_BYTES)));
    this.#advance(batch, key, at, run);
    return { key, index: at.next, raw };
  }

  /** How many addresses of a viewing key are left. */
  left(key: ViewingKeyId, reader: StoreReader = this.#store): number {
    const next = this.#head(reader, key)?.next ?? 0;
    let left = 0;
    for (const pair of pairsFrom(reader, GATEWAY_TABLES.addresses, viewingKeyKey(key))) {
      const run = this.#run(reader, pair.key);
      left += endOf(run, pair.key) - Math.max(next, fromOf(pair.key));
    }
    return left;
  }

  /** The first run is gone when its last address is given out: the head goes on with the next one. */
  #advance(batch: StoreBatch, key: ViewingKeyId, { run, next }: Head, bytes: Uint8Array): void {
    const following = next + 1;
    if (following < run + bytes.length / ADDRESS_BYTES) {
      this.#heads.put(batch, viewingKeyKey(key), { run, next: following });
      return;
    }
    this.#runs.delete(batch, addressKey(key, run));
    const [first] = [...pairsFrom(batch, GATEWAY_TABLES.addresses, viewingKeyKey(key))];
    const from = first === undefined ? following : fromOf(first.key);
    this.#heads.put(batch, viewingKeyKey(key), { run: from, next: from });
  }

  #head(reader: StoreReader, key: ViewingKeyId): Head | undefined {
    return this.#heads.get(reader, viewingKeyKey(key));
  }

  #run(reader: StoreReader, place: Uint8Array): Uint8Array {
    const run = this.#runs.get(reader, place);
    if (run === undefined) throw this.#runs.corrupt("a run that is gone");
    return run;
  }
}

function fromOf(place: Uint8Array): number {
  return new DataView(place.buffer, place.byteOffset, place.byteLength).getUint32(8);
}

function endOf(run: Uint8Array, place: Uint8Array): number {
  return fromOf(place) + run.length / ADDRESS_BYTES;
}
