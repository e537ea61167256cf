/** The page's end of the workers: starts them, keeps the last snapshot, offers what screens do. */
import { proxy, transfer, wrap, type Remote } from "comlink";
import { createSignal, type Accessor, type Setter } from "solid-js";
import { createStore, reconcile, type SetStoreFunction } from "solid-js/store";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EngineApi, RestoreFrom, Snapshot } from "../engine/engineApi.ts";
import { provingChoice } from "../engine/provingChoice.ts";
import type { KeyringApi } from "../keyring/keyringApi.ts";
import { passphraseBytes } from "../keyring/vault.ts";
import { installRpcErrors } from "../workers/rpcErrors.ts";
import { startSnapshot } from "./startSnapshot.ts";

const SEED_FORM = /^[0-9a-f]{64}$/;

/** One wallet page's connection to its workers. Lives as long as the page. */
export class WalletClient {
  /** Calls that need no passphrase. */
  readonly engine: Remote<EngineApi>;
  /** Everything to show; fine-grained, so only what changed is drawn again. */
  readonly snapshot: Snapshot;
  /** A seed that was just made and is to be written down; null otherwise. */
  readonly freshSeed: Accessor<Uint8Array | null>;
  readonly #keyring: Remote<KeyringApi>;
  readonly #setSnapshot: SetStoreFunction<Snapshot>;
  readonly #setFreshSeed: Setter<Uint8Array | null>;

  constructor() {
    installRpcErrors();
    [this.snapshot, this.#setSnapshot] = createStore<Snapshot>(startSnapshot(location.origin));
    [this.freshSeed, this.#setFreshSeed] = createSignal<Uint8Array | null>(null);
    const keyring = new Worker(new URL("../workers/keyring.worker.ts", import.meta.url), {
      type: "module",
      name: "keyring",
    });
    const engine = new Worker(new URL("../workers/engine.worker.ts", import.meta.url), {
      type: "module",
      name: "engine",
    });
    for (const worker of [keyring, engine]) {
      worker.addEventListener("error", (event) => this.#workerDied(event));
    }
    this.#keyring = wrap<KeyringApi>(keyring);
    this.engine = wrap<EngineApi>(engine);
  }

  /** Connects the workers with each other and begins. */
  async start(): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    await this.#keyring.connect(transfer(port1, [port1]));
    const listener = (snapshot: Snapshot) => this.#setSnapshot(reconcile(snapshot, { key: "id" }));
    const proving = provingChoice(location.search);
    await this.engine.start(transfer(port2, [port2]), proxy(listener), proving);
  }

  /** Makes a wallet; its seed is then in `freshSeed`. */
  async create(passphrase: string): Promise<void> {
    this.#setFreshSeed(await this.#adopt(passphrase, null, { kind: "now" }));
  }

  /** Restores a wallet. Throws `wallet/bad-seed`. */
  async restore(passphrase: string, seedText: string, from: RestoreFrom): Promise<void> {
    const digits = seedText.replaceAll(/\s/g, "").toLowerCase();
    if (!SEED_FORM.test(digits)) throw new SvcError("wallet/bad-seed", {});
    const seed = await this.#adopt(passphrase, decodeHex(digits), from);
    seed.fill(0);
    await this.engine.confirmBackup();
  }

  async unlock(passphrase: string): Promise<void> {
    const bytes = await this.#guess(passphrase);
    await this.#keyring.unlock(await this.engine.vault(), transfer(bytes, [bytes.buffer]));
    await this.engine.open();
  }

  /** The seed, for the eyes of whoever knows the passphrase. Erase it after use. */
  async reveal(passphrase: string): Promise<Uint8Array> {
    const bytes = await this.#guess(passphrase);
    return this.#keyring.reveal(await this.engine.vault(), transfer(bytes, [bytes.buffer]));
  }

  /** Milliseconds until the next passphrase is looked at. */
  async pauseMs(): Promise<number> {
    return this.#keyring.pauseMs();
  }

  async lock(): Promise<void> {
    this.forgetSeed();
    await this.#keyring.lock();
    await this.engine.lock();
  }

  async erase(): Promise<void> {
    this.forgetSeed();
    await this.#keyring.lock();
    await this.engine.erase();
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
    await this.engine.confirmBackup();
    this.forgetSeed();
    // Browsers decide by their own rules; a no changes nothing that we could do better.
    await navigator.storage.persist().catch(() => false);
  }

  /** Without one of its workers the page can do nothing but be loaded again. */
  #workerDied(event: ErrorEvent): void {
    const { code, data } = new SvcError("wallet/worker-failed", { reason: event.message });
    this.#setSnapshot({ access: "broken", problem: { code, data } });
  }

  async #adopt(
    passphrase: string,
    seed: Uint8Array<ArrayBuffer> | null,
    from: RestoreFrom,
  ): Promise<Uint8Array> {
    const bytes = passphraseBytes(passphrase);
    const { network } = this.snapshot;
    if (network === null) {
      throw new SvcError("wallet/node-unreachable", { url: this.snapshot.node.url });
    }
    const request = { passphrase: bytes, seed, network: network.digest };
    const moved = seed === null ? [bytes.buffer] : [bytes.buffer, seed.buffer];
    const made = await this.#keyring.create(transfer(request, moved));
    await this.engine.adopt(made.vault, from);
    return made.seed;
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
