/** RPC interface of the keyring worker, the only thread that ever holds an open seed. */
import type { SignIntent } from "@svc/shared/wallet/state/provePlan.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import type { BackupFacts } from "./backupFacts.ts";
import type { BackupAnnotations } from "./backupAnnotations.ts";
import type { DeviceAnswer, DeviceQuestion } from "./deviceSlot.ts";
import type { VaultRecord } from "./vaultRecord.ts";

/** What a viewing key shows: what comes in, or all that comes and goes. */
export type ViewingKeyKind = "incoming" | "full";

/** A text to be signed in the name of the own address with this index. `profileJson`: that of the wallet's network. */
export type MessageRequest = {
  readonly passphrase: Uint8Array;
  readonly profileJson: string;
  readonly index: number;
  readonly message: string;
};

/** For the page: everything that begins with a passphrase. Byte strings are transferred and erased. */
export interface KeyringApi {
  /** Gives the wallet worker its own way in, once. */
  connect(wallet: MessagePort): void;
  /**
   * Seals a seed, a fresh one when `seed` is null, and keeps it open.
   * Gives the seed back once, to be written down. Rejects with `wallet/bad-seed`.
   */
  create(request: {
    readonly passphrase: Uint8Array;
    readonly seed: Uint8Array | null;
    readonly network: string;
  }): Promise<{ readonly vault: VaultRecord; readonly seed: Uint8Array<ArrayBuffer> }>;
  /** Seals a full viewing key of 96 bytes and keeps it open: it cannot spend. Rejects with `keys/bad-viewing-key`. */
  watch(request: {
    readonly passphrase: Uint8Array;
    readonly viewingKey: Uint8Array;
    readonly network: string;
  }): Promise<VaultRecord>;
  /** Opens the vault. Rejects with `wallet/wrong-passphrase`. */
  unlock(vault: VaultRecord, passphrase: Uint8Array): Promise<void>;
  /** Whether this is the passphrase. Rejects with `wallet/wrong-passphrase`. */
  confirm(vault: VaultRecord, passphrase: Uint8Array): Promise<void>;
  /**
   * The same vault with a slot for a passkey of this device; nothing is stored. The secret is erased. Rejects with
   * `wallet/wrong-passphrase`.
   */
  addDevice(
    vault: VaultRecord,
    request: DeviceAnswer & { readonly passphrase: Uint8Array },
  ): Promise<VaultRecord>;
  /** What to ask the device for; null when the vault has no slot for one. Rejects with `store/corrupt`, `store/version`. */
  deviceQuestion(vault: VaultRecord): DeviceQuestion | null;
  /** Opens the vault by the device's secret, which is erased; false when it is not the right one. Rejects as `deviceQuestion`. */
  unlockByDevice(vault: VaultRecord, secret: Uint8Array): Promise<boolean>;
  /** The seed, after the passphrase was given again. This and all that needs the seed reject with `wallet/watch-only` without one. */
  reveal(vault: VaultRecord, passphrase: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes of a backup file under the vault's passphrase. Rejects with `wallet/wrong-passphrase`. */
  backUp(
    vault: VaultRecord,
    request: {
      readonly passphrase: Uint8Array;
      readonly networkName: string;
      readonly facts: BackupFacts;
      readonly annotations: BackupAnnotations;
    },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Seals the seed of a backup file under the file's passphrase, and keeps it open; nothing is stored. `network`: digest of
   * the profile. Rejects with `wallet/bad-backup`, `wallet/wrong-passphrase`.
   */
  restoreFile(request: {
    readonly file: Uint8Array;
    readonly passphrase: Uint8Array;
    readonly network: string;
  }): Promise<{
    readonly vault: VaultRecord;
    readonly facts: BackupFacts;
    readonly annotations: BackupAnnotations;
  }>;
  /**
   * The same vault under the passphrase `next`; nothing is stored. Both vaults open the same wallet. Rejects with
   * `wallet/wrong-passphrase`.
   */
  changePassphrase(
    vault: VaultRecord,
    change: { readonly passphrase: Uint8Array; readonly next: Uint8Array },
  ): Promise<VaultRecord>;
  /**
   * A viewing key of the seed: the incoming one of 64 bytes, or the full one of 96. Neither can spend; whoever has one sees
   * payments of this seed for ever. Rejects with `wallet/wrong-passphrase`.
   */
  exportKey(
    vault: VaultRecord,
    request: { readonly passphrase: Uint8Array; readonly kind: ViewingKeyKind },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Signs a text in the name of an own address. The signature begins with the full viewing key. Rejects with
   * `wallet/wrong-passphrase`, `wallet/watch-only`, `codec/count-too-large` for a text that is too long, and `store/profile-mismatch`.
   */
  signMessage(vault: VaultRecord, request: MessageRequest): Promise<SignedMessage>;
  /** Milliseconds until the next attempt is looked at. */
  pauseMs(): number;
  /** Erases the seed. */
  lock(): void;
}

/** What the wallet worker needs to scan and to read its store. Cannot spend. */
export type ViewingKeys = {
  /** Id of the vault that the keys are of. */
  readonly vaultId: string;
  readonly viewingKey: Uint8Array<ArrayBuffer>;
  readonly dataKey: Uint8Array<ArrayBuffer>;
};

/** A proved payment as it crosses threads. */
export type ProvedParts = {
  readonly bundle: Uint8Array;
  readonly disclosure: string;
  readonly alphas: string;
};

/** For the wallet worker, over its own channel. */
export interface KeyringForWallet {
  /** The compiled core: this worker has no network to fetch it from. */
  init(core: WebAssembly.Module): void;
  /** Keys of the vault that is open. Rejects with `wallet/locked`. */
  viewingKeys(): ViewingKeys;
  /**
   * Compares the payment with the intent, and this with the whole that it is a part of; then signs it. What nobody confirmed may pay
   * the wallet itself alone. Gives the signatures as JSON.
   */
  sign(intent: SignIntent, proved: ProvedParts): string;
}
