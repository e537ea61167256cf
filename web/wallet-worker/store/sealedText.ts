/** One sealed text of the wallet's store, beside the wallet's state: no scan writes it, so no scan loses it. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { openRecord, sealRecord } from "../../keyring/sealedRecord.ts";
import type { AnnotationRecord } from "../../wallet-api/backupAnnotations.ts";
import { wholeTransaction, type Database, type SealedBytes } from "./database.ts";

/** A text as the record of this name holds it. */
export function sealedText(dataKey: Secret, name: AnnotationRecord, text: string): SealedBytes {
  const plain = new TextEncoder().encode(text);
  return dataKey.reveal((key) => sealRecord(key, contextOf(name), plain));
}

/** A record of one wallet, encrypted under the data key and bound to its name. */
export class SealedText {
  readonly #database: Database;
  readonly #dataKey: Secret;
  readonly #name: AnnotationRecord;

  constructor(database: Database, dataKey: Secret, name: AnnotationRecord) {
    this.#database = database;
    this.#dataKey = dataKey;
    this.#name = name;
  }

  /** The stored text; null where there is none. Rejects with `store/corrupt`. */
  async load(): Promise<string | null> {
    const sealed = await this.#database.get("records", this.#name);
    if (sealed === undefined) return null;
    const plain = this.#dataKey.reveal((key) => openRecord(key, contextOf(this.#name), sealed));
    if (plain === null) {
      const reason = `${this.#name} does not open`;
      throw new SvcError("store/corrupt", { table: "wallet", reason });
    }
    return new TextDecoder().decode(plain);
  }

  /** Stores it whole, durably: nobody can find it again. Rejects as `storageError` says. */
  async store(text: string): Promise<void> {
    const sealed = sealedText(this.#dataKey, this.#name, text);
    const transaction = this.#database.transaction("records", "readwrite", {
      durability: "strict",
    });
    await wholeTransaction(transaction, [transaction.store.put(sealed, this.#name)]);
  }
}

function contextOf(name: AnnotationRecord): Uint8Array {
  return new TextEncoder().encode(`${name}/1`);
}
