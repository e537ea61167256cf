/** Reads the transactions that wait at a node of the parent network, which gives them out whole. */
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import type { RpcMempoolEntry } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import type { Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { transactionFromRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import type { WaitingPayment } from "./walletReplies.ts";

/**
 * The payments among them, the last 2,000. `frameOf` makes the frame of a raw transaction, and throws for one that is no payment:
 * that is passed over, as is one of another form.
 */
export function waitingIn(
  { entries }: Responses["getMempoolEntries"],
  frameOf: (raw: Uint8Array) => Uint8Array,
): readonly WaitingPayment[] {
  return entries
    .slice(-PROTOCOL_LIMITS.poolPageMax)
    .flatMap((entry) => paymentOf(entry, frameOf) ?? []);
}

function paymentOf(
  { transaction, isOrphan }: RpcMempoolEntry,
  frameOf: (raw: Uint8Array) => Uint8Array,
): WaitingPayment | null {
  if (transaction === undefined || isOrphan) return null;
  try {
    return poolRecord(frameOf(encodeRawTransaction(transactionFromRpc(transaction))));
  } catch {
    return null;
  }
}
