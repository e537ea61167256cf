/** An entry of a wallet's feed: what happened to a receipt. */
import * as v from "valibot";
import type {
  BlockHash,
  BlueScore,
  ChainIndex,
  DaaScore,
  RawAddress,
  Sompi,
  TimestampMs,
  TxId,
} from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";

/** `seen`: waits for a block; `credited`: a block paid it; `reversed`: that block was undone; `final`: it cannot be any more. */
export type DepositKind = "seen" | "credited" | "reversed" | "final";

/** What happened to one output that pays the wallet. */
export type DepositEvent = {
  readonly kind: DepositKind;
  readonly txid: TxId;
  readonly outputIndex: number;
  /** The block that paid it; null while it is seen only. */
  readonly blockHash: BlockHash | null;
  readonly chainIndex: ChainIndex | null;
  /** Scores of that block. */
  readonly blueScore: BlueScore | null;
  readonly daaScore: DaaScore | null;
  readonly amount: Sompi;
  readonly recipient: RawAddress;
  /** Null where it could not be told. */
  readonly addressIndex: number | null;
  /** Hex, "" for none; null when the node does not serve memos. */
  readonly memo: string | null;
  /** When this machine learned of it. */
  readonly createdMs: TimestampMs;
};

/** Schema of its stored form. */
export const depositSchema: v.GenericSchema<unknown, DepositEvent> = v.object({
  kind: v.picklist(["seen", "credited", "reversed", "final"]),
  txid: fields.txId,
  outputIndex: fields.u32,
  blockHash: v.nullable(fields.blockHash),
  chainIndex: v.nullable(fields.chainIndex),
  blueScore: v.nullable(fields.blueScore),
  daaScore: v.nullable(fields.daaScore),
  amount: fields.sompi,
  recipient: fields.rawAddress,
  addressIndex: v.nullable(fields.u32),
  memo: v.nullable(fields.hex),
  createdMs: fields.timestampMs,
});

/** What happened, as a text: kind, transaction, output, block. An event with the same text is the same one. */
export function depositKey(event: DepositEvent, kind: DepositKind = event.kind): string {
  return `${kind}:${event.txid}:${event.outputIndex}:${event.blockHash ?? ""}`;
}

const UNDOES: { readonly [K in DepositKind]: readonly DepositKind[] } = {
  seen: [],
  credited: ["reversed"],
  reversed: ["credited", "final"],
  final: [],
};

/** The keys of what an event takes back: after it, the same may happen once more, when a chain comes back. */
export function undoneKeys(event: DepositEvent): readonly string[] {
  return UNDOES[event.kind].map((kind) => depositKey(event, kind));
}
