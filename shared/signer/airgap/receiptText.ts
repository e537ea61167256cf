/**
 * A receipt as one line of text, `ur:svc-receipt/…` (BCR-2020-005): to be pasted, and read out of a page. As QR codes a receipt goes in
 * several frames, with `UrEncoder` and `UrDecoder`.
 */
import { SvcError } from "../../base/svcError.ts";
import { AIRGAP_LIMITS } from "../airgapLimits.ts";
import { decodeBytewords } from "./bytewords.ts";
import { UR_TYPES, wholeFrame } from "./urFrame.ts";

const HEAD = `ur:${UR_TYPES.receipt}/`;

/** The text of a receipt. */
export function receiptText(receipt: Uint8Array): string {
  return wholeFrame(UR_TYPES.receipt, receipt);
}

/**
 * Reads the text of a receipt, in capitals or not, white space around it left out. What it says is not looked at. Throws
 * `airgap/wrong-type`, `airgap/bad-frame`, `airgap/frame-checksum`, `airgap/message-too-long`.
 */
export function readReceiptText(text: string): Uint8Array<ArrayBuffer> {
  const max = AIRGAP_LIMITS.airgapReceiptChars;
  if (text.length > max) {
    throw new SvcError("airgap/message-too-long", { length: text.length, max });
  }
  const line = text.trim().toLowerCase();
  if (line.startsWith(HEAD)) return decodeBytewords(line.slice(HEAD.length));
  const [, found = ""] = /^ur:([a-z0-9-]{1,64})\//.exec(line) ?? [];
  throw new SvcError("airgap/wrong-type", { found, expected: UR_TYPES.receipt });
}
