/**
 * Owners: of which viewing key the rows under a token are. Somebody may remove a wallet's file by hand: a wallet of another key under
 * its token has none of its payments, jobs, events and tokens.
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { asHash32, type Hash32 } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import { readNameKey, nameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

const LABEL = "svc-walletd/owner/1\0";

/** What names a full viewing key of 96 bytes, and tells nothing of it. */
export function ownerOf(fvk: Uint8Array): Hash32 {
  return asHash32(createHash("sha256").update(LABEL, "utf8").update(fvk).digest("hex"));
}

/** Whose rows were found under a token: of this key, of another, of one that nobody wrote down, or of one that does not read. */
export type FoundOwner = "same" | "other" | "none" | "damaged";

/** The owners by wallet. Reads throw as those of `RowTable` do. */
export class OwnerTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: STORE_TABLES.owners,
    name: "owners",
    codec: jsonCodec<{ readonly owner: Hash32 }>(v.object({ owner: fields.hash32 })),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** The owner of a wallet's rows; undefined for rows from before owners were written down, and for none. */
  get(token: string, reader: StoreReader = this.#store): Hash32 | undefined {
    return this.#rows.get(reader, nameKey(token))?.owner;
  }

  /** Whether the rows under a token are of this full viewing key of 96 bytes. */
  find(token: string, fvk: Uint8Array): FoundOwner {
    try {
      const known = this.get(token);
      if (known === undefined) return "none";
      return known === ownerOf(fvk) ? "same" : "other";
    } catch (error) {
      if (SvcError.is(error, "store/corrupt")) return "damaged";
      throw error;
    }
  }

  /** Checks all rows. */
  audit(tell: TellFlaw): void {
    for (const { key } of this.#rows.audit(this.#store, tell)) {
      if (readNameKey(key)?.rest.length !== 0) tell("owners", "an owner of no wallet");
    }
  }

  /** Writes down an owner. */
  put(batch: StoreBatch, token: string, owner: Hash32): void {
    this.#rows.put(batch, nameKey(token), { owner });
  }

  /** Forgets the owner of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    this.#rows.delete(batch, nameKey(token));
  }
}
