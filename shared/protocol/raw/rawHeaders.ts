/** Codec of RawHeaders: headers without bodies, each with its merge-mining witness if it has one (docs/formats.md 1). */
import { ByteWriter } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Header } from "../../chain/header.ts";
import { FORM_BOUNDS } from "./formBounds.ts";
import { checkWitness, FORM, FORM_WITH_WITNESS } from "./rawBlock.ts";
import { writeHeader } from "./rawHeader.ts";

/** A header and the witness it came with. */
export type WitnessedHeader = { readonly header: Header; readonly witness?: Uint8Array };

/**
 * Encodes headers. Throws `codec/count-too-large` above `FORM_BOUNDS.headers`, `codec/…`, `header/bad-parents`,
 * `header/blue-work-too-large`.
 */
export function encodeRawHeaders(headers: readonly WitnessedHeader[]): Uint8Array<ArrayBuffer> {
  const [count, max] = [headers.length, FORM_BOUNDS.headers];
  if (count > max) throw new SvcError("codec/count-too-large", { count, max });
  const writer = new ByteWriter(1_024).u32(count);
  for (const { header, witness } of headers) {
    writer.u8(witness === undefined ? FORM : FORM_WITH_WITNESS);
    writeHeader(writer, header);
    if (witness !== undefined) writer.block(checkWitness(witness));
  }
  return writer.toBytes();
}
