/** Conversion of headers and blocks between gRPC messages and plain values. */
import { asBlueScore, asDaaScore, type BlockHash } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import type { Block } from "../../chain/block.ts";
import type { Header } from "../../chain/header.ts";
import type { RpcBlock, RpcBlockHeader } from "./generated/rpcValues.ts";
import {
  blockHashField,
  blueWorkField,
  hashField,
  hexField,
  requiredField,
  timestampField,
  u16Field,
} from "./rpcFields.ts";
import { transactionFromRpc, transactionToRpc } from "./rpcTransaction.ts";

/**
 * Converts a message to a plain block. Throws `rpc/bad-argument` naming the field. A witness is hex and otherwise taken as it
 * is: whether it proves anything is for consensus to say, and the block may not need it.
 */
export function blockFromRpc(message: RpcBlock): Block {
  const header = requiredField("header", message.header);
  return {
    header: headerFromRpc(header),
    transactions: message.transactions.map(transactionFromRpc),
    ...(header.auxPow === "" ? {} : { witness: hexField("auxPow", header.auxPow) }),
  };
}

/** Converts a plain block that has no hash yet to a message. */
export function blockToRpc({ header, transactions, witness }: Block): RpcBlock {
  const auxPow = witness === undefined ? "" : encodeHex(witness);
  return {
    header: { ...headerToRpc(header, ""), auxPow },
    transactions: transactions.map((transaction) => transactionToRpc(transaction)),
    verboseData: undefined,
  };
}

/** Converts a message to a plain header; its `hash` and witness are not read. Throws `rpc/bad-argument` naming the field. */
export function headerFromRpc(message: RpcBlockHeader): Header {
  return {
    version: u16Field("version", message.version),
    parentsByLevel: message.parents.map(({ parentHashes }) =>
      parentHashes.map((hash) => blockHashField("parentHashes", hash)),
    ),
    hashMerkleRoot: hashField("hashMerkleRoot", message.hashMerkleRoot),
    acceptedIdMerkleRoot: hashField("acceptedIdMerkleRoot", message.acceptedIdMerkleRoot),
    utxoCommitment: hashField("utxoCommitment", message.utxoCommitment),
    timestamp: timestampField("timestamp", message.timestamp),
    bits: message.bits,
    nonce: message.nonce,
    daaScore: asDaaScore(message.daaScore),
    blueWork: blueWorkField("blueWork", message.blueWork),
    blueScore: asBlueScore(message.blueScore),
    pruningPoint: blockHashField("pruningPoint", message.pruningPoint),
  };
}

/**
 * Converts a plain header to a message; `hash` is "" for a block still to be mined. It never carries a witness: answers to
 * questions have none (specification network 10.13).
 */
export function headerToRpc(header: Header, hash: BlockHash | ""): RpcBlockHeader {
  return {
    version: header.version,
    hashMerkleRoot: header.hashMerkleRoot,
    acceptedIdMerkleRoot: header.acceptedIdMerkleRoot,
    utxoCommitment: header.utxoCommitment,
    timestamp: header.timestamp,
    bits: header.bits,
    nonce: header.nonce,
    daaScore: header.daaScore,
    blueWork: header.blueWork.toString(16),
    parents: header.parentsByLevel.map((level) => ({ parentHashes: [...level] })),
    blueScore: header.blueScore,
    pruningPoint: header.pruningPoint,
    hash,
    auxPow: "",
  };
}
