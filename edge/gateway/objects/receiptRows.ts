/**
 * Receipts of an invoice's payments, as its object stores them: files that the scanner made, one for each payment that says it has one. They
 * are written with the invoice, in its transaction, and go with the block of their payment.
 */
import * as v from "valibot";
import type { BlockHash, NoteCommitment } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { BatchReceipt } from "@svc/shared/invoice/factBatch.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import type { InvoiceInput } from "@svc/shared/invoice/invoiceInput.ts";

/** What is told of the receipt of a payment; its address is that of the invoice. */
export type ToldReceipt = Pick<BatchReceipt, "cmx" | "block" | "receipt">;

const TABLE =
  "CREATE TABLE IF NOT EXISTS receipts (cmx TEXT PRIMARY KEY, block TEXT NOT NULL, file BLOB NOT NULL) WITHOUT ROWID";

const kept = v.object({ cmx: v.string(), block: v.string() });
const found = v.object({ file: v.instance(ArrayBuffer) });

/** What it is for the invoice. */
export function receiptInputOf({ cmx, block, receipt }: ToldReceipt): InvoiceInput {
  return { kind: "receipt", cmx, block, isKept: receipt !== null };
}

/** The rows of one object. */
export class ReceiptRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The file of the receipt of a payment that this block accepts; null for none. */
  file(cmx: NoteCommitment, block: BlockHash): ArrayBuffer | null {
    if (!this.#isThere()) return null;
    const [row] = this.#sql.exec(
      "SELECT file FROM receipts WHERE cmx = ? AND block = ?",
      ...[cmx, block],
    );
    return row === undefined ? null : v.parse(found, row).file;
  }

  /** Keeps what was told of payments that the invoice has, each in the place of the one before, and forgets all that it says it has none of. */
  follow(invoice: Invoice, told: readonly ToldReceipt[]): void {
    if (told.length === 0 && !this.#isThere()) return;
    this.#sql.exec(TABLE);
    const places = placesWithReceipt(invoice);
    for (const { cmx, block, receipt } of told) {
      if (receipt === null || places.get(cmx) !== block) continue;
      this.#sql.exec(
        "INSERT OR REPLACE INTO receipts (cmx, block, file) VALUES (?, ?, ?)",
        ...[cmx, block, decodeHex(receipt).buffer],
      );
    }
    for (const row of [...this.#sql.exec("SELECT cmx, block FROM receipts")]) {
      const { cmx, block } = v.parse(kept, row);
      if (places.get(cmx) !== block) this.#sql.exec("DELETE FROM receipts WHERE cmx = ?", cmx);
    }
  }

  #isThere(): boolean {
    const [row] = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'receipts'");
    return row !== undefined;
  }
}

/** The blocks of the payments that have a receipt, by commitment. */
function placesWithReceipt({ payments }: Invoice): ReadonlyMap<string, BlockHash> {
  return new Map(
    payments.flatMap(({ output, place, hasReceipt = false }) =>
      hasReceipt && place.kind === "mined" ? [[output.cmx, place.block.hash] as const] : [],
    ),
  );
}
