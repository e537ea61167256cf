/** Schemas of blocks in the documents of the public REST interface (specification explorer A2). */
import * as v from "valibot";
import { flagOf, hex, integerOf, text, textOf, txid, word } from "../../contract/answerFields.ts";
import {
  blockColor,
  blockHash,
  blockHashes,
  decimalOf,
  displayOf,
  workKind,
} from "../restFields.ts";

/** What a transaction is. */
export const transactionKind = word(["coinbase", "payment"]);

const outputPair = v.tuple([text, word(["shielded"])]);

/** A block of a list. */
export const recentBlock = v.object({
  block_hash: blockHash,
  difficulty: displayOf("Difficulty of the block."),
  daaScore: decimalOf("DAA score."),
  blueScore: decimalOf("Blue score."),
  timestamp: decimalOf("Unix milliseconds, as its miner says."),
  txCount: integerOf("Transactions, the coinbase among them."),
  isChainBlock: flagOf("Whether it is on the selected chain."),
  color: blockColor,
  parents: blockHashes,
  txs: v.array(
    v.object({
      txId: txid,
      kind: transactionKind,
      actions: integerOf("Actions of a payment; 0 for a coinbase."),
      outputs: v.pipe(
        v.array(outputPair),
        v.description(
          "For a coinbase one pair of sompi and kind for each note; for a payment one pair of its number of actions and kind: no amount.",
        ),
      ),
    }),
  ),
});

/** A block as the graph draws it. */
export const graphBlock = v.object({
  block_hash: blockHash,
  parents: blockHashes,
  selectedParent: blockHash,
  color: blockColor,
  isChainBlock: flagOf("Whether it is on the selected chain."),
  mergedBy: v.nullable(blockHash),
  blueScore: decimalOf("Blue score."),
  daaScore: decimalOf("DAA score."),
  timestamp: decimalOf("Unix milliseconds, as its miner says."),
  txCount: integerOf("Transactions, the coinbase among them."),
  work: workKind,
});

const header = v.object({
  hash: blockHash,
  version: integerOf("Version of the header."),
  timestamp: integerOf("Unix milliseconds, as its miner says."),
  daaScore: decimalOf("DAA score."),
  blueScore: decimalOf("Blue score."),
  blueWork: textOf("Blue work in hexadecimal."),
  nonce: decimalOf("Nonce."),
  bits: integerOf("Target in compact form."),
  pruningPoint: blockHash,
  hashMerkleRoot: hex(32),
  acceptedIdMerkleRoot: hex(32),
  utxoCommitment: hex(32),
  parents: v.array(v.object({ parentHashes: blockHashes })),
});

const scriptPublicKey = v.object({
  version: integerOf("Version of the script."),
  scriptPublicKey: hex(),
});

const output = v.object({
  amount: integerOf("Sompi."),
  scriptPublicKey,
  verboseData: v.object({
    scriptPublicKeyType: word(["nonstandard"]),
    scriptPublicKeyAddress: v.nullable(textOf("The shielded address that it pays.")),
  }),
});

const blockTransaction = v.object({
  version: integerOf("Version of the transaction."),
  shielded: flagOf("Whether its payload is a bundle of actions."),
  inputs: v.pipe(v.array(v.object({})), v.length(0)),
  outputs: v.array(output),
  lockTime: decimalOf("Lock time."),
  subnetworkId: hex(20),
  payload: hex(),
  verboseData: v.object({
    transactionId: txid,
    hash: hex(32),
    mass: decimalOf("Mass."),
  }),
});

/** A payment that a chain block judged, and the merged block that carries it. */
const carried = v.object({ transaction_id: txid, block_hash: blockHash });

/** A block as a whole. What it applied and dropped is null for a block beside the selected chain. */
export const wholeBlock = v.object({
  block_hash: blockHash,
  header,
  verboseData: v.object({
    difficulty: displayOf("Difficulty of the block."),
    selectedParentHash: blockHash,
    transactionIds: v.array(txid),
    isChainBlock: flagOf("Whether it is on the selected chain."),
    childrenHashes: blockHashes,
    mergeSetBluesHashes: blockHashes,
    mergeSetRedsHashes: blockHashes,
  }),
  transactions: v.array(blockTransaction),
  extra: v.object({
    color: blockColor,
    mergedBy: v.nullable(blockHash),
    minerAddress: v.nullable(textOf("The address that its coinbase payload asks to be paid at.")),
    minerInfo: v.nullable(
      textOf("What its miner wrote behind that address, where it is printable: the miner's claim."),
    ),
    work: workKind,
    hasBody: flagOf("Whether the node has its transactions."),
    applied: v.nullable(v.array(carried)),
    dropped: v.nullable(
      v.array(
        v.object({
          ...carried.entries,
          reason: textOf("Code of the reason for which it has no effect."),
        }),
      ),
    ),
  }),
});
