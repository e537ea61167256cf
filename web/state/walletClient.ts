/**
 * Client of the wallet's web workers in the page: starts them, keeps the last snapshot as a store, and offers the actions
 * of the screens.
 */
import { proxy, releaseProxy, transfer, wrap, type Remote } from "comlink";
import { createSignal, type Accessor, type Setter } from "solid-js";
import { createStore, reconcile, type SetStoreFunction } from "solid-js/store";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { readSeedText } from "@svc/shared/wallet/state/seedText.ts";
import type { NetworkView, RestoreFrom, Snapshot, WalletApi } from "../wallet-api/walletApi.ts";
import { workerFault } from "../threads/ownFile.ts";
import { provingChoice } from "../wallet-api/provingChoice.ts";
import type { KeyringApi, ViewingKeyKind } from "../wallet-api/keyringApi.ts";
import type { KeptAnnotations } from "../wallet-api/backupAnnotations.ts";
import { passphraseBytes } from "../wallet-api/passphraseBytes.ts";
import { installRpcErrors } from "../threads/rpcErrors.ts";
import { adoptVault, adoptWallet } from "./adoptWallet.ts";
import { addDevice, removeDevice, unlockByDevice } from "./device/deviceUnlock.ts";
import type { PasskeyRefusal } from "./device/passkey.ts";
import { BUILD_CHECKPOINTS, rolesInUse } from "./nodeChoice.ts";
import { resetRoute } from "./router.ts";
import { startSnapshot } from "../wallet-api/startSnapshot.ts";
import { isMarkedStored, markStored } from "./storedMark.ts";

/** A backup file, and the records of annotations that it lacks. */
export type BackupFile = Pick<KeptAnnotations, "leftOut"> & { readonly file: Uint8Array };

/** A keyring worker and its calls. It lives from one lock to the next. */
type KeyringThread = { readonly worker: Worker; readonly api: Remote<KeyringApi> };

/** One wallet page's connection to its workers. Lives as long as the page. */
export class WalletClient {
  /** Calls that need no passphrase. */
  readonly wallet: Remote<WalletApi>;
  /** Everything to show; fine-grained, so only what changed is drawn again. */
  readonly snapshot: Snapshot;
  /** A seed that was just made and is to be written down; null otherwise. */
  readonly freshSeed: Accessor<Uint8Array | null>;
  /** Whether there was a wallet here, which the browser has removed. */
  readonly isRemoved: Accessor<boolean>;
  #thread: KeyringThread;
  /** The keys of the open wallet went with a lock of this page. */
  #isLocked = false;
  readonly #setSnapshot: SetStoreFunction<Snapshot>;
  readonly #setFreshSeed: Setter<Uint8Array | null>;
  readonly #setRemoved: Setter<boolean>;

  constructor() {
    installRpcErrors();
    [this.snapshot, this.#setSnapshot] = createStore<Snapshot>(
      startSnapshot(rolesInUse().followed),
    );
    [this.freshSeed, this.#setFreshSeed] = createSignal<Uint8Array | null>(null);
    [this.isRemoved, this.#setRemoved] = createSignal(false);
    const worker = new Worker(new URL("../wallet-worker/wallet.worker.ts", import.meta.url), {
      type: "module",
      name: "wallet",
    });
    worker.addEventListener("error", (event) => void this.#workerDied(event));
    this.#thread = this.#startKeyring();
    this.wallet = wrap<WalletApi>(worker);
  }

  /** Connects the workers with each other and begins. */
  async start(): Promise<void> {
    const port = await this.#connectKeyring();
    const listener = (snapshot: Snapshot) => this.#show(snapshot);
    const { followed, second, spare } = rolesInUse();
    const options = {
      nodeUrl: followed,
      otherUrls: second === null ? [] : [second, ...spare],
      checkpoints: BUILD_CHECKPOINTS,
      proving: provingChoice(location.search),
    };
    await this.wallet.start(transfer(port, [port]), proxy(listener), options);
  }

  /** Makes a wallet; its seed is then in `freshSeed`. */
  async create(passphrase: string): Promise<void> {
    this.#setFreshSeed(await this.#adopt(passphrase, null, { kind: "now" }));
  }

  /** Restores a wallet. Throws `wallet/bad-seed`. */
  async restore(passphrase: string, seedText: string, from: RestoreFrom): Promise<void> {
    const typed = readSeedText(seedText);
    if (typed.kind !== "seed") throw new SvcError("wallet/bad-seed", {});
    const seed = await this.#adopt(passphrase, typed.seed, from);
    seed.fill(0);
    await this.wallet.confirmBackup();
  }

  /**
   * Restores a wallet from a backup file, whose passphrase it keeps. Throws `wallet/bad-backup`, `wallet/wrong-passphrase` and
   * the errors of `adopt`; nothing is stored then.
   */
  async restoreFile(passphrase: string, file: Uint8Array<ArrayBuffer>): Promise<void> {
    const bytes = await this.#guess(passphrase);
    const network = this.#network().digest;
    const request = { file, passphrase: bytes, network };
    const { vault, ...content } = await this.#keyring.restoreFile(
      transfer(request, [bytes.buffer]),
    );
    const makers = { keyring: this.#keyring, worker: this.wallet };
    await adoptVault(makers, vault, { kind: "backup", ...content });
    await this.wallet.confirmBackup();
  }

  /** Makes a wallet that only watches, from a full viewing key of 96 bytes. Throws `keys/bad-viewing-key`. */
  async watch(
    passphrase: string,
    viewingKey: Uint8Array<ArrayBuffer>,
    from: RestoreFrom,
  ): Promise<void> {
    const bytes = passphraseBytes(passphrase);
    const request = { passphrase: bytes, viewingKey, network: this.#network().digest };
    const moved = transfer(request, [bytes.buffer, viewingKey.buffer]);
    const vault = await this.#keyring.watch(moved);
    await adoptVault({ keyring: this.#keyring, worker: this.wallet }, vault, from);
    // There is no seed here to be written down.
    await this.wallet.confirmBackup();
  }

  async unlock(passphrase: string): Promise<void> {
    const bytes = await this.#guess(passphrase);
    await this.#keyring.unlock(await this.wallet.vault(), transfer(bytes, [bytes.buffer]));
    await this.wallet.open();
  }

  /** Opens the wallet with this device. Resolves with null, or with why it did not open. */
  unlockByDevice(signal: AbortSignal): Promise<PasskeyRefusal | null> {
    return unlockByDevice(this.#workers, signal);
  }

  /** Has this device open the wallet, too. Resolves with null, or with why it does not. Rejects with `wallet/wrong-passphrase`. */
  async addDevice(
    text: string,
    label: string,
    signal: AbortSignal,
  ): Promise<PasskeyRefusal | null> {
    const known = await this.#guess(text);
    const passphrase = () => new Uint8Array(known);
    const wish = { passphrase, label, signal };
    return addDevice(this.#workers, wish).finally(() => known.fill(0));
  }

  /** Has the passphrase alone open the wallet. */
  removeDevice(): Promise<void> {
    return removeDevice(this.#workers);
  }

  /** The seed, for the eyes of whoever knows the passphrase. Erase it after use. */
  async reveal(passphrase: string): Promise<Uint8Array> {
    const bytes = await this.#guess(passphrase);
    return this.#keyring.reveal(await this.wallet.vault(), transfer(bytes, [bytes.buffer]));
  }

  /** The bytes of a backup file of the open wallet, sealed under its passphrase, and the annotations that are not in it. */
  async backUpToFile(passphrase: string): Promise<BackupFile> {
    const [facts, { annotations, leftOut }, vault, bytes] = await Promise.all([
      this.wallet.backupFacts(),
      this.wallet.backupAnnotations(),
      this.wallet.vault(),
      this.#guess(passphrase),
    ]);
    const request = { passphrase: bytes, networkName: this.#network().name, facts, annotations };
    const file = await this.#keyring.backUp(vault, transfer(request, [bytes.buffer]));
    return { file, leftOut };
  }

  /** A viewing key of the open wallet, for whoever knows the passphrase. Erase it after use. */
  async exportKey(passphrase: string, kind: ViewingKeyKind): Promise<Uint8Array> {
    const bytes = await this.#guess(passphrase);
    const request = transfer({ passphrase: bytes, kind }, [bytes.buffer]);
    return this.#keyring.exportKey(await this.wallet.vault(), request);
  }

  /** Signs a text in the name of the own address with this index, for whoever knows the passphrase. */
  async signMessage(passphrase: string, index: number, message: string): Promise<SignedMessage> {
    const bytes = await this.#guess(passphrase);
    const profileJson = await this.wallet.networkProfile();
    const request = { passphrase: bytes, profileJson, index, message };
    return this.#keyring.signMessage(await this.wallet.vault(), transfer(request, [bytes.buffer]));
  }

  /** Changes the passphrase; the wallet stays open. Rejects with `wallet/wrong-passphrase` and `wallet/weak-passphrase`. */
  async changePassphrase(passphrase: string, next: string): Promise<void> {
    const after = passphraseBytes(next);
    const before = await this.#guess(passphrase);
    const vault = await this.wallet.vault();
    const change = transfer({ passphrase: before, next: after }, [before.buffer, after.buffer]);
    const changed = await this.#keyring.changePassphrase(vault, change);
    await this.wallet.replaceVault(vault.header, changed);
  }

  /** Milliseconds until the next passphrase is looked at. */
  async pauseMs(): Promise<number> {
    return this.#keyring.pauseMs();
  }

  /** Forgets every key. The keyring's thread ends with it, and so does its memory. */
  async lock(): Promise<void> {
    this.#isLocked = true;
    this.forgetSeed();
    await this.#keyring.lock();
    await this.wallet.lock();
    await this.#renewKeyring();
  }

  #show(snapshot: Snapshot): void {
    const { access } = snapshot;
    const before = this.snapshot.access;
    if (access === "open" && before !== access) this.#isLocked = false;
    const lockedElsewhere = access === "locked" && before === "open" && !this.#isLocked;
    const ends = lockedElsewhere || access === "moved" || access === "broken";
    // Snapshots come many times a second, and storage is slow.
    if (access !== before) this.#noteStored(snapshot);
    this.#setSnapshot(reconcile(snapshot, { key: "id" }));
    if (ends && access !== before) void this.#letGo();
  }

  #noteStored({ access, wallets }: Snapshot): void {
    if (access === "locked" || access === "open") markStored(true);
    // With others in the list a new one is being made beside them.
    const isEmpty = access === "no-wallet" && wallets.list.length === 0;
    if (isEmpty) this.#setRemoved(isMarkedStored());
  }

  /** The worker has closed the wallet, which another tab has or locked, or which cannot go on: the keys go as with a lock. */
  async #letGo(): Promise<void> {
    try {
      this.forgetSeed();
      await this.#keyring.lock();
      await this.#renewKeyring();
    } catch (error) {
      // What broke first is told.
      if (this.snapshot.access === "broken") return;
      this.#setSnapshot({ access: "broken", problem: SvcError.from(error).toJSON() });
    }
  }

  /** Removes this wallet, which has to be the current one. Rejects with `wallet/no-wallet`. */
  async erase(id: string): Promise<void> {
    this.forgetSeed();
    await this.#keyring.lock();
    const isLast = this.snapshot.wallets.list.every((wallet) => wallet.id === id);
    await this.wallet.erase(id);
    markStored(!isLast);
    this.#setRemoved(false);
    await this.#renewKeyring();
  }

  /** Locks the current wallet and takes another one, locked. Rejects with `wallet/no-wallet`, and as its store does. */
  async chooseWallet(id: string): Promise<void> {
    await this.#close();
    await this.wallet.chooseWallet(id);
  }

  /** Locks the current wallet and goes to where one more is made. Rejects with `codec/count-too-large`. */
  async addWallet(): Promise<void> {
    await this.#close();
    await this.wallet.newWallet();
  }

  /** No key of the current wallet is left, and an open one is locked. Wrong passphrases that were counted stay so. */
  async #close(): Promise<void> {
    if (this.snapshot.access !== "open") {
      await this.#keyring.lock();
      return;
    }
    await this.lock();
    // The next one does not begin where this one was left; a link that waits for an unlock does.
    resetRoute();
  }

  /** Shows the seed of `reveal` on the backup screen. */
  backUp(seed: Uint8Array): void {
    this.#setFreshSeed(seed);
  }

  /** Erases the seed that was shown. */
  forgetSeed(): void {
    this.freshSeed()?.fill(0);
    this.#setFreshSeed(null);
  }

  /** The seed was written down. Asks the browser not to clear the wallet when space is short. */
  async confirmBackup(): Promise<void> {
    await this.wallet.confirmBackup();
    this.forgetSeed();
    // Browsers decide by their own rules; a no changes nothing that we could do better.
    await navigator.storage.persist().catch(() => false);
  }

  get #workers() {
    return { keyring: this.#keyring, worker: this.wallet };
  }

  get #keyring(): Remote<KeyringApi> {
    return this.#thread.api;
  }

  #startKeyring(): KeyringThread {
    const worker = new Worker(new URL("../keyring/keyring.worker.ts", import.meta.url), {
      type: "module",
      name: "keyring",
    });
    worker.addEventListener("error", (event) => void this.#workerDied(event));
    return { worker, api: wrap<KeyringApi>(worker) };
  }

  /** Gives the keyring the wallet worker's way in; the other end of it. */
  async #connectKeyring(): Promise<MessagePort> {
    const { port1, port2 } = new MessageChannel();
    await this.#keyring.connect(transfer(port1, [port1]));
    return port2;
  }

  /** Erasing is not forgetting: copies that a compiler left behind go with the thread's memory. */
  async #renewKeyring(): Promise<void> {
    const { worker, api } = this.#thread;
    this.#thread = this.#startKeyring();
    api[releaseProxy]();
    worker.terminate();
    const port = await this.#connectKeyring();
    await this.wallet.replaceKeyring(transfer(port, [port]));
  }

  /** Without one of its workers the page can do nothing but be loaded again. */
  async #workerDied(event: Event): Promise<void> {
    // The page has to be loaded again; until then it holds no key.
    this.forgetSeed();
    this.#thread.worker.terminate();
    const fault = await workerFault(event, import.meta.url);
    this.#setSnapshot({ access: "broken", problem: fault.toJSON() });
  }

  async #adopt(
    passphrase: string,
    seed: Uint8Array<ArrayBuffer> | null,
    from: RestoreFrom,
  ): Promise<Uint8Array> {
    const bytes = passphraseBytes(passphrase);
    const wallet = { passphrase: bytes, seed, network: this.#network().digest };
    return adoptWallet({ keyring: this.#keyring, worker: this.wallet }, wallet, from);
  }

  /** The network of the wallet, or of one to be. Throws `wallet/node-unreachable`. */
  #network(): NetworkView {
    const { network, node } = this.snapshot;
    if (network === null) throw new SvcError("wallet/node-unreachable", { url: node.url });
    return network;
  }

  /** A passphrase too short to be the right one counts as a wrong one. */
  async #guess(passphrase: string): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return passphraseBytes(passphrase);
    } catch (error) {
      throw new SvcError("wallet/wrong-passphrase", {}, error);
    }
  }
}
