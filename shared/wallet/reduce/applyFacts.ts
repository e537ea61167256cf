/**
 * The reducer of the chain: applies the scan facts of new blocks to the wallet's state.
 *
 * A page is refused for a fault that everybody can check. It is never refused for a fault that only the owner of a note can
 * check: the note is not credited and the state says so, for a refusal would tell the node whose note it is (decision 23).
 *
 * Every block takes effect at once; what is not yet deep enough to be final is undone by
 * `rollback` if the chain changes its mind, and shown as arriving until then.
 */
import type { Nullifier, TxId } from "../../base/brand.ts";
import { MAX_SOMPI } from "../../base/money.ts";
import { blockRows, noteKind, type SpentNote } from "./blockRows.ts";
import { badPage, followingBlock } from "../state/chainView.ts";
import { applyBlockToOutbox, type OwnSpends } from "./outboxChain.ts";
import type { Payment } from "../state/payment.ts";
import { giveNoteIndex, placeOfNote, takeNoteIndex, type NoteIndex } from "./noteIndex.ts";
import { forget } from "./rollback.ts";
import type { ScanFacts, ScannedBlock, ScannedNote } from "../state/scanFacts.ts";
import {
  cursorOf,
  type ChainBlock,
  type Contradiction,
  type HistoryRow,
  type OwnNote,
  type WalletState,
} from "../state/walletState.ts";
import {
  ledgerWith,
  type CountedBlock,
  type Multiply,
  type WalletLedger,
} from "../proof/walletLedger.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** From here on indexes belong to gateways (specification wallet 2.2): they never move the next own address. */
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
 * leaves to the note tree in the same commit. `multiply` joins the nullifiers of blocks that are no longer remembered; without it the
 * wallet keeps no ledger. Throws `wallet/bad-page`.
 */
export function applyFacts(
  state: WalletState,
  page: ScannedPage,
  policy: WalletPolicy,
  multiply: Multiply | null = null,
): WalletState {
  const { blocks, cmx } = page.facts;
  if (blocks.length === 0) return state;
  const leaves = blocks.reduce((sum, block) => sum + block.leaves, 0);
  if (cmx.length !== leaves * LEAF_DIGITS) throw badPage("the leaves do not match the blocks");
  const draft = new Draft(multiply === null ? { ...state, ledger: null } : state, policy);
  for (const [offset, block] of blocks.entries()) {
    draft.apply(block, page.firstIndex + BigInt(offset));
  }
  return forget(draft.finish(), policy, multiply);
}

/** The state while a page is applied: the only place where it is mutable. */
class Draft {
  readonly #start: WalletState;
  readonly #policy: WalletPolicy;
  readonly #blocks: ChainBlock[];
  readonly #notes: OwnNote[];
  readonly #history: HistoryRow[];
  /** Of `#notes`. A nullifier belongs to one position only, whether or not it is spent. */
  readonly #index: NoteIndex;
  /** The notes of all payments: a block decides a payment even if the note that it spends was never found. */
  readonly #reserved: ReadonlySet<Nullifier>;
  #outbox: readonly Payment[];
  #nextAddressIndex: number;
  #cursor: ChainBlock;
  #contradiction: Contradiction | null;
  /** What the blocks of the page add to the ledger. */
  readonly #counted: CountedBlock[] = [];

  constructor(state: WalletState, policy: WalletPolicy) {
    this.#start = state;
    this.#policy = policy;
    this.#blocks = [...state.blocks];
    this.#notes = [...state.notes];
    this.#history = [...state.history];
    this.#index = takeNoteIndex(state.notes);
    this.#outbox = state.outbox;
    this.#reserved = new Set(
      state.outbox.flatMap(({ reserved }) => reserved.map(({ nullifier }) => nullifier)),
    );
    this.#nextAddressIndex = state.account.nextAddressIndex;
    this.#cursor = cursorOf(state);
    this.#contradiction = state.contradiction;
  }

  finish(): WalletState {
    giveNoteIndex(this.#notes, this.#index);
    return {
      ...this.#start,
      account: { ...this.#start.account, nextAddressIndex: this.#nextAddressIndex },
      blocks: this.#blocks,
      notes: this.#notes,
      history: this.#history,
      outbox: this.#outbox,
      contradiction: this.#contradiction,
      ledger: withCounted(this.#start.ledger, this.#counted),
    };
  }

  apply(scanned: ScannedBlock, index: bigint): void {
    const block = followingBlock(this.#cursor, scanned, index);
    const spent = scanned.txs.flatMap(({ txid, nullifiers }) =>
      nullifiers.flatMap((nullifier) => this.#spend(nullifier, txid, block)),
    );
    if (scanned.refused > 0) this.#contradict(block, "a mined note has another commitment");
    const received = scanned.notes.flatMap((note) => this.#receive(note, block, spent));
    this.#history.push(...blockRows({ block, scanned, spent, received, outbox: this.#outbox }));
    this.#outbox = applyBlockToOutbox(this.#outbox, block, this.#spends(scanned), this.#policy);
    this.#blocks.push(block);
    this.#counted.push(countedBlock(block, scanned));
    this.#cursor = block;
  }

  #spends({ txs }: ScannedBlock): OwnSpends {
    const spends = new Map<Nullifier, TxId>();
    for (const { txid, nullifiers } of txs) {
      for (const nullifier of nullifiers) {
        const isFirst = !spends.has(nullifier);
        if (isFirst && this.#reserved.has(nullifier)) spends.set(nullifier, txid);
      }
    }
    return spends;
  }

  /** Marks the own note of this nullifier, if there is one, as spent. */
  #spend(nullifier: Nullifier, txid: TxId, block: ChainBlock): SpentNote[] {
    const position = this.#index.unspent.get(nullifier);
    if (position === undefined) return [];
    const place = placeOfNote(this.#notes, position);
    const note = this.#notes[place];
    if (note === undefined) return [];
    const spent = { ...note, spentBy: { txid, chainIndex: block.chainIndex } };
    this.#index.unspent.delete(nullifier);
    this.#index.worth -= note.value;
    this.#notes[place] = spent;
    return [spent];
  }

  /** Credits a note, unless the owner can see that there cannot be such a note. */
  #receive(scanned: ScannedNote, block: ChainBlock, spent: readonly SpentNote[]): OwnNote[] {
    const fault = this.#faultOf(scanned, block);
    if (fault !== null) {
      this.#contradict(block, fault);
      return [];
    }
    const { hash: _, leafEnd: __, ...place } = block;
    const kind = noteKind(scanned, spent, this.#outbox);
    const note: OwnNote = { ...scanned, ...place, kind, spentBy: null };
    this.#index.known.add(note.nullifier);
    this.#index.unspent.set(note.nullifier, note.position);
    this.#index.worth += note.value;
    this.#notes.push(note);
    const index = note.addressIndex;
    if (index !== null && index < GATEWAY_INDEXES_FROM && index >= this.#nextAddressIndex) {
      this.#nextAddressIndex = index + 1;
    }
    return [note];
  }

  #faultOf(scanned: ScannedNote, block: ChainBlock): string | null {
    const last = this.#notes.at(-1);
    if (scanned.position >= block.leafEnd || (last && scanned.position <= last.position)) {
      return `the note at position ${scanned.position} is out of order`;
    }
    if (this.#index.known.has(scanned.nullifier)) {
      return `the note at position ${scanned.position} is there a second time`;
    }
    if (this.#index.worth + scanned.value > MAX_SOMPI) return "more coins than there are";
    return null;
  }

  /** Only the first is kept: one false record is enough to mistrust the node. */
  #contradict({ chainIndex }: ChainBlock, reason: string): void {
    this.#contradiction ??= { chainIndex, reason };
  }
}

function withCounted(
  ledger: WalletLedger | null,
  blocks: readonly CountedBlock[],
): WalletLedger | null {
  return ledger === null ? null : ledgerWith(ledger, blocks);
}

function countedBlock({ hash, chainIndex }: ChainBlock, scanned: ScannedBlock): CountedBlock {
  return { hash, chainIndex, minted: scanned.minted, spent: scanned.spent };
}
