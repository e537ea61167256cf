/** Openings of states, and tips (specification consensus 10.2, 13.2, 13.3; docs/light-client.md, "Raw forms"). */
import { ByteReader } from "./byteReader.ts";
import { numbered, personalBlake2, sameBytes, type Part } from "./domains.ts";
import { directParents, readToldHeader, type ToldHeader } from "./headerForm.ts";
import { blockId } from "./headerForm.ts";
import type { JudgedHeader, Judging } from "./headerJudge.ts";
import type { Network } from "./network.ts";
import { Refusal } from "./refusal.ts";
import { judgeRun, type JudgedRun } from "./runJudge.ts";
import {
  isCoinbase,
  readTransaction,
  rootOverFirst,
  transactionHash,
  type Transaction,
} from "./transactionForm.ts";

type Log = {
  readonly parent: Uint8Array;
  readonly blueScore: bigint;
  readonly count: bigint;
  readonly peaks: readonly Uint8Array[];
  readonly carriedFee: bigint;
  readonly slotVersion: number;
  readonly slotScript: Uint8Array;
  readonly slotAmount: bigint;
};
type Opening = {
  readonly header: ToldHeader;
  readonly siblings: readonly Uint8Array[];
  readonly coinbase: Transaction;
  readonly treeRoot: Uint8Array;
  readonly nullifiers: Uint8Array;
  readonly minted: bigint;
  readonly fees: bigint;
  readonly log: Log | null;
};

/** A state with work above it. */
export type JudgedTip = {
  /** The block whose state it is. */
  readonly block: Uint8Array;
  readonly treeRoot: Uint8Array;
  readonly minted: bigint;
  readonly run: JudgedRun;
};

const VERSION = 1;
const MAX_SIBLINGS = 15;
const MAX_SCRIPT = 150;
const PAYLOAD = { least: 51, most: 204 } as const;

/** Reads and judges an opening with digests and the run above it. Throws a `Refusal`. */
export function judgeTip(judging: Judging, opening: Uint8Array, run: Uint8Array): JudgedTip {
  const told = readOpening(opening);
  const above = judgeRun(judging, run);
  if (!sameBytes(blockId(told.header.header), above.base.id)) {
    throw new Refusal("evidence/other-header");
  }
  const block = openedUnder(judging.network, above.base, told);
  return { block, treeRoot: told.treeRoot, minted: told.minted, run: above };
}

/** The block whose state an opening shows, under the header of the block above. */
function openedUnder(network: Network, { header }: JudgedHeader, told: Opening): Uint8Array {
  const { coinbase, siblings } = told;
  const root = rootOverFirst(transactionHash(coinbase), siblings);
  if (!sameBytes(root, header.merkleRoot) || !isCoinbase(coinbase)) {
    throw new Refusal("evidence/foreign-coinbase");
  }
  const [block] = directParents(header);
  if (block === undefined) throw new Refusal("evidence/no-parent");
  const payload = readPayload(coinbase.payload);
  if (payload.blueScore !== header.blueScore) throw new Refusal("coinbase/wrong-blue-score");
  const found = stateRoot(network, block, told);
  if (!sameBytes(found, payload.stateRoot)) throw new Refusal("evidence/other-state");
  return block;
}

function readPayload(bytes: Uint8Array): { blueScore: bigint; stateRoot: Uint8Array } {
  if (bytes.length < PAYLOAD.least) throw new Refusal("coinbase/payload-too-short");
  if (bytes.length > PAYLOAD.most) throw new Refusal("coinbase/payload-too-long");
  const reader = new ByteReader(bytes);
  const blueScore = reader.u64();
  reader.u64();
  const root = reader.hash();
  reader.u16();
  const length = reader.u8();
  if (length > MAX_SCRIPT) throw new Refusal("coinbase/script-too-long");
  if (length > bytes.length - PAYLOAD.least) throw new Refusal("coinbase/payload-too-short");
  return { blueScore, stateRoot: root };
}

function stateRoot(network: Network, block: Uint8Array, told: Opening): Uint8Array {
  const { personal } = network;
  const [minted, fees] = [numbered(told.minted, 16), numbered(told.fees, 16)];
  const parts: Part[] = [told.treeRoot, told.nullifiers, minted, fees, new Uint8Array(32)];
  const form0 = personalBlake2(personal.stateRoot, ...parts);
  const { log } = told;
  if (log === null) return form0;
  return personalBlake2(
    personal.stateRootV1,
    form0,
    numbered(log.carriedFee, 8),
    logCommitment(network, block, told.treeRoot, log),
    numbered(log.slotVersion, 2),
    numbered(log.slotScript.length, 4),
    log.slotScript,
    numbered(log.slotAmount, 8),
  );
}

/** The commitment of the log with the block's own entry; genesis appends none. */
function logCommitment(
  network: Network,
  block: Uint8Array,
  treeRoot: Uint8Array,
  { parent, blueScore, count, peaks }: Log,
): Uint8Array {
  const { anchorLogLeaf, anchorLogNode, anchorLogRoot } = network.personal;
  const root = (entries: bigint, of: readonly Uint8Array[]) =>
    personalBlake2(anchorLogRoot, numbered(entries, 8), ...of);
  if (sameBytes(block, network.genesis)) {
    const isEmpty = count === 0n && blueScore === 0n && parent.every((byte) => byte === 0);
    if (!isEmpty) throw new Refusal("codec/not-canonical", "log of genesis");
    return root(0n, []);
  }
  let node = personalBlake2(anchorLogLeaf, block, parent, treeRoot, numbered(blueScore, 8));
  const left = [...peaks];
  for (let rest = count; rest % 2n === 1n; rest /= 2n) {
    node = personalBlake2(anchorLogNode, left.pop() ?? new Uint8Array(32), node);
  }
  return root(count + 1n, [...left, node]);
}

function readOpening(bytes: Uint8Array): Opening {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== VERSION) throw new Refusal("codec/version");
  const header = readToldHeader(reader);
  const siblings = reader.hashes(MAX_SIBLINGS);
  const coinbase = readTransaction(reader);
  const treeRoot = reader.hash();
  // The product of a wallet that begins is no part of a tip.
  if (reader.u8() !== 0) throw new Refusal("codec/not-canonical", "product");
  const opening = {
    header,
    siblings,
    coinbase,
    treeRoot,
    nullifiers: reader.hash(),
    minted: reader.u128(),
    fees: reader.u128(),
  };
  const tag = reader.u8();
  if (tag > 1) throw new Refusal("codec/not-canonical", "log tag");
  const log = tag === 0 ? null : readLog(reader);
  reader.end();
  return { ...opening, log };
}

function readLog(reader: ByteReader): Log {
  const [parent, blueScore, count] = [reader.hash(), reader.u64(), reader.u64()];
  if (count === 2n ** 64n - 1n) throw new Refusal("shielded/bad-anchor-log");
  const ones = count.toString(2).replaceAll("0", "").length;
  const peaks = Array.from({ length: ones }, () => reader.hash());
  const [carriedFee, slotVersion] = [reader.u64(), reader.u16()];
  const length = reader.count(reader.u16(), MAX_SCRIPT);
  const slotScript = reader.take(length);
  return {
    parent,
    blueScore,
    count,
    peaks,
    carriedFee,
    slotVersion,
    slotScript,
    slotAmount: reader.u64(),
  };
}
