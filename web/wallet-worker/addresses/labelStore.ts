/** Encrypted record of the names of own addresses, beside the wallet's state: no scan writes it, so no scan loses it. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import {
  decodeAddressLabels,
  encodeAddressLabels,
  type AddressLabels,
} from "@svc/shared/wallet/state/addressLabels.ts";
import { openRecord, sealRecord } from "../../keyring/sealedRecord.ts";
import { wholeTransaction, type Database } from "../store/database.ts";

const CONTEXT = new TextEncoder().encode("labels/1");

/** The record of one wallet. */
export class LabelStore {
  readonly #database: Database;
  readonly #dataKey: Secret;

  constructor(database: Database, dataKey: Secret) {
    this.#database = database;
    this.#dataKey = dataKey;
  }

  /** The stored names; none where nobody gave any. Rejects with `store/corrupt` and `store/version`. */
  async load(): Promise<AddressLabels> {
    const sealed = await this.#database.get("records", "labels");
    if (sealed === undefined) return new Map();
    const plain = this.#dataKey.reveal((key) => openRecord(key, CONTEXT, sealed));
    if (plain === null) {
      throw new SvcError("store/corrupt", { table: "wallet", reason: "labels does not open" });
    }
    return decodeAddressLabels(new TextDecoder().decode(plain));
  }

  /** Stores them whole, durably: nobody can find them again. Rejects as `storageError` says. */
  async store(labels: AddressLabels): Promise<void> {
    const plain = new TextEncoder().encode(encodeAddressLabels(labels));
    const sealed = this.#dataKey.reveal((key) => sealRecord(key, CONTEXT, plain));
    const transaction = this.#database.transaction("records", "readwrite", {
      durability: "strict",
    });
    await wholeTransaction(transaction, [transaction.store.put(sealed, "labels")]);
  }
}
