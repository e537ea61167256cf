/**
 * A model wallet with an owner: a passphrase, words of their own, and choices. Keyring and vault are the real ones over the
 * real core, but for the stretching of the passphrase, which takes no time; records are kept in memory, as long as the page.
 */
import { Secret } from "@svc/shared/base/secret.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import type { Keyring } from "../../../keyring/keyring.ts";
import { keyringCalls } from "../../../keyring/keyringCalls.ts";
import { signOwnMessage } from "../../../keyring/signOwnMessage.ts";
import type { KeyringApi } from "../../../wallet-api/keyringApi.ts";
import { passphraseBytes } from "../../../wallet-api/passphraseBytes.ts";
import type { VaultRecord } from "../../../wallet-api/vaultRecord.ts";
import type { Snapshot, WalletApi } from "../../../wallet-api/walletApi.ts";
import type { FakeWorkers } from "../fakeWorkers.ts";
import { cheapKeyring, PASSPHRASE } from "../keys/cheapKeyring.ts";
import { ModelWallet } from "../modelWallet.ts";
import { showWallet } from "../showWallet.ts";
import { ModelAnnotations } from "./modelAnnotations.ts";

/** The day that the wallet was first used: 2026-11-28, in days since 1970. */
const FIRST_DAY = 20_785;

/** How the page begins. */
export type OwnedStage = {
  /** The address's hash; the first screen when left out. */
  readonly hash?: string;
  /** A wallet that only watches, by the full viewing key of the model. */
  readonly watchOnly?: boolean;
  /** Acts of its owner before the page is shown. */
  readonly before?: (wallet: OwnedWallet) => Promise<void>;
};

/** Such a wallet, and the page that shows it. */
export class OwnedWallet {
  readonly model: ModelWallet;
  readonly annotations: ModelAnnotations;
  readonly keyring: Keyring;
  /** The vault as it is stored. */
  vault: VaultRecord;
  readonly #profileJson: string;
  #workers: FakeWorkers | null = null;
  /** Changes to the model's snapshot. */
  #changed: Partial<Snapshot>;

  private constructor(model: ModelWallet, made: Made, watchOnly: boolean) {
    this.model = model;
    this.keyring = made.keyring;
    this.vault = made.vault;
    this.#profileJson = made.profileJson;
    this.#changed = { watchOnly };
    this.annotations = new ModelAnnotations({
      model,
      profileJson: made.profileJson,
      onChange: () => void this.#tell({}),
    });
  }

  /** Makes one with coins, and shows its page until the test ends. */
  static async show({ hash, watchOnly = false, before }: OwnedStage = {}): Promise<OwnedWallet> {
    const model = await ModelWallet.open();
    const owned = new OwnedWallet(model, await make(model, watchOnly), watchOnly);
    await before?.(owned);
    owned.#workers = await showWallet(owned.snapshot(), {
      ...(hash === undefined ? {} : { hash }),
      wallet: owned.#answers(),
      keyring: owned.#keyringAnswers(),
    });
    return owned;
  }

  /** The workers of its page. */
  get workers(): FakeWorkers {
    if (this.#workers === null) throw new TypeError("nothing is shown yet");
    return this.#workers;
  }

  /** A text signed with its seed in the name of its first address; the wallet does not have to be open. */
  signed(message: string): SignedMessage {
    const { core } = this.model;
    using seed = new Secret(this.model.seed);
    const network = core.profileDigest(this.#profileJson);
    const request = { profileJson: this.#profileJson, index: 0, message };
    return signOwnMessage(core, { seed, network }, request);
  }

  /** The page's snapshot, open unless it was locked. */
  snapshot(): Snapshot {
    const open = this.model.snapshot();
    const snapshot = { ...open, ...this.#changed, deviceUnlock: "deviceSlot" in this.vault };
    if (snapshot.access !== "open" || open.wallet === null) return { ...snapshot, wallet: null };
    const labelVersion = this.annotations.labels.known.version;
    return { ...snapshot, wallet: { ...open.wallet, labelVersion } };
  }

  #answers(): Partial<WalletApi> {
    return {
      ...this.model.answers(),
      ...this.annotations.answers(),
      vault: async () => this.vault,
      replaceVault: async (header, next) => {
        if (header !== this.vault.header) throw new TypeError("another vault is stored");
        this.vault = next;
        await this.#tell({});
      },
      backupFacts: async () => ({ birthday: { day: FIRST_DAY }, birthdayGuessed: false }),
      setAutoLock: (autoLock) => this.#tell({ autoLock }),
      lock: () => this.#tell({ access: "locked" }),
      open: async () => {
        // As the worker does: without keys nothing opens.
        this.keyring.forWallet.viewingKeys();
        await this.#tell({ access: "open" });
      },
    };
  }

  #keyringAnswers(): Partial<KeyringApi> {
    // The page starts a keyring after each lock; this one lives on, with nothing open.
    return { ...keyringCalls(this.keyring, () => undefined), connect: () => undefined };
  }

  async #tell(change: Partial<Snapshot>): Promise<void> {
    this.#changed = { ...this.#changed, ...change };
    await this.#workers?.tell(this.snapshot());
  }
}

type Made = {
  readonly keyring: Keyring;
  readonly vault: VaultRecord;
  readonly profileJson: string;
};

/** A keyring with the model's wallet open, and the vault of that wallet. */
async function make(model: ModelWallet, watchOnly: boolean): Promise<Made> {
  const { core, seed } = model;
  const keyring = await cheapKeyring();
  const profile: object = JSON.parse(core.builtInProfile("devnet"));
  const own = JSON.stringify({ ...profile, hrp: TEST_POLICY.hrp });
  const profileJson = core.canonicalProfile(own);
  const network = core.profileDigest(profileJson);
  const passphrase = passphraseBytes(PASSPHRASE);
  if (watchOnly) {
    const viewingKey = core.fullViewingKey(seed);
    return {
      keyring,
      profileJson,
      vault: await keyring.watch({ passphrase, viewingKey, network }),
    };
  }
  const { vault } = await keyring.create({ passphrase, seed, network });
  return { keyring, profileJson, vault };
}
