/**
 * Reader of a recorded chain (the conformance corpus): gzip, one JSON object a line, field names of the protobuf messages.
 * Lines are read as they are needed; a corpus may be larger than memory should hold.
 */
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import * as v from "valibot";
import type { Block } from "@svc/shared/chain/block.ts";
import type { Header } from "@svc/shared/chain/header.ts";
import type { Transaction } from "@svc/shared/chain/transaction.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { fields } from "@svc/shared/base/fields.ts";

const bytes = v.pipe(v.string(), v.transform(decodeHex));
const number = v.pipe(v.number(), v.integer());

const recordedHeader = v.object({
  hash: fields.blockHash,
  parents: v.array(v.object({ parentHashes: v.array(fields.blockHash) })),
  version: number,
  hashMerkleRoot: fields.hash32,
  acceptedIdMerkleRoot: fields.hash32,
  utxoCommitment: fields.hash32,
  timestamp: fields.timestampMs,
  bits: number,
  nonce: fields.u64,
  daaScore: fields.daaScore,
  blueWork: v.pipe(v.string(), v.regex(/^[0-9a-f]+$/)),
  blueScore: fields.blueScore,
  pruningPoint: fields.blockHash,
});

const recordedTransaction = v.object({
  version: number,
  inputs: v.pipe(v.array(v.unknown()), v.length(0)),
  outputs: v.array(
    v.object({
      amount: fields.sompi,
      scriptPublicKey: v.object({ version: number, scriptPublicKey: bytes }),
    }),
  ),
  lockTime: fields.u64,
  subnetworkId: bytes,
  gas: fields.u64,
  payload: bytes,
  storageMass: fields.u64,
  verboseData: v.object({
    transactionId: fields.txId,
    hash: fields.hash32,
    /** Grams. A recording of coinbases alone need not have it. */
    computeMass: v.optional(fields.u64, "0"),
  }),
});

const recordedBlock = v.object({
  header: recordedHeader,
  transactions: v.array(recordedTransaction),
  verboseData: v.object({
    selectedParentHash: fields.blockHash,
    mergeSetBluesHashes: v.array(fields.blockHash),
    mergeSetRedsHashes: v.array(fields.blockHash),
    isChainBlock: v.boolean(),
  }),
});

const recordedSubmit = v.object({
  header: v.object({ hashMerkleRoot: fields.hash32, auxPow: bytes }),
});

const recordedChainBlock = v.object({
  hash: fields.blockHash,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  coinbaseTxid: fields.txId,
  coinbaseOutputs: v.array(
    v.object({ scriptPublicKey: v.string(), value: fields.sompi, commitment: v.string() }),
  ),
  acceptedActions: v.array(v.string()),
  acceptedTxids: v.array(fields.txId),
});

const recordedState = v.object({
  blockHash: fields.blockHash,
  size: v.optional(v.string()),
  leaf: v.optional(v.string()),
  ommers: v.optional(v.array(v.string())),
  cumulativeCoinbase: v.optional(v.string()),
  cumulativeFees: v.optional(v.string()),
  poolValue: v.optional(v.string()),
  noteCount: v.optional(v.string()),
});

/** A block with everything the recording node computed for it. */
export type RecordedBlock = v.InferOutput<typeof recordedBlock>;
/** A block of the recorded selected chain with its minted notes and applied payments. */
export type RecordedChainBlock = v.InferOutput<typeof recordedChainBlock>;
/** Witnesses of merge-mined blocks by the merkle root of the block, which no two blocks share. */
export type Witnesses = ReadonlyMap<string, Uint8Array>;
/** Tree or supply after a recorded chain block; 64-bit numbers as decimal text. */
export type RecordedState = v.InferOutput<typeof recordedState>;

async function* lines(file: string): AsyncGenerator<unknown> {
  const input = createReadStream(file).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== "") yield JSON.parse(line);
  }
}

async function* read<S extends v.GenericSchema>(
  file: string,
  schema: S,
): AsyncGenerator<v.InferOutput<S>> {
  for await (const line of lines(file)) yield v.parse(schema, line);
}

/** A folder with a recording. */
export class Corpus {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Text of the profile file. */
  profile(): string {
    return readFileSync(join(this.#folder, "profile.json"), "utf8");
  }

  /** Blocks in an order in which parents come first; the first is genesis. */
  blocks(): AsyncGenerator<RecordedBlock> {
    return read(join(this.#folder, "blocks.jsonl.gz"), recordedBlock);
  }

  /** Witnesses as the miners handed them in; none for a chain that was mined natively. */
  async witnesses(): Promise<Witnesses> {
    const file = join(this.#folder, "aux-submits.jsonl.gz");
    const found = new Map<string, Uint8Array>();
    if (!existsSync(file)) return found;
    for await (const { header } of read(file, recordedSubmit)) {
      found.set(header.hashMerkleRoot, header.auxPow);
    }
    return found;
  }

  /** The selected chain, genesis left out. */
  chain(): AsyncGenerator<RecordedChainBlock> {
    return read(join(this.#folder, "chain.jsonl.gz"), recordedChainBlock);
  }

  /** Tree states and supplies after some chain blocks. */
  states(): AsyncGenerator<RecordedState> {
    return read(join(this.#folder, "states.jsonl.gz"), recordedState);
  }
}

/** The block as plain values, with its witness if there is one. */
export function blockOf(recorded: RecordedBlock, witnesses: Witnesses): Block {
  const { hash: _, parents, blueWork, ...header } = recorded.header;
  const plain: Header = {
    ...header,
    parentsByLevel: parents.map((level) => level.parentHashes),
    blueWork: BigInt(`0x${blueWork}`),
  };
  const witness = witnesses.get(plain.hashMerkleRoot);
  const transactions = recorded.transactions.map(transactionOf);
  return { header: plain, transactions, ...(witness === undefined ? {} : { witness }) };
}

function transactionOf(recorded: RecordedBlock["transactions"][number]): Transaction {
  const { inputs: _inputs, outputs, verboseData: _, ...transaction } = recorded;
  return {
    ...transaction,
    inputs: [],
    outputs: outputs.map(({ amount, scriptPublicKey }) => ({
      value: amount,
      scriptVersion: scriptPublicKey.version,
      script: scriptPublicKey.scriptPublicKey,
      covenant: null,
    })),
  };
}
