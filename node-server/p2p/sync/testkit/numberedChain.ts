/** Test double of a chain whose blocks are numbers: a node that has some of it, and a peer that has all. */
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import type { InsertOutcome } from "../../../engine/calls/engineFacts.ts";

const HASH_BYTES = 32;
const EMPTY = new Uint8Array(HASH_BYTES);

/** The hash of block `number`. */
export function hashOf(number: number): BlockHash {
  return asBlockHash(number.toString(16).padStart(2 * HASH_BYTES, "0"));
}

/** The number of a block. */
export function numberOf(hash: string): number {
  return Number.parseInt(hash, 16);
}

/** The hash of block `number` as a message has it. */
export function wireHash(number: number): { bytes: Uint8Array } {
  return { bytes: decodeHex(hashOf(number)) };
}

/** The header of block `number`, which is its nonce. */
export function headerMessage(number: number): P2pBlockHeader {
  const hash = { bytes: EMPTY };
  return {
    version: 1,
    parents: [{ cumulativeLevel: 1, parentHashes: [wireHash(number - 1)] }],
    hashMerkleRoot: hash,
    acceptedIdMerkleRoot: hash,
    utxoCommitment: hash,
    timestamp: BigInt(number),
    bits: 1,
    nonce: BigInt(number),
    daaScore: BigInt(number),
    blueWork: Uint8Array.of(1),
    blueScore: BigInt(number),
    pruningPoint: hash,
    auxPow: new Uint8Array(),
  };
}

/** A node that has the headers up to one number and the bodies up to another. */
export class NumberedChain {
  headers: number;
  bodies: number;
  /** Its pruning point: nothing below is known. */
  point = 0;
  readonly refused = new Map<number, InsertOutcome>();

  constructor(headers: number, bodies: number) {
    this.headers = headers;
    this.bodies = bodies;
  }

  /** `ReaderHost.blockStage`. */
  stage(hash: string): string | undefined {
    const number = numberOf(hash);
    if (number > this.headers) return undefined;
    if (number < this.point) return "pruned";
    return number > this.bodies ? "headerOnly" : "valid";
  }

  /** Hashes at steps that double, the highest first. */
  locator(low: number, high: number): number[] {
    const numbers = [];
    let step = 1;
    for (let at = high; at > low; at -= step, step *= 2) numbers.push(at);
    return [...numbers, low];
  }

  /** `ReaderHost.bodiesMissing`. */
  missing(after: string, high: string, limit: number): Uint8Array {
    const from = after === "" ? Math.min(this.bodies, numberOf(high)) : numberOf(after);
    const to = Math.min(numberOf(high), from + limit);
    const numbers = Array.from({ length: to - from }, (_, index) => from + 1 + index);
    const wanted = numbers.filter((number) => number > this.bodies);
    return joined([to, ...wanted]);
  }

  /** Takes a body in if it is the next one. */
  insert(number: number): InsertOutcome {
    const refusal = this.refused.get(number);
    if (refusal !== undefined) return refusal;
    const hash = hashOf(number);
    if (number > this.bodies + 1) {
      return { kind: "missingParents", hash, parents: [hashOf(number - 1)] };
    }
    this.bodies = Math.max(this.bodies, number);
    return { kind: "accepted", hash, new: true, needVerdicts: [] };
  }
}

function joined(numbers: readonly number[]): Uint8Array {
  return Uint8Array.from(numbers.flatMap((number) => [...decodeHex(hashOf(number))]));
}

/** Decodes a list of hashes to block numbers. */
export function numbersIn(bytes: Uint8Array): number[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    numberOf(encodeHex(bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES))),
  );
}
