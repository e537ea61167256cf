/** Test double of note history over numbered blocks: records that are linked by their numbers of leaves. */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pHistoryChunk } from "@svc/shared/protocol/p2p/generated/p2pMessages.ts";
import type { Settled } from "../../../engine/import/historyImport.ts";
import type { HistoryParts } from "../historySync.ts";
import { hashOf, wireHash } from "./numberedChain.ts";

const RECORD_LENGTH = 128;
const FIRST_AT = 32;
const END_AT = 34;
const FALSE_AT = 36;
/** Leaves of an honest record. */
const LEAVES = 10;

/** A peer's record of block `number`; a dishonest one looks fine by itself. */
export type NumberedRecord = {
  readonly number: number;
  readonly firstLeaf: number;
  readonly isFalse: boolean;
};

/** The true record of a block. */
export function trueRecord(number: number): NumberedRecord {
  return { number, firstLeaf: LEAVES * number, isFalse: false };
}

/** The response with these records, the first of which is asked for by its block. */
export function historyMessage(records: readonly NumberedRecord[]): P2pHistoryChunk {
  const entries = records.map(({ number, firstLeaf, isFalse }) => {
    const data = new Uint8Array(RECORD_LENGTH);
    const view = new DataView(data.buffer);
    data.set(wireHash(number).bytes);
    view.setUint16(FIRST_AT, firstLeaf);
    view.setUint16(END_AT, LEAVES * (number + 1));
    view.setUint8(FALSE_AT, isFalse ? 1 : 0);
    return { blockHash: wireHash(number).bytes, data, chainIndex: BigInt(number) };
  });
  return { entries, done: false, anchorIndex: BigInt(records[0]?.number ?? 0) };
}

/** A store that takes records as the engine does: each must lead to the one above it, and all together must be true. */
export class NumberedHistory implements Pick<
  HistoryParts["history"],
  "progress" | "take" | "drop"
> {
  readonly #base: number;
  #below = 0;
  #firstLeaf = 0;
  #isFalse = false;
  #isComplete = false;
  /** How often all of it was thrown away on demand. */
  drops = 0;

  /** Nothing is here of the block `base` and those below it. */
  constructor(base: number) {
    this.#base = base;
    this.#forget();
  }

  readonly progress = async (): Promise<Settled> => {
    if (this.#isComplete) return { kind: "complete" };
    const [base, below] = [hashOf(this.#base), this.#below];
    return {
      kind: "wanted",
      base,
      below,
      lowest: below === 0 ? null : hashOf(this.#base - below + 1),
    };
  };

  readonly take = async (records: Uint8Array): Promise<Settled> => {
    const reader = new ByteReader(records);
    while (reader.remaining > 0) this.#takeOne(reader.block());
    if (this.#below > this.#base) {
      this.#isComplete = !this.#isFalse;
      if (this.#isFalse) this.#forget();
    }
    return this.progress();
  };

  readonly drop = async (): Promise<Settled> => {
    this.drops += 1;
    this.#forget();
    return this.progress();
  };

  #takeOne(record: Uint8Array): void {
    const view = new DataView(record.buffer, record.byteOffset);
    if (view.getUint16(END_AT) !== this.#firstLeaf) {
      const reason = "its leaves do not lead to those above";
      throw new SvcError("history/wrong-record", {
        hash: hashOf(this.#base - this.#below),
        reason,
      });
    }
    this.#firstLeaf = view.getUint16(FIRST_AT);
    this.#isFalse ||= view.getUint8(FALSE_AT) === 1;
    this.#below += 1;
  }

  #forget(): void {
    [this.#below, this.#isFalse] = [0, false];
    this.#firstLeaf = LEAVES * (this.#base + 1);
  }
}
