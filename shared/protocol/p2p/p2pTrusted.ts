/**
 * Codec of trusted data between messages and pages of the core (specification network 1.1, messages 51 and 52; 1.8 D).
 *
 * Message 52 has the headers that later blocks are judged by, each with GHOSTDAG data, and a list of such data by block for
 * the chain at the pruning point. The stream of messages 51 after it brings bodies, and then headers of the chain below.
 */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pTrustedBlock, P2pTrustedData } from "./generated/p2pMessages.ts";
import type { P2pBlockHeader, P2pTrustedHeader } from "./generated/p2pValues.ts";
import { boundedList, requiredField } from "./p2pFields.ts";
import { ghostdagMessage, rawGhostdagOf } from "./p2pGhostdag.ts";
import { MIN_WITNESSED_HEADER, readWitnessedHeader, writeWitnessedHeader } from "./p2pHeader.ts";

const FORM = 1;

/** A part of the trusted data. */
export type TrustedPart = {
  /** Headers with their GHOSTDAG data. */
  readonly window: readonly P2pTrustedHeader[];
  /** Headers of the selected chain below the window. */
  readonly segment: readonly P2pBlockHeader[];
};

/**
 * Converts a part of trusted data to a raw page. Throws `p2p/bad-message`, also for more than `FORM_BOUNDS.trustedPage` headers
 * of a kind.
 */
export function rawTrustedPage({ window, segment }: TrustedPart): Uint8Array<ArrayBuffer> {
  boundedList("daaWindow", window, FORM_BOUNDS.trustedPage);
  boundedList("segment", segment, FORM_BOUNDS.trustedPage);
  const writer = new ByteWriter(4_096).u8(FORM).u16(window.length);
  for (const { header, ghostdagData } of window) {
    writeWitnessedHeader(writer, requiredField("header", header));
    writer.block(rawGhostdagOf(requiredField("ghostdagData", ghostdagData)));
  }
  writer.u16(segment.length);
  for (const header of segment) writeWitnessedHeader(writer, header);
  return writer.toBytes();
}

/**
 * Converts message 52 to raw pages. Its list of GHOSTDAG data by block is not looked at: it repeats those of the window. Throws
 * `p2p/bad-message`.
 */
export function rawTrustedPagesOf({ daaWindow }: P2pTrustedData): Uint8Array<ArrayBuffer>[] {
  boundedList("daaWindow", daaWindow, FORM_BOUNDS.trustedHeaders);
  const size = FORM_BOUNDS.trustedPage;
  return Array.from({ length: Math.ceil(daaWindow.length / size) }, (_, page) =>
    rawTrustedPage({ window: daaWindow.slice(page * size, (page + 1) * size), segment: [] }),
  );
}

/** Converts a raw page to parts of messages; byte strings are views of it. Throws `codec/…`. */
export function trustedPartOf(raw: Uint8Array): TrustedPart {
  const reader = new ByteReader(raw);
  const form = reader.u8();
  if (form !== FORM) throw new SvcError("codec/version", { expected: FORM, found: form });
  const { trustedPage } = FORM_BOUNDS;
  const windows = reader.checkCount(reader.u16(), trustedPage, MIN_WITNESSED_HEADER + 4);
  const window = Array.from({ length: windows }, () => {
    const header = readWitnessedHeader(reader);
    const length = reader.checkCount(reader.u32(), FORM_BOUNDS.ghostdagBytes, 1);
    return { header, ghostdagData: ghostdagMessage(reader.take(length)) };
  });
  const headers = reader.checkCount(reader.u16(), trustedPage, MIN_WITNESSED_HEADER);
  const segment = Array.from({ length: headers }, () => readWitnessedHeader(reader));
  reader.finish();
  return { window, segment };
}

/** Makes message 51 of a header without its body. */
export function headerEntry(header: P2pBlockHeader): P2pTrustedBlock {
  return {
    block: { header, transactions: [] },
    daaWindowIndices: [],
    ghostdagDataIndices: [],
  };
}

/** The header of message 51 that came without a body; null for one with a body. Throws `p2p/bad-message`. */
export function bodilessHeader({ block }: P2pTrustedBlock): P2pBlockHeader | null {
  const { header, transactions } = requiredField("block", block);
  return transactions.length === 0 ? requiredField("header", header) : null;
}
