/**
 * Frames of a message as texts (BCR-2020-005): `ur:type/letters` for a message in one frame, `ur:type/n-of/letters` for one of many.
 * Capitals mean the same; QR codes hold them in less room.
 */
import { SvcError } from "../../base/svcError.ts";
import { AIRGAP_LIMITS } from "../airgapLimits.ts";
import { decodeBytewords, encodeBytewords } from "./bytewords.ts";
import { CborReader } from "./cborReader.ts";
import { CborWriter } from "./cborWriter.ts";

/** Types of the messages of the air gap, and of receipts. */
export const UR_TYPES = {
  payment: "svc-payment",
  signatures: "svc-signatures",
  receipt: "svc-receipt",
} as const;

/** One frame of many. */
export type UrPart = {
  /** Number of the frame, from 1 on without an end. */
  readonly sequence: number;
  /** Parts that the message is cut into. */
  readonly count: number;
  /** Bytes of the message. */
  readonly length: number;
  /** CRC-32 of the message. */
  readonly checksum: number;
  /** Parts of the message, one or several of them added without carry. */
  readonly data: Uint8Array;
};

/** A frame as it was read: a whole message, or one part of it. */
export type UrFrame =
  | { readonly type: string; readonly message: Uint8Array }
  | { readonly type: string; readonly part: UrPart };

const PART_ITEMS = 5;
const U32_MAX = 0xffff_ffffn;
const FORM = /^ur:([a-z0-9-]{1,64})\/(?:([1-9]\d{0,9})-([1-9]\d{0,9})\/)?([a-z]+)$/;

/** The frame of a message that needs no other. */
export function wholeFrame(type: string, message: Uint8Array): string {
  return `ur:${type}/${encodeBytewords(message)}`;
}

/** The frame of a part. */
export function partFrame(type: string, part: UrPart): string {
  return `ur:${type}/${part.sequence}-${part.count}/${encodeBytewords(encodePart(part))}`;
}

/** A part in CBOR. */
export function encodePart({ sequence, count, length, checksum, data }: UrPart): Uint8Array {
  const writer = new CborWriter().list(PART_ITEMS).number(sequence).number(count);
  return writer.number(length).number(checksum).bytes(data).toBytes();
}

/**
 * Reads the text of a frame, in capitals or not. Throws `airgap/bad-frame`, `airgap/frame-checksum`, `airgap/cbor-…`,
 * `airgap/too-many-frames`, `airgap/message-too-long`.
 */
export function readFrame(text: string): UrFrame {
  if (text.length > AIRGAP_LIMITS.airgapFrameChars) throw bad("it is too long");
  const match = FORM.exec(text.trim().toLowerCase());
  if (match === null) throw bad("it does not begin like one");
  const [, type = "", sequence, count, letters = ""] = match;
  const body = decodeBytewords(letters);
  if (sequence === undefined) {
    checkLength(body.length);
    return { type, message: body };
  }
  const part = readPart(body);
  if (String(part.sequence) !== sequence || String(part.count) !== count) {
    throw bad("its numbers disagree");
  }
  return { type, part };
}

function readPart(body: Uint8Array): UrPart {
  const reader = new CborReader(body);
  reader.list(PART_ITEMS);
  const number = () => Number(reader.number(U32_MAX));
  const [sequence, count, length, checksum] = [number(), number(), number(), number()];
  const max = AIRGAP_LIMITS.airgapFramesMax;
  if (count > max) throw new SvcError("airgap/too-many-frames", { count, max });
  checkLength(length);
  const data = reader.bytes(length, 1);
  reader.finish();
  if (data.length * count < length || data.length * (count - 1) >= length) {
    throw bad("its parts do not make up its message");
  }
  return { sequence, count, length, checksum, data };
}

function checkLength(length: number): void {
  const max = AIRGAP_LIMITS.airgapMessageBytes;
  if (length > max) throw new SvcError("airgap/message-too-long", { length, max });
}

function bad(reason: string): SvcError {
  return new SvcError("airgap/bad-frame", { reason });
}
