/** Wallet creation: makes a vault and stores it; when it cannot be stored, no key of it is left in memory. */
import { transfer } from "comlink";
import type { RestoreFrom } from "../wallet-api/walletApi.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";

/** Inputs of a new wallet. Byte strings are moved, not copied. */
export type NewWallet = {
  /** UTF-8; see `passphraseBytes`. */
  readonly passphrase: Uint8Array<ArrayBuffer>;
  /** Null for a fresh seed. */
  readonly seed: Uint8Array<ArrayBuffer> | null;
  /** Digest of the network's profile. */
  readonly network: string;
};

/** The two workers, as far as a new wallet needs them. */
export type WalletMakers = {
  readonly keyring: {
    create(wallet: NewWallet): Promise<{ readonly vault: VaultRecord; readonly seed: Uint8Array }>;
    lock(): Promise<void>;
  };
  readonly worker: { adopt(vault: VaultRecord, from: RestoreFrom): Promise<void> };
};

/** Gives the seed, to be written down. Rejects with `wallet/bad-seed` and the errors of `adopt`, the keyring locked. */
export async function adoptWallet(
  { keyring, worker }: WalletMakers,
  wallet: NewWallet,
  from: RestoreFrom,
): Promise<Uint8Array> {
  const { passphrase, seed } = wallet;
  const moved = seed === null ? [passphrase.buffer] : [passphrase.buffer, seed.buffer];
  const made = await keyring.create(transfer(wallet, moved));
  try {
    await adoptVault({ keyring, worker }, made.vault, from);
  } catch (error) {
    made.seed.fill(0);
    throw error;
  }
  return made.seed;
}

/** Stores the vault that the keyring has open. Rejects with the errors of `adopt`, the keyring locked. */
export async function adoptVault(
  {
    keyring,
    worker,
  }: {
    readonly keyring: Pick<WalletMakers["keyring"], "lock">;
    readonly worker: WalletMakers["worker"];
  },
  vault: VaultRecord,
  from: RestoreFrom,
): Promise<void> {
  try {
    await worker.adopt(vault, from);
  } catch (error) {
    await keyring.lock();
    throw error;
  }
}
