/** The document of `/blocks/{id}`: a block as a whole (specification explorer A2). */
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { Header } from "@svc/shared/chain/header.ts";
import type { Transaction, TransactionOutput } from "@svc/shared/chain/transaction.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import {
  readComputedHashes,
  type ComputedHashes,
} from "@svc/shared/protocol/facts/computedHashes.ts";
import { coinbaseMiner } from "@svc/shared/protocol/raw/coinbasePayload.ts";
import { decodeRawBlock, hasWitness } from "@svc/shared/protocol/raw/rawBlock.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import type { KnownBlock } from "./askKnownBlock.ts";
import type { BlockPlace } from "./blockPlace.ts";
import { wholeNumber } from "../call/wholeNumber.ts";

type BlockDocument = RestAnswer<"block">;
type Describing = Pick<NodeApi, "core" | "profile">;

/** Bytes of a shielded address. */
const ADDRESS_BYTES = 43;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** What the selected chain says of a block, and what the block itself says of payments if it is on the chain. */
export type BlockOnChain = {
  readonly place: BlockPlace;
  readonly judged: Pick<ChainFacts, "applied" | "dropped"> | undefined;
};

/** Makes the document. Throws the codec's errors. */
export function blockDocument(
  node: Describing,
  { facts, raw }: KnownBlock,
  { place: { color, mergedBy }, judged }: BlockOnChain,
): BlockDocument {
  const { header, transactions } = decodeRawBlock(raw);
  const hashes = readComputedHashes(node.core.computeHashes(raw));
  const miner = coinbaseMiner(transactions[0]?.payload ?? new Uint8Array());
  return {
    block_hash: facts.hash,
    header: headerOf(header, facts),
    verboseData: {
      difficulty: facts.difficulty,
      selectedParentHash: facts.selectedParent,
      transactionIds: facts.txids,
      isChainBlock: facts.isChainBlock,
      childrenHashes: facts.children,
      mergeSetBluesHashes: facts.blues,
      mergeSetRedsHashes: facts.reds,
    },
    transactions: transactions.map((transaction, index) =>
      transactionOf(node, transaction, { index, hashes }),
    ),
    extra: {
      color,
      mergedBy,
      minerAddress: miner === null ? null : addressOf(node, miner.script),
      minerInfo: miner === null ? null : printable(miner.extra),
      work: workOf(node, raw),
      hasBody: true,
      applied: judged === undefined ? null : judged.applied.map(carriedOf),
      dropped:
        judged === undefined
          ? null
          : judged.dropped.map((one) => ({ ...carriedOf(one), reason: one.reason })),
    },
  };
}

function carriedOf({ txid, block }: ChainFacts["applied"][number]): {
  readonly transaction_id: string;
  readonly block_hash: string;
} {
  return { transaction_id: txid, block_hash: block };
}

/** What work a block was found by. Only a block without native work keeps its witness. */
export function workOf(
  { profile }: Pick<NodeApi, "profile">,
  raw: Uint8Array,
): BlockDocument["extra"]["work"] {
  if (profile.skipProofOfWork) return "skipped";
  return hasWitness(raw) ? "merge-mined" : "native";
}

/** The address of a script; null for one that is none. */
export function addressOf({ core, profile }: Describing, script: Uint8Array): string | null {
  return script.length === ADDRESS_BYTES ? core.encodeAddress(profile.hrp, script) : null;
}

function headerOf(header: Header, { hash }: BlockFacts): BlockDocument["header"] {
  return {
    hash,
    version: header.version,
    timestamp: wholeNumber(header.timestamp),
    daaScore: String(header.daaScore),
    blueScore: String(header.blueScore),
    blueWork: header.blueWork.toString(16),
    nonce: String(header.nonce),
    bits: header.bits,
    pruningPoint: header.pruningPoint,
    hashMerkleRoot: header.hashMerkleRoot,
    acceptedIdMerkleRoot: header.acceptedIdMerkleRoot,
    utxoCommitment: header.utxoCommitment,
    parents: header.parentsByLevel.map((parentHashes) => ({ parentHashes })),
  };
}

type Place = { readonly index: number; readonly hashes: ComputedHashes };

function transactionOf(
  node: Describing,
  transaction: Transaction,
  { index, hashes }: Place,
): BlockDocument["transactions"][number] {
  return {
    version: transaction.version,
    shielded: index > 0,
    inputs: [],
    outputs: transaction.outputs.map((output) => outputOf(node, output)),
    lockTime: String(transaction.lockTime),
    subnetworkId: encodeHex(transaction.subnetworkId),
    payload: encodeHex(transaction.payload),
    verboseData: {
      transactionId: hashes.txids[index] ?? "",
      hash: hashes.txHashes[index] ?? "",
      mass: String(hashes.computeMasses[index] ?? 0n),
    },
  };
}

function outputOf(
  node: Describing,
  { value, scriptVersion, script }: TransactionOutput,
): BlockDocument["transactions"][number]["outputs"][number] {
  return {
    amount: wholeNumber(value),
    scriptPublicKey: { version: scriptVersion, scriptPublicKey: encodeHex(script) },
    verboseData: {
      scriptPublicKeyType: "nonstandard",
      scriptPublicKeyAddress: addressOf(node, script),
    },
  };
}

/** What anybody may have written: text, or nothing of it. */
function printable(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString("latin1");
  return PRINTABLE.test(text) ? text : null;
}
