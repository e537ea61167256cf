/** Read model: rows of the history with the words that their owner gave to them and to the addresses that received them. */
import type { AddressLabels } from "../labels/addressLabels.ts";
import { paymentLabels, type PaymentLabels } from "../labels/paymentLabels.ts";
import type { HistoryView } from "./history.ts";

/** All labels of a wallet that its history shows. */
export type RowLabels = {
  readonly payments: PaymentLabels;
  readonly addresses: AddressLabels;
};

/** No label at all. */
export const NO_LABELS: RowLabels = { payments: new Map(), addresses: new Map() };

/** The key under which the remark of a row is kept. It stays the same once the payment has a transaction, also over a new scan. */
export function labelKey({ id, kind, txid, order }: HistoryView): string {
  // A coinbase may pay several own notes, each of which is a row.
  return kind === "mined" || order !== undefined ? id : (txid ?? id);
}

/** The remarks with another one for a row; an empty one takes it away. */
export function labelledAs(labels: PaymentLabels, row: HistoryView, text: string): PaymentLabels {
  // Until there was a transaction the remark was kept under the payment.
  const without =
    row.paymentId === null ? labels : paymentLabels.changed(labels, row.paymentId, "");
  return paymentLabels.changed(without, labelKey(row), text);
}

/** The rows with their labels, the parts of a payment over several transactions included. */
export function labelledRows(
  rows: readonly HistoryView[],
  labels: RowLabels,
): readonly HistoryView[] {
  if (labels.payments.size === 0 && labels.addresses.size === 0) return rows;
  return rows.map((row) => labelled(row, labels));
}

function labelled(row: HistoryView, labels: RowLabels): HistoryView {
  const { payments, addresses } = labels;
  const label = payments.get(labelKey(row)) ?? payments.get(row.paymentId ?? "");
  const addressLabel = row.addressIndex === null ? undefined : addresses.get(row.addressIndex);
  const { order } = row;
  return {
    ...row,
    ...(label === undefined ? {} : { label }),
    ...(addressLabel === undefined ? {} : { addressLabel }),
    ...(order === undefined
      ? {}
      : { order: { ...order, parts: labelledRows(order.parts, labels) } }),
  };
}
