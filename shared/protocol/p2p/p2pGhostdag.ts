/** Codec of GHOSTDAG data between messages and the stored record of the core (specification network 1.1, consensus 7.1). */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import { BLUE_WORK_LENGTH } from "../../chain/header.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pGhostdagData, P2pHash } from "./generated/p2pValues.ts";
import { boundedList, hashBytes, u16Field } from "./p2pFields.ts";
import { blueWorkMessage, rawBlueWork } from "./p2pHeader.ts";

const FORM = 1;
const HASH_LENGTH = 32;
/** A block and the size of its anticone. */
const SIZED_LENGTH = HASH_LENGTH + 2;

/** Converts a message to the stored record. Throws `p2p/bad-message`. */
export function rawGhostdagOf(message: P2pGhostdagData): Uint8Array<ArrayBuffer> {
  const { mergeSetBlues, mergeSetReds, bluesAnticoneSizes } = message;
  const { mergeset } = FORM_BOUNDS;
  const writer = new ByteWriter(256)
    .u8(FORM)
    .u64(message.blueScore)
    .raw(rawBlueWork(message.blueWork))
    .raw(hashBytes("selectedParent", message.selectedParent));
  writeHashes(writer, "mergeSetBlues", boundedList("mergeSetBlues", mergeSetBlues, mergeset + 1));
  writeHashes(writer, "mergeSetReds", boundedList("mergeSetReds", mergeSetReds, mergeset));
  boundedList("bluesAnticoneSizes", bluesAnticoneSizes, mergeset + 1);
  writer.u16(bluesAnticoneSizes.length);
  for (const { blueHash, anticoneSize } of bluesAnticoneSizes) {
    writer.raw(hashBytes("blueHash", blueHash)).u16(u16Field("anticoneSize", anticoneSize));
  }
  return writer.toBytes();
}

/** Converts a stored record to a message; byte strings are views of it. Throws `codec/…`. */
export function ghostdagMessage(raw: Uint8Array): P2pGhostdagData {
  const reader = new ByteReader(raw);
  const form = reader.u8();
  if (form !== FORM) throw new SvcError("codec/version", { expected: FORM, found: form });
  const { mergeset } = FORM_BOUNDS;
  const message = {
    blueScore: reader.u64(),
    blueWork: blueWorkMessage(reader.take(BLUE_WORK_LENGTH)),
    selectedParent: { bytes: reader.take(HASH_LENGTH) },
    mergeSetBlues: readHashes(reader, mergeset + 1),
    mergeSetReds: readHashes(reader, mergeset),
    bluesAnticoneSizes: readSizes(reader),
  };
  reader.finish();
  return message;
}

function writeHashes(writer: ByteWriter, field: string, hashes: readonly P2pHash[]): void {
  writer.u32(hashes.length);
  for (const hash of hashes) writer.raw(hashBytes(field, hash));
}

function readHashes(reader: ByteReader, max: number): P2pHash[] {
  const count = reader.checkCount(reader.u32(), max, HASH_LENGTH);
  return Array.from({ length: count }, () => ({ bytes: reader.take(HASH_LENGTH) }));
}

function readSizes(reader: ByteReader): P2pGhostdagData["bluesAnticoneSizes"] {
  const count = reader.checkCount(reader.u16(), FORM_BOUNDS.mergeset + 1, SIZED_LENGTH);
  return Array.from({ length: count }, () => ({
    blueHash: { bytes: reader.take(HASH_LENGTH) },
    anticoneSize: reader.u16(),
  }));
}
