/** Witnesses of bound merged mining (specification consensus 5.1, 5.2, 6): their borsh form, and whether one proves a header. */
import { ByteReader } from "./byteReader.ts";
import { keyedBlake2, sameBytes } from "./domains.ts";
import {
  blockId,
  checkedRuns,
  nonceFreeHash,
  prePowHash,
  readRest,
  type Header,
} from "./headerForm.ts";
import { asNumber, powValue, targetOf } from "./heavyHash.ts";
import type { Network } from "./network.ts";
import { Refusal } from "./refusal.ts";
import {
  rootOverFirst,
  transactionHash,
  transactionId,
  type Input,
  type Output,
  type Transaction,
} from "./transactionForm.ts";

type Witness = {
  readonly parent: Header;
  readonly hasInner: boolean;
  readonly coinbase: Transaction;
  readonly branch: readonly Uint8Array[];
  /** Whether it has the one form: no id of the parent header, and that of the coinbase. */
  readonly isBare: boolean;
};

const MAX_SIBLINGS = 64;
const MOST = 1_000_000;
const DIGEST = 64;

/** Work that was done on a header of the parent network. */
export type SolvedBy = { readonly id: Uint8Array; readonly value: bigint };

/** The work of a bound witness for a header; null where it does not prove it. */
export function witnessWork(header: Header, bytes: Uint8Array, network: Network): SolvedBy | null {
  const witness = readWitness(bytes);
  if (witness === null || witness.hasInner) return null;
  const { parent, coinbase, branch } = witness;
  const id = blockId(parent);
  const isNamed = asNumber(id.slice(0, 8)) === header.nonce;
  const bound = keyedBlake2("BlockHash", network.auxBind, network.genesis, nonceFreeHash(header));
  const told = commitmentIn(coinbase.payload, network.tags.form1);
  const isBound = told !== null && told === Buffer.from(bound).toString("hex");
  const isDouble = commitmentIn(coinbase.payload, network.tags.form0) !== null;
  const isLed = sameBytes(rootOverFirst(transactionHash(coinbase), branch), parent.merkleRoot);
  if (!isNamed || !isBound || isDouble || !isLed) return null;
  const value = powValue(prePowHash(parent), parent.timestamp, parent.nonce);
  return value <= targetOf(header.bits) ? { id, value } : null;
}

/** Whether a witness has the one form in which evidence carries it (18.1): what no reader believes has one value. */
export function isBareWitness(bytes: Uint8Array): boolean {
  return readWitness(bytes)?.isBare ?? false;
}

/** The digest behind a tag, where there is exactly one and it is well formed. */
function commitmentIn(payload: Uint8Array, tag: string): string | null {
  const text = Buffer.from(payload).toString("latin1");
  const first = text.indexOf(tag);
  if (first < 0 || text.indexOf(tag, first + 1) >= 0) return null;
  const digest = text.slice(first + tag.length, first + tag.length + DIGEST);
  return /^[0-9a-f]{64}$/.test(digest) ? digest : null;
}

/** Null for bytes that do not decode. */
function readWitness(bytes: Uint8Array): Witness | null {
  try {
    const reader = new ByteReader(bytes);
    const witness = readFrom(reader);
    reader.end();
    return witness;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function readFrom(reader: ByteReader): Witness {
  const id = reader.hash();
  const version = reader.u16();
  const runs = listOf(reader, () => ({
    upTo: reader.u8(),
    parents: listOf(reader, () => reader.hash()),
  }));
  const parent = { version, runs: checkedRuns(runs), ...readRest(reader, 24) };
  const hasInner = flag(reader);
  // Form 1 has none inside, so nothing behind it matters.
  if (hasInner) throw new Refusal("codec/not-canonical", "a witness inside");
  const { transaction: coinbase, id: txid, hasOwnCosts } = readBorsh(reader);
  const count = reader.count(reader.u32(), MAX_SIBLINGS);
  const branch = Array.from({ length: count }, () => reader.hash());
  const isBare =
    hasOwnCosts && id.every((byte) => byte === 0) && sameBytes(txid, transactionId(coinbase));
  return { parent, hasInner, coinbase, branch, isBare };
}

function listOf<T>(reader: ByteReader, read: () => T): readonly T[] {
  return Array.from({ length: reader.count(reader.u32(), MOST) }, read);
}

function flag(reader: ByteReader): boolean {
  const tag = reader.u8();
  if (tag > 1) throw new Refusal("codec/not-canonical");
  return tag === 1;
}

type Borsh = {
  readonly transaction: Transaction;
  readonly id: Uint8Array;
  /** Whether each cost is in the form of the version. */
  readonly hasOwnCosts: boolean;
};

function readBorsh(reader: ByteReader): Borsh {
  const version = reader.u16();
  let hasOwnCosts = true;
  const bytes = () => reader.take(reader.count(reader.u32(), MOST));
  const input = (): Input => {
    const base = {
      txid: reader.hash(),
      index: reader.u32(),
      script: bytes(),
      sequence: reader.u64(),
    };
    const isBudget = flag(reader);
    const cost = isBudget ? reader.u16() : reader.u8();
    const isOwn = isBudget === version > 0;
    hasOwnCosts &&= isOwn;
    return { ...base, cost: isOwn ? cost : 0 };
  };
  const output = (): Output => {
    const base = { value: reader.u64(), scriptVersion: reader.u16(), script: bytes() };
    const covenant = flag(reader) ? { input: reader.u16(), id: reader.hash() } : null;
    return { ...base, covenant };
  };
  const transaction = {
    version,
    inputs: listOf(reader, input),
    outputs: listOf(reader, output),
    lockTime: reader.u64(),
    subnetwork: reader.take(20),
    gas: reader.u64(),
    payload: bytes(),
    storageMass: reader.u64(),
  };
  return { transaction, id: reader.hash(), hasOwnCosts };
}
