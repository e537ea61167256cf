/** Encrypted record of labels, beside the wallet's state: no scan writes it, so no scan loses it. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import type { LabelForm, Labels } from "@svc/shared/wallet/labels/labelForm.ts";
import { openRecord, sealRecord } from "../../keyring/sealedRecord.ts";
import { wholeTransaction, type Database } from "../store/database.ts";

/** The records: names of own addresses, and remarks on payments. */
export type LabelPlace = "labels" | "payment-labels";

/** One such record of one wallet. */
export class LabelStore<Key extends string | number> {
  readonly #database: Database;
  readonly #dataKey: Secret;
  readonly #form: LabelForm<Key>;
  readonly #place: LabelPlace;

  constructor(database: Database, dataKey: Secret, place: LabelPlace, form: LabelForm<Key>) {
    this.#database = database;
    this.#dataKey = dataKey;
    this.#place = place;
    this.#form = form;
  }

  /** The stored labels; none where nobody gave any. Rejects with `store/corrupt` and `store/version`. */
  async load(): Promise<Labels<Key>> {
    const sealed = await this.#database.get("records", this.#place);
    if (sealed === undefined) return new Map();
    const plain = this.#dataKey.reveal((key) => openRecord(key, this.#context, sealed));
    if (plain === null) {
      const reason = `${this.#place} does not open`;
      throw new SvcError("store/corrupt", { table: "wallet", reason });
    }
    return this.#form.decode(new TextDecoder().decode(plain));
  }

  /** Stores them whole, durably: nobody can find them again. Rejects as `storageError` says. */
  async store(labels: Labels<Key>): Promise<void> {
    const plain = new TextEncoder().encode(this.#form.encode(labels));
    const sealed = this.#dataKey.reveal((key) => sealRecord(key, this.#context, plain));
    const transaction = this.#database.transaction("records", "readwrite", {
      durability: "strict",
    });
    await wholeTransaction(transaction, [transaction.store.put(sealed, this.#place)]);
  }

  get #context(): Uint8Array {
    return new TextEncoder().encode(`${this.#place}/1`);
  }
}
