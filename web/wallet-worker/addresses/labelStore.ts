/** Encrypted record of labels. */
import type { Secret } from "@svc/shared/base/secret.ts";
import type { LabelForm, Labels } from "@svc/shared/wallet/labels/labelForm.ts";
import type { AnnotationRecord } from "../../wallet-api/backupAnnotations.ts";
import type { Database } from "../store/database.ts";
import { SealedText } from "../store/sealedText.ts";

/** The records: names of own addresses, and remarks on payments. */
export type LabelPlace = Exclude<AnnotationRecord, "contacts">;

/** One such record of one wallet. */
export class LabelStore<Key extends string | number> {
  readonly #text: SealedText;
  readonly #form: LabelForm<Key>;

  constructor(database: Database, dataKey: Secret, place: LabelPlace, form: LabelForm<Key>) {
    this.#text = new SealedText(database, dataKey, place);
    this.#form = form;
  }

  /** The stored labels; none where nobody gave any. Rejects with `store/corrupt` and `store/version`. */
  async load(): Promise<Labels<Key>> {
    const text = await this.#text.load();
    return text === null ? new Map() : this.#form.decode(text);
  }

  /** Stores them whole, durably. Rejects as `storageError` says. */
  async store(labels: Labels<Key>): Promise<void> {
    await this.#text.store(this.#form.encode(labels));
  }
}
