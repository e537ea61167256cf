/** Codec of header lists of any length (messages 41 and 47): between messages and pages of RawHeaders. */
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pBlockHeaders } from "./generated/p2pMessages.ts";
import { headerMessages, rawHeadersOf } from "./p2pBlock.ts";
import { boundedList } from "./p2pFields.ts";

/**
 * Converts a message to pages of RawHeaders, `FORM_BOUNDS.headers` in each but the last; `max` headers may come. Throws
 * `p2p/bad-message`.
 */
export function rawHeaderPagesOf(
  { blockHeaders }: P2pBlockHeaders,
  max: number,
): Uint8Array<ArrayBuffer>[] {
  boundedList("blockHeaders", blockHeaders, max);
  const size = FORM_BOUNDS.headers;
  return Array.from({ length: Math.ceil(blockHeaders.length / size) }, (_, page) =>
    rawHeadersOf(blockHeaders.slice(page * size, (page + 1) * size)),
  );
}

/** Joins pages of RawHeaders into one message; byte strings are views of them. Throws `codec/…`. */
export function headersMessage(pages: readonly Uint8Array[]): P2pBlockHeaders {
  return { blockHeaders: pages.flatMap(headerMessages) };
}
