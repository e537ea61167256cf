/**
 * A wallet's state as a head and lists of rows, for a store that writes what changed alone.
 *
 * Rows and head are the JSON of the state itself, so there is one schema. Whatever is in no list here is part of the head, and is
 * written with every commit.
 */
import { SvcError } from "../../base/svcError.ts";
import type { WalletState } from "../state/walletState.ts";
import { readWalletState } from "../state/walletStateCodec.ts";

/** The lists. `recent` are those of the ledger. */
export const ROW_LISTS = ["blocks", "notes", "history", "outbox", "recent"] as const;

/** The name of a list. */
export type RowListName = (typeof ROW_LISTS)[number];

/** A value for each list. */
export type PerList<T> = { readonly [Name in RowListName]: T };

/** A list whose rows never change: a changed row is another object. */
export type RowList = {
  readonly rows: readonly object[];
  /**
   * A number that hardly ever falls from one row to the next. It tells rows that were added from rows that are gone; where it is
   * wrong, more is written than was needed.
   */
  readonly orderAt: (index: number) => bigint;
};

/** Makes a value for each list. */
export function perList<T>(make: (name: RowListName) => T): PerList<T> {
  return {
    blocks: make("blocks"),
    notes: make("notes"),
    history: make("history"),
    outbox: make("outbox"),
    recent: make("recent"),
  };
}

/** The lists of a state. */
export function listsOf(state: WalletState): PerList<RowList> {
  const { blocks, notes, history, outbox } = state;
  const recent = state.ledger?.recent ?? [];
  return {
    blocks: { rows: blocks, orderAt: (index) => blocks[index]?.chainIndex ?? 0n },
    notes: { rows: notes, orderAt: (index) => notes[index]?.position ?? 0n },
    history: { rows: history, orderAt: (index) => history[index]?.chainIndex ?? 0n },
    outbox: { rows: outbox, orderAt: (index) => outbox[index]?.createdMs ?? 0n },
    recent: { rows: recent, orderAt: (index) => recent[index]?.chainIndex ?? 0n },
  };
}

/** The state without its lists. */
export function headOf(state: WalletState): object {
  const { ledger } = state;
  const none: readonly never[] = [];
  const counted = ledger === null ? null : { ...ledger, recent: none };
  return { ...state, blocks: none, notes: none, history: none, outbox: none, ledger: counted };
}

/**
 * The state of a head and rows that are parsed and not checked yet. Throws `store/version` for a state of a newer version and
 * `store/corrupt`.
 */
export function stateOf(
  head: unknown,
  { recent, ...lists }: PerList<readonly unknown[]>,
): WalletState {
  if (typeof head !== "object" || head === null) {
    throw new SvcError("store/corrupt", { table: "wallet", reason: "the head is no object" });
  }
  const ledger: unknown = Reflect.get(head, "ledger");
  const hasLedger = typeof ledger === "object" && ledger !== null;
  return readWalletState({
    ...head,
    ...lists,
    ...(hasLedger ? { ledger: { ...ledger, recent } } : {}),
  });
}
