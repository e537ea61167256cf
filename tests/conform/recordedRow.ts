/** Converter of the engine's scan records to the fields of the recording, so that both can be compared as text. */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { RecordedChainBlock } from "./corpus.ts";

/** Container fields before the first record (docs/formats.md 2). */
const CONTAINER_LENGTH = 24;
/** The part of an action the recording holds: nullifier, cmx, epk and 52 bytes of ciphertext. */
const COMPACT_LENGTH = 148;
const ACTION_LENGTH = 788;

/** The fields of a recorded chain block that a scan record holds too. */
export type ComparableRow = Omit<
  RecordedChainBlock,
  "blueScore" | "daaScore" | "coinbaseOutputs"
> & {
  readonly blueScore: bigint;
  readonly daaScore: bigint;
  readonly coinbaseOutputs: readonly {
    scriptPublicKey: string;
    value: bigint;
    commitment: string;
  }[];
};

/** Reads a page of one record. */
export function rowOfPage(page: Uint8Array): Record<keyof ComparableRow, unknown> {
  const reader = new ByteReader(page.subarray(CONTAINER_LENGTH));
  const hash = encodeHex(reader.take(32));
  const blueScore = reader.u64();
  const daaScore = reader.u64();
  reader.u64(); // timestamp
  reader.u64(); // first leaf
  const coinbaseTxid = encodeHex(reader.take(32));
  const coinbaseOutputs = Array.from({ length: reader.u16() }, () => ({
    scriptPublicKey: encodeHex(reader.take(43)),
    value: reader.u64(),
    commitment: Buffer.from(reader.take(32)).toString("base64"),
  }));
  const acceptedTxids: string[] = [];
  const acceptedActions = Array.from({ length: reader.u16() }, () => {
    acceptedTxids.push(encodeHex(reader.take(32)));
    const compact = Array.from({ length: reader.u16() }, () =>
      encodeHex(reader.take(ACTION_LENGTH).subarray(0, COMPACT_LENGTH)),
    );
    return compact.join("");
  });
  const row = { hash, blueScore, daaScore, coinbaseTxid, coinbaseOutputs };
  return { ...row, acceptedActions, acceptedTxids };
}
