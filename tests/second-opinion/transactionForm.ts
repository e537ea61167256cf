/** Transactions (specification consensus 9, formats 1.1): their raw form, and the hash that is a leaf of a block's tree. */
import type { ByteReader } from "./byteReader.ts";
import { joined, keyedBlake2, keyedBlake3, numbered, sameBytes, type Part } from "./domains.ts";
import { Refusal } from "./refusal.ts";

/** An input. `cost` counts signature operations in version 0, and the compute budget later. */
export type Input = {
  readonly txid: Uint8Array;
  readonly index: number;
  readonly script: Uint8Array;
  readonly sequence: bigint;
  readonly cost: number;
};

/** An output. */
export type Output = {
  readonly value: bigint;
  readonly scriptVersion: number;
  readonly script: Uint8Array;
  readonly covenant: { readonly input: number; readonly id: Uint8Array } | null;
};

/** A transaction. */
export type Transaction = {
  readonly version: number;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly lockTime: bigint;
  readonly subnetwork: Uint8Array;
  readonly gas: bigint;
  readonly payload: Uint8Array;
  readonly storageMass: bigint;
};

const MAX_PARTS = 1_000;
const MAX_INPUT_SCRIPT = 250_000;
const MAX_OUTPUT_SCRIPT = 10_000;
const MAX_PAYLOAD = 1_000_000;
const MAX_OPERATIONS = 255;
const COINBASE = Uint8Array.from({ length: 20 }, (_, at) => (at === 0 ? 1 : 0));

/** Whether a transaction is a coinbase. */
export const isCoinbase = ({ subnetwork }: Transaction): boolean => sameBytes(subnetwork, COINBASE);

/** Reads the raw form. */
export function readTransaction(reader: ByteReader): Transaction {
  const version = reader.u16();
  const inputs = listOf(reader, () => readInput(reader, version));
  const outputs = listOf(reader, () => readOutput(reader, version));
  return {
    version,
    inputs,
    outputs,
    lockTime: reader.u64(),
    subnetwork: reader.take(20),
    gas: reader.u64(),
    payload: bytesOf(reader, MAX_PAYLOAD),
    storageMass: reader.u64(),
  };
}

function listOf<T>(reader: ByteReader, read: () => T): readonly T[] {
  return Array.from({ length: reader.count(reader.u32(), MAX_PARTS) }, read);
}

function bytesOf(reader: ByteReader, most: number): Uint8Array {
  return reader.take(reader.count(reader.u32(), most));
}

function readInput(reader: ByteReader, version: number): Input {
  const input = {
    txid: reader.hash(),
    index: reader.u32(),
    script: bytesOf(reader, MAX_INPUT_SCRIPT),
    sequence: reader.u64(),
    cost: reader.u16(),
  };
  const isTooMuch = version === 0 && input.cost > MAX_OPERATIONS;
  if (isTooMuch) throw new Refusal("codec/number-out-of-range");
  return input;
}

function readOutput(reader: ByteReader, version: number): Output {
  const output = {
    value: reader.u64(),
    scriptVersion: reader.u16(),
    script: bytesOf(reader, MAX_OUTPUT_SCRIPT),
  };
  const tag = reader.u8();
  if (tag > 1 || (tag === 1 && version === 0)) throw new Refusal("codec/not-canonical");
  const covenant = tag === 0 ? null : { input: reader.u16(), id: reader.hash() };
  return { ...output, covenant };
}

/** Which parts a hash covers; a part that is left out is written as empty. */
type Cover = { readonly scripts: boolean; readonly payload: boolean; readonly mass: boolean };

/** `TransactionHash` over everything. */
export function transactionHash(transaction: Transaction): Uint8Array {
  const cover = { scripts: true, payload: true, mass: true };
  return keyedBlake2("TransactionHash", preimage(transaction, cover));
}

/** The id (9.2). */
export function transactionId(transaction: Transaction): Uint8Array {
  const { version, payload } = transaction;
  const bytes = preimage(transaction, { scripts: false, payload: version === 0, mass: false });
  if (version === 0) return keyedBlake2("TransactionID", bytes);
  const rest = keyedBlake3("TransactionRest", bytes);
  return keyedBlake3("TransactionV1Id", keyedBlake3("PayloadDigest", payload), rest);
}

function preimage(
  { version, inputs, outputs, lockTime, subnetwork, gas, payload, storageMass }: Transaction,
  cover: Cover,
): Uint8Array {
  const bytes = (part: Uint8Array): readonly Part[] => [numbered(part.length, 8), part];
  const none = new Uint8Array();
  const parts: Part[] = [numbered(version, 2), numbered(inputs.length, 8)];
  for (const { txid, index, script, sequence, cost } of inputs) {
    parts.push(txid, numbered(index, 4), ...bytes(cover.scripts ? script : none));
    if (cover.scripts && version === 0) parts.push(numbered(cost, 1));
    parts.push(numbered(sequence, 8));
    if (cover.mass && version > 0) parts.push(numbered(cost, 2));
  }
  parts.push(numbered(outputs.length, 8));
  for (const { value, scriptVersion, script, covenant } of outputs) {
    parts.push(numbered(value, 8), numbered(scriptVersion, 2), ...bytes(script));
    if (version === 0) continue;
    parts.push(numbered(covenant === null ? 0 : 1, 1));
    if (covenant !== null) parts.push(numbered(covenant.input, 2), covenant.id);
  }
  parts.push(numbered(lockTime, 8), subnetwork, numbered(gas, 8));
  parts.push(...bytes(cover.payload ? payload : none));
  if (cover.mass && (version > 0 || storageMass > 0n)) parts.push(numbered(storageMass, 8));
  return joined(...parts);
}

/** The root over a first leaf and its siblings: it stands on the left at every level. */
export function rootOverFirst(leaf: Uint8Array, siblings: readonly Uint8Array[]): Uint8Array {
  return siblings.reduce((node, sibling) => keyedBlake2("MerkleBranchHash", node, sibling), leaf);
}
