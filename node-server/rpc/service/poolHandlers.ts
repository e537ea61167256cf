/** RPC handlers about mempool transactions (specification network 2.3). */
import { publicSentenceOf } from "@svc/shared/base/errors.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readPaymentFacts } from "@svc/shared/protocol/facts/paymentFacts.ts";
import {
  decodeRawTransaction,
  encodeRawTransaction,
} from "@svc/shared/protocol/raw/rawTransaction.ts";
import type { RpcMempoolEntry } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { requiredField, txIdField } from "@svc/shared/protocol/rpc/rpcFields.ts";
import { transactionFromRpc, transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import type { PoolEntry } from "../../mempool/poolEntry.ts";
import type { NodeApi } from "./nodeApi.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { faultJson } from "./faultJson.ts";
import type { Handlers } from "./rpcMethods.ts";

/** Names no block: the transaction is in none yet. */
const NO_BLOCK = "00".repeat(32);

type PoolMethod = "submitTransaction" | "getMempoolEntries" | "getMempoolEntry";

type Filter = {
  readonly includeOrphanPool?: boolean | undefined;
  readonly filterTransactionPool?: boolean | undefined;
};

/** Handlers of the mempool methods. */
export const poolHandlers: Handlers<PoolMethod> = {
  submitTransaction: async (request, { node, signal, source }) => {
    const transaction = transactionFromRpc(requiredField("transaction", request.transaction));
    const raw = encodeRawTransaction(transaction);
    try {
      return { transactionId: await node.submitTransaction(raw, signal, source), error: undefined };
    } catch (thrown) {
      throw rejected(node, raw, thrown);
    }
  },

  getMempoolEntries: (request, { node }) => {
    if (!seesPool(request)) return { entries: [], payments: [], error: undefined };
    if (request.payments === true) {
      return { entries: [], payments: newestPayments(node), error: undefined };
    }
    const entries: RpcMempoolEntry[] = [];
    let characters = 0;
    for (const entry of node.waiting()) {
      characters += entry.raw.length * 2;
      if (characters > RPC_LIMITS.rpcResponseBytes) break;
      entries.push(describe(node, entry));
    }
    return { entries, payments: [], error: undefined };
  },

  getMempoolEntry: async (request, { node, signal, source }) => {
    if (request.check !== undefined) {
      const raw = encodeRawTransaction(transactionFromRpc(request.check));
      try {
        await node.probeTransaction(raw, signal, source);
      } catch (thrown) {
        throw rejected(node, raw, thrown);
      }
      return { entry: undefined, admissible: true, error: undefined };
    }
    const txid = txIdField("txId", request.txId);
    const entry = seesPool(request) ? node.waitingTransaction(txid) : undefined;
    if (entry === undefined) throw new RpcFault(`Transaction ${txid} not found`);
    return { entry: describe(node, entry), error: undefined };
  },
};

function rejected(node: NodeApi, raw: Uint8Array, thrown: unknown): RpcFault {
  const error = SvcError.from(thrown);
  const txid = node.core.transactionId(raw);
  const words = `Rejected transaction ${txid}: ${error.code}: ${publicSentenceOf(error)}`;
  return new RpcFault(words, faultJson(error));
}

/** Whether a query looks at the pool at all. A shielded transaction is never an orphan, so the other pool is empty. */
function seesPool({ includeOrphanPool, filterTransactionPool }: Filter): boolean {
  if (filterTransactionPool !== true) return true;
  if (includeOrphanPool === true) return false;
  throw new RpcFault("transaction query must either not filter transactions or include orphans");
}

/** What waits as wallets look at it, without proofs, the newest that fit; in order of arrival. */
function newestPayments(node: NodeApi): Uint8Array[] {
  const { core, profile } = node;
  const payments: Uint8Array[] = [];
  let bytes = 0;
  for (const { raw, addedAtDaa } of node
    .waiting()
    .slice(-PROTOCOL_LIMITS.poolPageMax)
    .toReversed()) {
    const payment = core.mempoolFrame(profile.canonicalJson, raw, addedAtDaa);
    bytes += payment.length;
    if (bytes > RPC_LIMITS.poolPageBytes) break;
    payments.push(payment);
  }
  return payments.toReversed();
}

function describe(node: NodeApi, entry: PoolEntry): RpcMempoolEntry {
  const { raw, addedAtDaa, computeMass } = entry;
  const summary = node.core.transactionSummary(node.profile.canonicalJson, raw, addedAtDaa);
  const { txid, hash } = readPaymentFacts(summary);
  const transaction = transactionToRpc(decodeRawTransaction(raw), {
    transactionId: txid,
    hash,
    computeMass,
    blockHash: NO_BLOCK,
    blockTime: 0n,
  });
  return { fee: entry.fee, transaction, isOrphan: false };
}
