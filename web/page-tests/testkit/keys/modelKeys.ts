/** Keys of a wallet for page tests: the keyring worker's own code over the same core, with a quick key stretching. */
import { Secret } from "@svc/shared/base/secret.ts";
import type { Keyring } from "../../../keyring/keyring.ts";
import { cheapArgon2id } from "../../../keyring/testkit/cheapArgon2id.ts";
import { sealBackup } from "../../../keyring/backupFile.ts";
import { NO_ANNOTATIONS, type BackupAnnotations } from "../../../wallet-api/backupAnnotations.ts";
import type { BackupFacts } from "../../../wallet-api/backupFacts.ts";
import type { KeyringApi } from "../../../wallet-api/keyringApi.ts";
import { passphraseBytes } from "../../../wallet-api/passphraseBytes.ts";
import type { VaultRecord } from "../../../wallet-api/vaultRecord.ts";
import type { Snapshot, WalletApi } from "../../../wallet-api/walletApi.ts";
import type { WorkerAnswers } from "../fakeWorkers.ts";
import { cheapKeyring } from "./cheapKeyring.ts";

/** The network of the keys. */
const NETWORK = { digest: "d1".repeat(32), name: "net" } as const;

/** The first day of the wallet: 1 November 2026. */
const FACTS: BackupFacts = {
  birthday: { day: Date.UTC(2026, 10, 1) / 86_400_000 },
  birthdayGuessed: false,
};

/** A keyring, and the vault of a wallet that it opens. */
export class ModelKeys {
  readonly passphrase: string;
  readonly seed: Uint8Array;
  readonly vault: VaultRecord;
  readonly #keyring: Keyring;

  private constructor(passphrase: string, seed: Uint8Array, keyring: Keyring, vault: VaultRecord) {
    this.passphrase = passphrase;
    this.seed = seed;
    this.#keyring = keyring;
    this.vault = vault;
  }

  /** Seals a seed under a passphrase. */
  static async seal(passphrase: string, seed = new Uint8Array(32).fill(0x5a)): Promise<ModelKeys> {
    const keyring = await cheapKeyring();
    const request = { seed: seed.slice(), network: NETWORK.digest };
    const bytes = passphraseBytes(passphrase);
    const { vault } = await keyring.create({ ...request, passphrase: bytes });
    return new ModelKeys(passphrase, seed, keyring, vault);
  }

  /** The same snapshot, on the network of the keys. */
  static on(snapshot: Snapshot): Snapshot {
    const { name, digest } = NETWORK;
    return { ...snapshot, network: { name, digest, hrp: "x", builtIn: true } };
  }

  /** Answers of the keyring, and of a worker that stores the vault. A new wallet is taken, and stored nowhere. */
  answers(): { readonly wallet: Partial<WalletApi>; readonly keyring: WorkerAnswers["keyring"] } {
    const keyring: Omit<KeyringApi, "connect"> = this.#keyring;
    return {
      wallet: {
        vault: async () => this.vault,
        backupFacts: async () => FACTS,
        backupAnnotations: async () => ({ annotations: NO_ANNOTATIONS, leftOut: [] }),
        adopt: async () => undefined,
        confirmBackup: async () => undefined,
      },
      keyring: {
        create: (request) => keyring.create(request),
        watch: (request) => keyring.watch(request),
        reveal: (vault, passphrase) => keyring.reveal(vault, passphrase),
        backUp: (vault, request) => keyring.backUp(vault, request),
        exportKey: (vault, request) => keyring.exportKey(vault, request),
        restoreFile: (request) => keyring.restoreFile(request),
        pauseMs: () => keyring.pauseMs(),
        lock: () => keyring.lock(),
      },
    };
  }

  /** The bytes of the wallet's backup file, with these annotations. */
  file(annotations: BackupAnnotations = NO_ANNOTATIONS): Uint8Array<ArrayBuffer> {
    using seed = new Secret(this.seed.slice());
    using passphrase = new Secret(passphraseBytes(this.passphrase));
    const content = { seed, facts: FACTS, annotations };
    return sealBackup(content, { network: NETWORK, passphrase }, cheapArgon2id);
  }
}
