/**
 * RPC interface of the wallet worker for the page: its calls, and the snapshot of the wallet's state that each change sends
 * anew.
 *
 * Snapshots are plain data. Nothing in them or in the calls is a key or a passphrase; those go between the page and the
 * keyring worker alone.
 */
import type { AddressText, Sompi, TimestampMs, TxId } from "@svc/shared/base/brand.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { AddressRefusal, SignedMessage } from "@svc/shared/signer/addressControl.ts";
import type { Balances } from "@svc/shared/wallet/plan/balances.ts";
import type { ConsolidationOffer } from "@svc/shared/wallet/plan/merging/consolidationOffer.ts";
import type { TransferCapacity } from "@svc/shared/wallet/plan/maxSendableTransfer.ts";
import type { OlderView } from "@svc/shared/wallet/run/olderReader.ts";
import type { HistoryLine } from "@svc/shared/wallet/view/foldMined.ts";
import type { Checkpoints } from "@svc/shared/light/checkpointOf.ts";
import type { NodeWord } from "@svc/shared/wallet/node/otherNodes.ts";
import type { KnownAddress } from "@svc/shared/wallet/plan/lookAlike.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { Contact } from "@svc/shared/wallet/contacts/contacts.ts";
import type { PaymentState } from "@svc/shared/wallet/state/payment.ts";
import type { Rival } from "@svc/shared/wallet/reduce/rival.ts";
import type { ShownChain } from "@svc/shared/wallet/view/shownChain.ts";
import type { WalletStatus } from "@svc/shared/wallet/view/status.ts";
import type { OwnReceipts } from "@svc/shared/wallet/sync/ownReceipts.ts";
import type { RescanFrom } from "@svc/shared/wallet/sync/walletSync.ts";
import type { AutoLock } from "./autoLock.ts";
import type { BackupFacts } from "./backupFacts.ts";
import type { BackupAnnotations, KeptAnnotations } from "./backupAnnotations.ts";
import type { VaultRecord } from "./vaultRecord.ts";
import type { ProvingChoice } from "./provingChoice.ts";
import type { WalletsView } from "./walletEntry.ts";

/** State of the wallet as a whole. `elsewhere`: another tab has it. `moved`: another tab took it from this one. */
export type Access =
  | "starting"
  | "elsewhere"
  | "moved"
  | "broken"
  | "no-wallet"
  | "locked"
  | "opening"
  | "open";

/** A network by its profile. */
export type NetworkView = {
  readonly name: string;
  readonly digest: string;
  /** Prefix of addresses. */
  readonly hrp: string;
  /** One of the profiles that come with this program. */
  readonly builtIn: boolean;
};

/** The node that the wallet talks to. */
export type NodeView = {
  readonly url: string;
  readonly state: "connecting" | "online" | "offline" | "refused";
  /** News come as they happen; otherwise the wallet looks every few seconds. */
  readonly live: boolean;
  /** Milliseconds that its last answer about its tip took; null before the first. */
  readonly answerMs: bigint | null;
  /** The node's own network; null before it has answered. */
  readonly network: NetworkView | null;
  readonly tip: NodeTipView | null;
  /** Whether the node is one of a local network that mines to any address it is told. */
  readonly minesOnRequest: boolean;
  readonly problem: ErrorJson | null;
};

/** What the node last said about itself. */
export type NodeTipView = {
  readonly chainIndex: bigint;
  readonly blueScore: bigint;
  readonly mempoolSize: number;
  readonly isSynced: boolean;
  readonly proverReady: boolean;
};

/** The nodes that the wallet does not follow. */
export type OthersView = {
  /** Origin of the one that gives the second opinion at present; null for none. */
  readonly asked: string | null;
  /** Origin of the node that the next payment is offered to first. */
  readonly pays: string;
  /** What each last said; all of it is its claim. */
  readonly words: readonly NodeWord[];
};

/** A sum that becomes spendable later. */
export type MaturingView = {
  readonly amount: Sompi;
  readonly blocksLeft: bigint;
  readonly secondsLeft: bigint;
};

/** What the node has shown of the chain's work, and what is wrong with it. */
export type EvidenceView = ShownChain & {
  /** What contradicts the node as far as everybody can see, or is missing; null for nothing. */
  readonly doubt: ErrorJson | null;
};

/** The open wallet. */
export type WalletView = {
  readonly status: WalletStatus;
  /** The chain block the numbers are of. */
  readonly asOf: { readonly chainIndex: bigint; readonly timestamp: TimestampMs };
  readonly balances: Balances;
  /** Soonest first, equal times added up. */
  readonly maturing: readonly MaturingView[];
  /** Notes that can be spent now. */
  readonly noteCount: number;
  /** The most that can be paid now, over as many transactions as that takes. */
  readonly sendable: MaxPayment;
  /** Scanning began at a day that somebody remembered: what is older would be missing. */
  readonly birthdayGuessed: boolean;
  /** The sums are of recent blocks alone, and how far the older ones are read; null for a wallet that knows all, or cannot know more. */
  readonly older: OlderView | null;
  readonly address: { readonly text: AddressText; readonly index: number };
  /** The newest lines of the history; the rest on request. */
  readonly recent: readonly HistoryLine[];
  /** Rows of the whole history, none folded. */
  readonly historyLength: number;
  /** Grows with every change of the names and remarks that the history shows. */
  readonly labelVersion: number;
  readonly evidence: EvidenceView;
  /** What stands in the wallet's way, unless it is the doubt of the evidence. */
  readonly problem: ErrorJson | null;
};

/** The stages of a payment. `paused`: of several transactions some are out, and the wallet goes on with the others by itself. */
export type SendStage =
  | "building"
  | "proving"
  | "signing"
  | "broadcasting"
  | "paused"
  | "sent"
  | "failed";

/** The payment under way or the last one. */
export type SendView = {
  readonly id: string;
  readonly stage: SendStage;
  /** 0 to 1 within the stage; null when it cannot be told. */
  readonly fraction: number | null;
  readonly startedMs: number;
  /** It can be cancelled, or what is left of it. */
  readonly cancellable: boolean;
  /** Number of the transaction at hand, from 1 on, and of how many. */
  readonly part: number;
  readonly parts: number;
  /** How many of several transactions are out: signed and stored, on their way or in a block. */
  readonly out: number;
  /** Null for a payment over several transactions. */
  readonly txid: TxId | null;
  /** Sent, but no node has taken it yet; the wallet goes on trying. */
  readonly queued: boolean;
  /** Who else spends its notes; null for nobody. */
  readonly rival: Rival | null;
  readonly error: ErrorJson | null;
};

/** The WebAssembly core, without which there are no keys: it comes after the page. */
export type CoreView = {
  readonly state: "loading" | "ready" | "failed";
  /** Why it did not come. */
  readonly problem: ErrorJson | null;
};

/** What this tab has to do with others. */
export type TabsView = {
  /** What is shown is the wallet of another tab, which has it open: it can be looked at, and not used. */
  readonly following: boolean;
  /** Grows with input in tabs that follow this one. */
  readonly activity: number;
  /** The tab that this one followed has ended, without being asked to give way. */
  readonly holderEnded: boolean;
};

/** The state that the page shows, as of one moment. */
export type Snapshot = {
  readonly access: Access;
  readonly core: CoreView;
  /** Why the wallet is `broken` or did not open. */
  readonly problem: ErrorJson | null;
  readonly node: NodeView;
  readonly others: OthersView;
  /** The network of the wallet, or the one a new wallet would be on. */
  readonly network: NetworkView | null;
  readonly backupConfirmed: boolean;
  /** The wallet holds a viewing key and no seed: it shows and does not pay. */
  readonly watchOnly: boolean;
  /** A passkey of this device opens the wallet, beside the passphrase. */
  readonly deviceUnlock: boolean;
  /** How long the open wallet waits for input before it locks itself. */
  readonly autoLock: AutoLock;
  /** Its owner allowed it to merge notes in the background. */
  readonly mergesNotes: boolean;
  /** Payments from now on can be read back from the chain; null until its owner chose. */
  readonly recoverableHistory: boolean | null;
  /** The tab that has the wallet is making a payment, and was not made to give way. */
  readonly otherTabPays: boolean;
  readonly tabs: TabsView;
  /** All wallets of this browser. */
  readonly wallets: WalletsView;
  readonly wallet: WalletView | null;
  readonly send: SendView | null;
};

/** A payee as it is reviewed. */
export type PayeePreview = {
  readonly address: AddressText;
  readonly own: boolean;
  readonly amount: Sompi;
  /** As it was typed, "" for none. */
  readonly memo: string;
  /** The known address that this one only looks like; null for none. */
  readonly lookAlike: KnownAddress | null;
};

/** A payment that can be made now, for the review step. */
export type PaymentPreview = {
  /** At least one, in the order in which they are paid. */
  readonly payees: readonly PayeePreview[];
  /** All of them are addresses of this wallet. */
  readonly own: boolean;
  /** What all payees get together. */
  readonly amount: Sompi;
  /** Of all transactions together; so are the other sums. */
  readonly fee: Sompi;
  readonly total: Sompi;
  readonly change: Sompi;
  readonly notes: number;
  readonly transactions: number;
  /** How long the change cannot be spent, in seconds. */
  readonly changeSeconds: bigint;
  /** Earlier payments that this one repeats: each may still go through. */
  readonly repeats: readonly { readonly txid: TxId | null; readonly state: PaymentState }[];
  /** Each of them shares a note with this one, so that at most one of them all is paid; else it can only be one more. */
  readonly shares: boolean;
};

/** The most that can be paid now, and what that takes; all zero when nothing can. */
export type MaxPayment = TransferCapacity;

/** A consolidation for review, and the payment to the wallet itself that makes it. */
export type ConsolidationView = ConsolidationOffer & { readonly payee: PayeeText };

/** The fields of a payment link, as they go into the form. */
export type LinkFields = LinkWords & {
  /** At least one; coins in plain decimal, "" where the link leaves an amount open. */
  readonly payees: readonly PayeeText[];
};

/** What a payment link says of its payee, for the eyes of the payer. */
export type LinkWords = {
  /** What the link calls the first payee. */
  readonly label: string | null;
  /** Until when that one wants to be paid; null for no such wish. */
  readonly expiresMs: TimestampMs | null;
};

/** An address that was handed out. */
export type AddressView = {
  readonly index: number;
  readonly text: AddressText;
  /** As its owner named it; "" for no name. */
  readonly label: string;
  readonly received: Sompi;
  /** Number of payments and rewards in that sum. */
  readonly payments: number;
};

/** Addresses, and how many were handed out in all. */
export type AddressPage = { readonly rows: readonly AddressView[]; readonly total: number };

/** A contact as it is typed; `signed` is what shows control of its address, null for nothing new. */
export type ContactText = {
  readonly address: string;
  readonly name: string;
  readonly signed: SignedMessage | null;
};

/** Which lines of the history are asked for. */
export type HistoryQuery = {
  readonly kind: "all" | "received" | "sent" | "mined";
  /** Part of an address, a memo, a name, a remark or a transaction's identity. */
  readonly text: string;
  /** Part of an amount in plain decimal; "" for none. */
  readonly amount: string;
  readonly limit: number;
};

/** Form of a file of the history: for a spreadsheet, or for a program. */
export type HistoryForm = "csv" | "json";

/** Lines of the history and how many there are in all. Mined rows are folded unless they, or a text, were asked for. */
export type HistoryPage = {
  readonly rows: readonly HistoryLine[];
  readonly total: number;
  /** Why the lines lack the annotations of their owner; null while they have them. */
  readonly fault: ErrorJson | null;
};

/** Where a restored wallet begins to scan: everything, some time ago, or what a backup says. */
export type RestoreFrom =
  | { readonly kind: "genesis" | "now" }
  | { readonly kind: "date"; readonly ms: number }
  | {
      readonly kind: "backup";
      readonly facts: BackupFacts;
      readonly annotations: BackupAnnotations;
    };

/** Start options of the wallet worker. */
export type WalletOptions = {
  /** Origin of the node, one of those that the build allows. */
  readonly nodeUrl: string;
  /** Origins of other nodes of the build, the one first that gives the second opinion. */
  readonly otherUrls: readonly string[];
  /** Work of networks that the build of the pages names, beside the release's. */
  readonly checkpoints: Checkpoints;
  readonly proving: ProvingChoice;
};

/** State of the local miner of a node that has one. */
export type LocalMiner = {
  readonly address: string;
  /** Its blocks pay the open wallet. */
  readonly paysUs: boolean;
  readonly blocksPerSecond: number;
  readonly minedBlocks: string;
};

/** The calls. All reject with an `SvcError`. */
export interface WalletApi {
  /** Begins; `listener` gets every snapshot from now on. `keyring` leads to the keyring worker. */
  start(
    keyring: MessagePort,
    listener: (snapshot: Snapshot) => void,
    options: WalletOptions,
  ): Promise<void>;
  /** A fresh keyring worker takes the place of the one before. */
  replaceKeyring(keyring: MessagePort): Promise<void>;
  /** Ends the wallet in the other tab and goes on here; a payment under way there is cancelled only by `force`. */
  takeOver(force: boolean): void;
  /** There was input in this tab: the tab with the wallet waits anew until it locks it. */
  noteActivity(): void;
  /** Agrees to a network that this program does not know. */
  acceptNetwork(digest: string): void;

  /** The sealed seed. Rejects with `wallet/no-wallet`. */
  vault(): Promise<VaultRecord>;
  /**
   * Stores a new wallet's vault, with the annotations of its backup, and opens it with the keys that the keyring has ready. Rejects with
   * `wallet/bad-backup` for annotations that are none; then nothing is stored.
   */
  adopt(vault: VaultRecord, from: RestoreFrom): Promise<void>;
  /** Opens the stored wallet with the keys that the keyring has ready. */
  open(): Promise<void>;
  /** Forgets every key; in a tab that follows another one, there. */
  lock(): Promise<void>;
  /** Removes this wallet and its history from this browser; it has to be the current one. Rejects with `wallet/no-wallet`. */
  erase(id: string): Promise<void>;
  /** Locks the current wallet and takes another one in its place, locked. Rejects with `wallet/no-wallet`; then the locked one stays. */
  chooseWallet(id: string): Promise<void>;
  /** Locks the current wallet, for `adopt` to store one beside it. Rejects with `codec/count-too-large`. */
  newWallet(): Promise<void>;
  /** Names a wallet of this browser, in clear; an empty text takes its name away. */
  renameWallet(id: string, name: string): Promise<void>;
  confirmBackup(): Promise<void>;
  /** Puts the vault under another passphrase, or with another slot for the device, in the place of the one with `header`. Rejects with `wallet/no-wallet`. */
  replaceVault(header: string, next: VaultRecord): Promise<void>;
  /** What a backup of the open wallet holds beside its seed. Rejects with `wallet/locked`. */
  backupFacts(): Promise<BackupFacts>;
  /** The annotations that a backup file of the open wallet holds. Rejects with `wallet/locked`. */
  backupAnnotations(): Promise<KeptAnnotations>;
  /** Chooses how long the open wallet waits for input before it locks itself. */
  setAutoLock(choice: AutoLock): Promise<void>;
  /** Allows or forbids merges in the background. Rejects with `wallet/watch-only`. */
  setMergesNotes(on: boolean): Promise<void>;
  /** Chooses whether payments from now on can be read back from the chain. Rejects with `wallet/watch-only`. */
  setRecoverableHistory(on: boolean): Promise<void>;

  newAddress(): Promise<void>;
  /** The newest addresses that were handed out, newest first. */
  addresses(limit: number): Promise<AddressPage>;
  /** Names an address; an empty text takes its name away. */
  labelAddress(index: number, text: string): Promise<void>;
  /** The contacts, by their names. Rejects with `store/corrupt`, `store/version`. */
  contacts(): Promise<readonly Contact[]>;
  /** Adds a contact, or changes the one with this address. Rejects with `address/*`, and `keys/*` for a proof that does not fit. */
  putContact(contact: ContactText): Promise<void>;
  removeContact(address: string): Promise<void>;
  /** The profile of the wallet's network as JSON: a message is signed for it. Rejects with `wallet/locked`. */
  networkProfile(): Promise<string>;
  /** Why a signed message does not show control of its address; null when it does. Rejects with `address/*` and `codec/*`. */
  verifyMessage(signed: SignedMessage): Promise<AddressRefusal | null>;
  readLink(text: string): Promise<LinkFields>;
  /** The known address that a typed one begins and ends like without being it; null for none. No node is asked. */
  lookAlike(address: string): Promise<KnownAddress | null>;
  /** What is wrong with each payee of a form by itself; null for nothing. Empty fields are nothing wrong. */
  payeeFaults(payees: readonly PayeeText[]): Promise<readonly (ErrorJson | null)[]>;
  /** Checks a payment as it would be made now. Rejects with the code of what is wrong. */
  preview(payees: readonly PayeeText[]): Promise<PaymentPreview>;
  maxPayment(): Promise<MaxPayment>;
  /** What merging notes would take and bring, and the payment that does it, for `send`; null where it does not help. */
  consolidation(): Promise<ConsolidationView | null>;
  /**
   * Pays, over as many transactions as it takes. Resolves when a node has the payment, or it is safe in the outbox. `maxFee` bounds all
   * of them together. `separate`: its owner confirmed that it is one more payment beside those that it would repeat.
   */
  send(payees: readonly PayeeText[], maxFee: Sompi, separate?: boolean): Promise<void>;
  /** Cancels the payment under way, or what is left of it. */
  cancelSend(): void;
  /** Sends nothing more of a payment over several transactions. */
  stopPayment(id: string): Promise<void>;
  /** Forgets the last payment's progress, for the next one. */
  clearSend(): void;
  /** Takes a payment that ended out of the history. Rejects with `wallet/payment-pending`. */
  forgetPayment(id: string): Promise<void>;
  /** Makes the prover ready in the background. */
  warmProver(): void;

  history(query: HistoryQuery): Promise<HistoryPage>;
  /** Gives a line of the history a remark of its owner; an empty text takes it away. */
  labelPayment(rowId: string, text: string): Promise<void>;
  /** The text of a file with all lines that a query asks for; its limit does not count. */
  historyFile(query: Omit<HistoryQuery, "limit">, form: HistoryForm): Promise<string>;
  /** Makes receipts of what a line of the history received or sent. `challenge`: the asker's text, which a payee then answers; empty for none. */
  receipts(rowId: string, challenge: string): Promise<OwnReceipts>;
  /** Scans again, from the birthday unless genesis is named. Rejects with `wallet/node-history-incomplete`. */
  rescan(from?: RescanFrom): Promise<void>;
  retryNode(): void;
  /** Loads the core again that did not come. */
  retryCore(): void;
  /** Asks the nodes that are not followed for their tips, for whoever looks at the list of nodes. */
  lookAtOthers(): Promise<void>;
  localMiner(): Promise<LocalMiner>;
  /** Lets the local miner pay this wallet, or nobody. */
  mineHere(on: boolean): Promise<LocalMiner>;
}
