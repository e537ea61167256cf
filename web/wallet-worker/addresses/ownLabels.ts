/** Labels of payments and addresses, for everything that shows the history of an open wallet. */
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { labelledAs, labelledRows, type RowLabels } from "@svc/shared/wallet/view/labelledRows.ts";
import type { LabelBook } from "./labelBook.ts";

/** What the labels are of. */
export type LabelParts = {
  readonly payments: LabelBook<string>;
  readonly addresses: LabelBook<number>;
  /** All rows of the history as it stands. */
  readonly rows: () => readonly HistoryView[];
};

/** Labels for a view: what they are, and a number that grows with every change of them. */
export type KnownLabels = RowLabels & { readonly version: number };

/** The labels of an open wallet. */
export class OwnLabels {
  readonly #parts: LabelParts;

  constructor(parts: LabelParts) {
    this.#parts = parts;
  }

  /** The labels as far as they were read. */
  get known(): KnownLabels {
    const { payments, addresses } = this.#parts;
    const version = payments.version + addresses.version;
    return { payments: payments.known, addresses: addresses.known, version };
  }

  /** Reads them. Gives why they cannot be read, null for no reason: a history without them is better than none. */
  async read(): Promise<ErrorJson | null> {
    try {
      await Promise.all([this.#parts.payments.load(), this.#parts.addresses.load()]);
      return null;
    } catch (error) {
      return SvcError.from(error).toJSON();
    }
  }

  /** All rows of the history with their labels, as far as they were read. */
  rows(): readonly HistoryView[] {
    return labelledRows(this.#parts.rows(), this.known);
  }

  /** Gives a row of the history a remark; an empty text takes it away. Rejects as the store does; then nothing changed. */
  async label(rowId: string, text: string): Promise<void> {
    await this.#parts.payments.change((labels) => {
      const row = this.#find(rowId);
      return row === undefined ? null : labelledAs(labels, row, text);
    });
  }

  /** Has a row leave the history, and takes its remark away. Rejects as `leave` and the store do. */
  async forget(rowId: string, leave: () => Promise<void>): Promise<void> {
    const row = this.#find(rowId);
    await leave();
    if (row?.label === undefined) return;
    await this.#parts.payments.change((labels) => labelledAs(labels, row, ""));
  }

  #find(rowId: string): HistoryView | undefined {
    return this.rows()
      .flatMap((row) => [row, ...(row.order?.parts ?? [])])
      .find(({ id }) => id === rowId);
  }
}
