/** The transactions of a block as lists of blocks show them: public outputs of its coinbase, and no amount of any payment. */
import type { TxId } from "@svc/shared/base/brand.ts";
import type { Transaction } from "@svc/shared/chain/transaction.ts";
import { payloadActions } from "@svc/shared/protocol/raw/payloadActions.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import type { ListedTransaction } from "../call/restSession.ts";

/** Describes them; `txids` are those of the block, in order. Throws the codec's errors. */
export function listedTransactions(
  raw: Uint8Array,
  txids: readonly TxId[],
): readonly ListedTransaction[] {
  const { transactions } = decodeRawBlock(raw);
  return txids.flatMap((txId, index) => {
    const transaction = transactions[index];
    return transaction === undefined ? [] : [listed(txId, transaction, index === 0)];
  });
}

function listed(txId: TxId, transaction: Transaction, isCoinbase: boolean): ListedTransaction {
  if (isCoinbase) {
    const outputs = transaction.outputs.map(({ value }) => [String(value), "shielded"] as const);
    return { txId, kind: "coinbase", actions: 0, outputs };
  }
  const actions = payloadActions(transaction.payload);
  return { txId, kind: "payment", actions, outputs: [[String(actions), "shielded"]] };
}
