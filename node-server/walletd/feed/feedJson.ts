/** An entry of a feed as callers and receivers of webhooks see it. */
import type { RawAddress } from "@svc/shared/base/brand.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import type { DepositKind } from "../store/depositEvent.ts";
import type { FeedEntry } from "../store/eventTable.ts";

/** The plain form: numbers of 64 bits are decimal text. */
export type FeedEntryJson = {
  readonly cursor: string;
  readonly kind: DepositKind;
  readonly txid: string;
  readonly outputIndex: number;
  readonly blockHash: string | null;
  readonly chainIndex: string | null;
  readonly amountSompi: string;
  /** The own address that was paid. */
  readonly recipient: string;
  readonly addressIndex: number | null;
  /** The memo's text; null for none, and for one that is no text. */
  readonly memo: string | null;
  /** The memo's bytes; null when it is not known. */
  readonly memoHex: string | null;
  /** Unix milliseconds. */
  readonly createdMs: string;
};

/** Encodes an entry. `addressText` gives the text form of an address. */
export function feedEntryJson(
  { cursor, event }: FeedEntry,
  addressText: (recipient: RawAddress) => string,
): FeedEntryJson {
  const memo = event.memo === null ? null : readMemo(event.memo);
  return {
    cursor: String(cursor),
    kind: event.kind,
    txid: event.txid,
    outputIndex: event.outputIndex,
    blockHash: event.blockHash,
    chainIndex: event.chainIndex === null ? null : String(event.chainIndex),
    amountSompi: String(event.amount),
    recipient: addressText(event.recipient),
    addressIndex: event.addressIndex,
    memo: memo?.kind === "text" ? memo.text : null,
    memoHex: event.memo,
    createdMs: String(event.createdMs),
  };
}
