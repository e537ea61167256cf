/** Reading of a receipt that somebody gives to the page: a file of its bytes or of its text, or the text itself. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readReceiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";

/** Bytes of a receipt from bytes that may be its text. Throws as `readReceiptText`. */
export function receiptOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const head = new TextDecoder().decode(bytes.subarray(0, 32)).trimStart().toLowerCase();
  return head.startsWith("ur:") ? readReceiptText(new TextDecoder().decode(bytes)) : bytes;
}

/** The same from a file. Rejects with `airgap/message-too-long` for one that is larger than a receipt can be, unread. */
export async function receiptOfFile(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const max = PAGE_LIMITS.checkReceiptBytes;
  if (file.size > max) throw new SvcError("airgap/message-too-long", { length: file.size, max });
  return receiptOf(new Uint8Array(await file.arrayBuffer()));
}
