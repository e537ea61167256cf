/**
 * The reducer of the chain: scan facts of the blocks after the cursor → the next state.
 *
 * Every block takes effect at once; what is not yet deep enough to be final is undone by
 * `rollback` if the chain changes its mind, and shown as arriving until then.
 */
import { asChainIndex, asLeafPosition, type Nullifier, type TxId } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import { blockRows, noteKind, type SpentNote } from "./blockRows.ts";
import { applyBlockToOutbox, type OwnSpends } from "./outboxChain.ts";
import type { Payment } from "./payment.ts";
import { forget } from "./rollback.ts";
import type { ScanFacts, ScannedBlock, ScannedNote } from "./scanFacts.ts";
import {
  cursorOf,
  type ChainBlock,
  type HistoryRow,
  type OwnNote,
  type WalletState,
} from "./walletState.ts";
import type { WalletPolicy } from "./walletPolicy.ts";

/** From here on indexes belong to gateways (corrections A17): they never move the next own address. */
const GATEWAY_INDEXES_FROM = 2 ** 31;

/** A page of records after the cursor. */
export type ScannedPage = {
  /** Chain index of the first block, from the page's container. */
  readonly firstIndex: bigint;
  readonly facts: ScanFacts;
};

/** Hex digits of one leaf. */
const LEAF_DIGITS = 64;

/**
 * The state after the blocks of `page`, which must continue it. The caller appends the page's
 * leaves to the note tree in the same commit. Throws `wallet/bad-page`.
 */
export function applyFacts(
  state: WalletState,
  page: ScannedPage,
  policy: WalletPolicy,
): WalletState {
  const { blocks, cmx } = page.facts;
  if (blocks.length === 0) return state;
  const leaves = blocks.reduce((sum, block) => sum + block.leaves, 0);
  if (cmx.length !== leaves * LEAF_DIGITS) throw badPage("the leaves do not match the blocks");
  const draft = new Draft(state, policy);
  for (const [offset, block] of blocks.entries()) {
    draft.apply(block, page.firstIndex + BigInt(offset));
  }
  return forget(draft.finish(), policy);
}

/** The state while a page is applied: the only place where it is mutable. */
class Draft {
  readonly #start: WalletState;
  readonly #policy: WalletPolicy;
  readonly #blocks: ChainBlock[];
  readonly #notes: OwnNote[];
  readonly #history: HistoryRow[];
  /** Where in `#notes` an unspent note stands. */
  readonly #unspent = new Map<Nullifier, number>();
  /** Every remembered note, spent or not: a nullifier belongs to one position only. */
  readonly #known: Set<Nullifier>;
  #outbox: readonly Payment[];
  #nextAddressIndex: number;
  #cursor: ChainBlock;

  constructor(state: WalletState, policy: WalletPolicy) {
    this.#start = state;
    this.#policy = policy;
    this.#blocks = [...state.blocks];
    this.#notes = [...state.notes];
    this.#history = [...state.history];
    this.#known = new Set(state.notes.map(({ nullifier }) => nullifier));
    this.#outbox = state.outbox;
    this.#nextAddressIndex = state.account.nextAddressIndex;
    this.#cursor = cursorOf(state);
    for (const [index, note] of this.#notes.entries()) {
      if (note.spentBy === null) this.#unspent.set(note.nullifier, index);
    }
  }

  finish(): WalletState {
    return {
      ...this.#start,
      account: { ...this.#start.account, nextAddressIndex: this.#nextAddressIndex },
      blocks: this.#blocks,
      notes: this.#notes,
      history: this.#history,
      outbox: this.#outbox,
    };
  }

  apply(scanned: ScannedBlock, index: bigint): void {
    const block = followingBlock(this.#cursor, scanned, index);
    const spent = scanned.txs.flatMap(({ txid, nullifiers }) =>
      nullifiers.flatMap((nullifier) => this.#spend(nullifier, txid, block)),
    );
    const received = scanned.notes.map((note) => this.#receive(note, block, spent));
    this.#history.push(...blockRows({ block, scanned, spent, received, outbox: this.#outbox }));
    const spends: OwnSpends = new Map(
      spent.map(({ nullifier, spentBy }) => [nullifier, spentBy.txid]),
    );
    this.#outbox = applyBlockToOutbox(this.#outbox, block, spends, this.#policy);
    this.#blocks.push(block);
    this.#cursor = block;
  }

  /** Marks the own note of this nullifier, if there is one, as spent. */
  #spend(nullifier: Nullifier, txid: TxId, block: ChainBlock): SpentNote[] {
    const index = this.#unspent.get(nullifier);
    const note = index === undefined ? undefined : this.#notes[index];
    if (index === undefined || note === undefined) return [];
    const spent = { ...note, spentBy: { txid, chainIndex: block.chainIndex } };
    this.#unspent.delete(nullifier);
    this.#notes[index] = spent;
    return [spent];
  }

  #receive(scanned: ScannedNote, block: ChainBlock, spent: readonly SpentNote[]): OwnNote {
    const last = this.#notes.at(-1);
    if (scanned.position >= block.leafEnd || (last && scanned.position <= last.position)) {
      throw badPage(`a note at position ${scanned.position} is out of order`);
    }
    if (this.#known.has(scanned.nullifier)) {
      throw badPage(`a note at position ${scanned.position} repeats a nullifier`);
    }
    const { hash: _, leafEnd: __, ...place } = block;
    const kind = noteKind(scanned, spent, this.#outbox);
    const note: OwnNote = { ...scanned, ...place, kind, spentBy: null };
    this.#known.add(note.nullifier);
    this.#unspent.set(note.nullifier, this.#notes.length);
    this.#notes.push(note);
    const index = note.addressIndex;
    if (index !== null && index < GATEWAY_INDEXES_FROM && index >= this.#nextAddressIndex) {
      this.#nextAddressIndex = index + 1;
    }
    return note;
  }
}

/** Checks that a scanned block continues the chain and gives it its place. */
function followingBlock(cursor: ChainBlock, scanned: ScannedBlock, index: bigint): ChainBlock {
  if (index !== cursor.chainIndex + 1n)
    throw badPage(`block ${index} follows ${cursor.chainIndex}`);
  if (scanned.firstLeaf !== cursor.leafEnd) {
    throw badPage(`leaf ${scanned.firstLeaf} follows ${cursor.leafEnd}`);
  }
  if (scanned.blueScore <= cursor.blueScore) {
    throw badPage(`blue score ${scanned.blueScore} follows ${cursor.blueScore}`);
  }
  return {
    hash: scanned.hash,
    chainIndex: asChainIndex(index),
    blueScore: scanned.blueScore,
    daaScore: scanned.daaScore,
    timestamp: scanned.timestamp,
    leafEnd: asLeafPosition(scanned.firstLeaf + BigInt(scanned.leaves)),
  };
}

function badPage(reason: string): SvcError {
  return new SvcError("wallet/bad-page", { reason });
}
