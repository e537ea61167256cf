/** Conversion of transactions between gRPC messages and plain values. */
import { asSompi } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import {
  SUBNETWORK_ID_LENGTH,
  type Transaction,
  type TransactionInput,
  type TransactionOutput,
} from "../../chain/transaction.ts";
import type {
  RpcTransaction,
  RpcTransactionInput,
  RpcTransactionOutput,
  RpcTransactionVerboseData,
} from "./generated/rpcValues.ts";
import { hashField, hexField, requiredField, txIdField, u16Field } from "./rpcFields.ts";

/** Converts a message to a plain transaction. Throws `rpc/bad-argument` naming the field. */
export function transactionFromRpc(message: RpcTransaction): Transaction {
  const version = u16Field("version", message.version);
  return {
    version,
    inputs: message.inputs.map((input) => inputFromRpc(input, version)),
    outputs: message.outputs.map(outputFromRpc),
    lockTime: message.lockTime,
    subnetworkId: hexField("subnetworkId", message.subnetworkId, SUBNETWORK_ID_LENGTH),
    gas: message.gas,
    payload: hexField("payload", message.payload),
    storageMass: message.storageMass,
  };
}

/** Converts a plain transaction to a message; `verboseData` is what only the node knows. */
export function transactionToRpc(
  transaction: Transaction,
  verboseData?: RpcTransactionVerboseData,
): RpcTransaction {
  const { version } = transaction;
  return {
    version,
    inputs: transaction.inputs.map((input) => inputToRpc(input, version)),
    outputs: transaction.outputs.map(outputToRpc),
    lockTime: transaction.lockTime,
    subnetworkId: encodeHex(transaction.subnetworkId),
    gas: transaction.gas,
    payload: encodeHex(transaction.payload),
    verboseData,
    storageMass: transaction.storageMass,
  };
}

/** Version 0 counts signature operations where later versions have a compute budget. */
function inputFromRpc(message: RpcTransactionInput, version: number): TransactionInput {
  const outpoint = requiredField("previousOutpoint", message.previousOutpoint);
  return {
    txid: txIdField("previousOutpoint.transactionId", outpoint.transactionId),
    index: outpoint.index,
    script: hexField("signatureScript", message.signatureScript),
    sequence: message.sequence,
    compute:
      version === 0
        ? u16Field("sigOpCount", message.sigOpCount)
        : u16Field("computeBudget", message.computeBudget),
  };
}

function inputToRpc(input: TransactionInput, version: number): RpcTransactionInput {
  return {
    previousOutpoint: { transactionId: input.txid, index: input.index },
    signatureScript: encodeHex(input.script),
    sequence: input.sequence,
    verboseData: undefined,
    sigOpCount: version === 0 ? input.compute : 0,
    computeBudget: version === 0 ? 0 : input.compute,
  };
}

function outputFromRpc(message: RpcTransactionOutput): TransactionOutput {
  const script = requiredField("scriptPublicKey", message.scriptPublicKey);
  const { covenant } = message;
  return {
    value: asSompi(message.amount),
    scriptVersion: u16Field("scriptPublicKey.version", script.version),
    script: hexField("scriptPublicKey", script.scriptPublicKey),
    covenant:
      covenant === undefined
        ? null
        : {
            authorizingInput: u16Field("authorizingInput", covenant.authorizingInput),
            id: hashField("covenantId", covenant.covenantId),
          },
  };
}

function outputToRpc(output: TransactionOutput): RpcTransactionOutput {
  const { covenant } = output;
  return {
    amount: output.value,
    scriptPublicKey: { version: output.scriptVersion, scriptPublicKey: encodeHex(output.script) },
    verboseData: undefined,
    covenant:
      covenant === null
        ? undefined
        : { authorizingInput: covenant.authorizingInput, covenantId: covenant.id },
  };
}
