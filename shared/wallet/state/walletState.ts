/**
 * The state of one wallet as plain data, without any key.
 *
 * Invariants: `blocks` are consecutive chain blocks, oldest first, never empty, the last is the
 * cursor; `notes` are ordered by position, `history` by chain order. Whatever a block changed
 * carries that block's chain index, so undoing it needs no second log: see `rollback`.
 */
import type {
  BlockHash,
  BlueScore,
  ChainIndex,
  DaaScore,
  LeafPosition,
  NoteCommitment,
  Nullifier,
  RawAddress,
  Sompi,
  TimestampMs,
  TxId,
} from "../../base/brand.ts";
import { asSompi } from "../../base/brand.ts";
import { unproved, type ChainProof } from "../proof/chainProof.ts";
import type { Payee, Payment, PaymentOrder } from "./payment.ts";
import type { WalletLedger } from "../proof/walletLedger.ts";

/** Version of the state's stored form. */
export const WALLET_STATE_VERSION = 4;

/** The identity of a wallet, and its network. */
export type WalletAccount = {
  /** Digest of the network profile the wallet was made for. */
  readonly profileDigest: string;
  readonly genesis: BlockHash;
  /** Address 0, where change goes. */
  readonly defaultAddress: RawAddress;
  /** The next address to hand out. */
  readonly nextAddressIndex: number;
  /** The chain block after which scanning begins: nothing of this wallet is older. */
  readonly birthday: ChainBlock;
  /**
   * The day on which the wallet was made, as its owner knows it: days since 1970 (UTC). No node has a say in it, so a
   * birthday that was taken on a node's word can be found anew. Null for a wallet that scans from genesis.
   */
  readonly bornOn: number | null;
  /** The node's history began after the birthday: what was found is "at least" (specification wallet 6.6). */
  readonly historyMissing: boolean;
};

/**
 * A false record that only the owner of the notes in it can see to be false. The wallet goes on as everybody would and asks for
 * the same pages; it only says so, until it scans again (decision 23).
 */
export type Contradiction = {
  readonly chainIndex: ChainIndex;
  /** In words, for the owner. */
  readonly reason: string;
};

/** A chain block as far as the wallet remembers it. */
export type ChainBlock = {
  readonly hash: BlockHash;
  readonly chainIndex: ChainIndex;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
  readonly timestamp: TimestampMs;
  /** Size of the note tree after this block. */
  readonly leafEnd: LeafPosition;
};

/** A note of this wallet, unspent or spent within the remembered blocks. */
export type OwnNote = {
  readonly position: LeafPosition;
  readonly value: Sompi;
  readonly recipient: RawAddress;
  /** Null where the scanner could not tell. */
  readonly addressIndex: number | null;
  readonly rho: string;
  readonly rseed: string;
  readonly cmx: NoteCommitment;
  readonly nullifier: Nullifier;
  /** `change` is what came back from a payment of our own. */
  readonly kind: "coinbase" | "received" | "change";
  readonly txid: TxId;
  readonly outputIndex: number;
  readonly chainIndex: ChainIndex;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
  readonly timestamp: TimestampMs;
  readonly memo: string;
  /** False where the node served the note without its memo; left out where it is known. */
  readonly memoKnown?: false;
  /** The applied transaction that spent it, and where. */
  readonly spentBy: { readonly txid: TxId; readonly chainIndex: ChainIndex } | null;
};

/** One line of the history, made when its block was scanned. */
export type HistoryRow = {
  /** Unique: the transaction, for mined notes with the output's number. */
  readonly id: string;
  readonly kind: "mined" | "received" | "sent" | "self";
  readonly txid: TxId;
  readonly chainIndex: ChainIndex;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
  readonly timestamp: TimestampMs;
  /** What was received or paid; for a payment of which this wallet does not know all payees, all that left it. */
  readonly amount: Sompi;
  /** Null when unknown: somebody else's fee, or that of a payment which this wallet neither keeps nor read back whole. */
  readonly fee: Sompi | null;
  /** Text address of the payee, where known. */
  readonly counterparty: string | null;
  /** The payees that were read back from the chain; absent where the payment itself is kept, or nothing could be read. */
  readonly payees?: readonly Payee[];
  /** Hex as on chain, "" for none. */
  readonly memo: string;
  /** False where the node served no memos, and there may be one; left out where it is known. */
  readonly memoKnown?: false;
  /** The own address that received. */
  readonly addressIndex: number | null;
};

/** The state of a wallet. */
export type WalletState = {
  readonly version: typeof WALLET_STATE_VERSION;
  readonly account: WalletAccount;
  readonly blocks: readonly ChainBlock[];
  readonly notes: readonly OwnNote[];
  readonly history: readonly HistoryRow[];
  readonly outbox: readonly Payment[];
  /** Payments over several transactions; these are in the outbox. */
  readonly orders: readonly PaymentOrder[];
  /** The first false record since the scan began; null while none was seen. */
  readonly contradiction: Contradiction | null;
  /** What is counted beside the notes to compare it with the chain's state roots; null for a wallet that asks for no evidence. */
  readonly ledger: WalletLedger | null;
  /** What was proved of the chain. */
  readonly proof: ChainProof;
};

/** Makes the state of a wallet that has scanned nothing yet. */
export function newWallet(account: WalletAccount): WalletState {
  return {
    version: WALLET_STATE_VERSION,
    account,
    blocks: [account.birthday],
    notes: [],
    history: [],
    outbox: [],
    orders: [],
    contradiction: null,
    ledger: null,
    proof: unproved(null),
  };
}

/** The last scanned chain block. */
export function cursorOf(state: WalletState): ChainBlock {
  const cursor = state.blocks.at(-1);
  if (cursor === undefined) throw new TypeError("a wallet state has at least one block");
  return cursor;
}

/** The notes that no applied transaction has spent. */
export function unspentNotes(state: WalletState): readonly OwnNote[] {
  return state.notes.filter((note) => note.spentBy === null);
}

/** The sum of the values of notes. */
export function sumOfNotes(notes: Iterable<{ readonly value: Sompi }>): Sompi {
  let sum = 0n;
  for (const note of notes) sum += note.value;
  return asSompi(sum);
}
