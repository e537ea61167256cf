/**
 * State machine of the wallet worker: which tab has the wallet, whether it is open, and the snapshot that the page gets.
 *
 * It holds viewing keys while the wallet is open and never the seed. Everything the page shows leaves as one snapshot;
 * bursts of changes are told once.
 */
import { wrap, type Remote } from "comlink";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { loadCore } from "@svc/shared/core/loadCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import type { SignerPort } from "@svc/shared/wallet/state/ports.ts";
import type { KeyringForWallet } from "../wallet-api/keyringApi.ts";
import type { BackupFacts } from "../wallet-api/backupFacts.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";
import { restoredAnnotations } from "./backup/restoredAnnotations.ts";
import { browserClock } from "./browserClock.ts";
import { chance } from "./chance.ts";
import { whyClosed, type StoredNetwork } from "./store/database.ts";
import { deleteDerived } from "./store/derivedStore.ts";
import { KeptWallet } from "./store/keptWallet.ts";
import type {
  Access,
  CoreView,
  NetworkView,
  RestoreFrom,
  Snapshot,
  WalletOptions,
  WalletView,
} from "../wallet-api/walletApi.ts";
import type { LiveFeed } from "../node/liveFeed.ts";
import { mergeable } from "./merging/mergeable.ts";
import { NoteMerger } from "./merging/noteMerger.ts";
import { NodeWatch } from "./nodeWatch.ts";
import { readNetwork, type Network } from "../node/networks.ts";
import { otherNodesAt, othersView } from "./otherNodesAt.ts";
import { ProverHost } from "./proverHost.ts";
import { backupFacts, birthdayOf, isGuessed } from "./store/restoreFrom.ts";
import { SendTask } from "./sendTask.ts";
import { startNodeFeed } from "./startNodeFeed.ts";
import { TabLease } from "./tabLease.ts";
import { ShownTabs } from "./tabs/shownTabs.ts";
import { browserTabs } from "./tabs/tabPorts.ts";
import { walletReads } from "./tabs/walletReads.ts";
import { WalletSession } from "./walletSession.ts";
import { walletView } from "./walletView.ts";
import { requireSameVault } from "./wallets/requireSameVault.ts";
import { WalletPlaces } from "./wallets/walletPlaces.ts";
import { coreModule } from "../node/wasmModules.ts";

/** Snapshots closer together than this are told once. */
const TELL_EVERY_MS = 80;

/** Arguments of the worker's start. */
export type WalletStart = WalletOptions & {
  readonly glue: unknown;
  readonly keyring: MessagePort;
  readonly listener: (snapshot: Snapshot) => void;
};

/** The state behind `WalletApi`; the calls themselves are in `walletCalls`. */
export class WalletHost {
  readonly prover: ProverHost;
  readonly node: HttpNode;
  readonly watch: NodeWatch;
  readonly send: SendTask;
  readonly kept: KeptWallet;
  readonly wallets: WalletPlaces;
  readonly merger = new NoteMerger(browserClock, chance);
  readonly tabs: ShownTabs;
  readonly #start: WalletStart;
  readonly #lease: TabLease;
  readonly #end = new AbortController();
  #keyring: Remote<KeyringForWallet>;
  #core: { readonly glue: CoreGlue; readonly module: WebAssembly.Module } | null = null;
  #coreView: CoreView = { state: "loading", problem: null };
  #isCoreAsked = false;
  #feed: LiveFeed | null = null;
  #session: WalletSession | null = null;
  #opening: { readonly done: Promise<void>; readonly stop: AbortController } | null = null;
  #stored: Network | null = null;
  /** The stored wallet's profile, which the core reads once it is there. */
  #storedProfile: string | null = null;
  #accepted: string | null = null;
  #otherTabPays = false;
  #access: Access = "starting";
  #problem: ErrorJson | null = null;
  #telling: ReturnType<typeof setTimeout> | undefined;
  #toldMs = -TELL_EVERY_MS;
  #resumeAfterMs = 0;

  constructor(start: WalletStart) {
    this.#start = start;
    this.prover = new ProverHost(start.proving);
    this.node = new HttpNode(start.nodeUrl);
    this.#keyring = wrap<KeyringForWallet>(start.keyring);
    this.watch = new NodeWatch(start.nodeUrl, (signal) => this.#readNodeNetwork(signal), this.tell);
    this.send = new SendTask(this.tell);
    this.kept = new KeptWallet(this.tell);
    this.wallets = new WalletPlaces(this.kept, {
      onReplaced: () => this.#set("moved"),
      onClosed: () => void this.#lose(),
    });
    this.tabs = new ShownTabs({
      ports: browserTabs(),
      tab: crypto.randomUUID(),
      reads: walletReads(() => this.session),
      lock: () => void this.lock(),
      onFollowing: () => void this.#lease.claim(),
      onChange: this.tell,
    });
    this.#lease = new TabLease({
      onWaiting: () => {
        this.#set(this.#access === "moved" ? "moved" : "elsewhere");
        void this.loadCore();
      },
      onTaken: () => this.tabs.holderChanged(),
      onHeld: () => {
        this.wallets.hold();
        void this.#enter();
      },
      mayLeave: () => !this.send.isCancellable,
      onAsked: () => this.#leave(),
      onRefused: () => {
        this.#otherTabPays = true;
        this.tell();
      },
    });
    // The browser knows sooner than a request that has to time out.
    addEventListener("offline", () => this.retryNode());
    addEventListener("online", () => this.retryNode());
  }

  /**
   * Waits for the wallet to be free; follows the node when wallet and core are there. The core comes after the first look at the store:
   * compiling it takes both cores of a small machine, and whether to ask for a passphrase can be told without it.
   */
  async run(): Promise<void> {
    this.tell();
    await this.#lease.claim();
  }

  /** Fetches and compiles the core, unless it is there or on its way. The snapshot says how it went. */
  async loadCore(): Promise<void> {
    if (this.#isCoreAsked) return;
    this.#isCoreAsked = true;
    this.#tellCore({ state: "loading", problem: null });
    try {
      const module = await coreModule();
      this.#core = { module, glue: loadCore(this.#start.glue, module) };
      await this.#keyring.init(module);
      this.#tellCore({ state: "ready", problem: null });
    } catch (thrown) {
      this.#isCoreAsked = false;
      this.#core = null;
      const error = SvcError.from(thrown);
      // Another build is there: this page can only be loaded again.
      if (SvcError.is(error, "wallet/page-changed")) this.#break(error);
      this.#tellCore({ state: "failed", problem: error.toJSON() });
      return;
    }
    this.#begin();
  }

  #tellCore(view: CoreView): void {
    this.#coreView = view;
    this.tell();
  }

  /** Takes another keyring worker for the one that ended with the lock. */
  async replaceKeyring(port: MessagePort): Promise<void> {
    this.#keyring = wrap<KeyringForWallet>(port);
    if (this.#core !== null) await this.#keyring.init(this.#core.module);
  }

  /** Asks the other tab to give way; it refuses in the middle of a payment unless `force` is set. */
  takeOver(force: boolean): void {
    this.tabs.noteAsked();
    if (this.#access === "moved") void this.#lease.claim();
    this.#lease.askForIt(force);
  }

  /** Looks at the node now, and for a core that did not come. */
  retryNode(): void {
    if (this.#coreView.state === "failed") void this.loadCore();
    this.watch.wake();
    this.#session?.wake();
  }

  /** Scans everything again. Rejects with `wallet/locked` and the node's errors. */
  async rescan(from: "birthday" | "genesis"): Promise<void> {
    await this.session.rescan(from);
    if (from === "genesis") await this.kept.remember({ birthdayGuessed: false });
  }

  acceptNetwork(digest: string): void {
    this.#accepted = digest;
    this.tell();
  }

  /** The open wallet. Throws `wallet/locked`. */
  get session(): WalletSession {
    if (this.#session === null) throw new SvcError("wallet/locked", {});
    return this.#session;
  }

  /** The open wallet, for what it pays. Throws `wallet/watch-only` where it holds a viewing key alone, and `wallet/locked`. */
  get payer(): WalletSession {
    if (this.kept.watchOnly) throw new SvcError("wallet/watch-only", {});
    return this.session;
  }

  get core(): CoreGlue {
    if (this.#core === null) throw new SvcError("wallet/locked", {});
    return this.#core.glue;
  }

  get url(): string {
    return this.#start.nodeUrl;
  }

  /** Stores a new wallet and opens it. Throws `wallet/exists`, `wallet/node-unreachable`. */
  async adopt(vault: VaultRecord, from: RestoreFrom): Promise<void> {
    const { network, tip } = this.watch;
    if (network === null || tip === null || !this.#isAccepted(network.view)) {
      throw new SvcError("wallet/node-unreachable", { url: this.url });
    }
    const { profileJson, view } = network;
    const birthday = birthdayOf(from, browserClock.nowMs());
    const keys = async () => this.#keyring.viewingKeys();
    const annotations = await restoredAnnotations(from, { core: this.core, hrp: view.hrp, keys });
    await this.wallets.add(vault, { profileJson, digest: view.digest, birthday }, annotations);
    this.kept.note({ birthdayGuessed: isGuessed(from) });
    this.#stored = network;
    this.#set("locked");
    await this.open();
  }

  /** Opens the stored wallet with the keys of the keyring. */
  open(): Promise<void> {
    if (this.#session !== null) return Promise.resolve();
    if (this.#opening !== null) return this.#opening.done;
    const stop = new AbortController();
    const done = this.#openWith(AbortSignal.any([stop.signal, this.#end.signal])).finally(() => {
      this.#opening = null;
    });
    this.#opening = { done, stop };
    return done;
  }

  /** Opens once; when `signal` aborts meanwhile the session is closed again. */
  async #openWith(signal: AbortSignal): Promise<void> {
    // The keyring may have the core before this worker has heard so.
    this.#begin();
    const { module, glue } = this.#core ?? {};
    const network = this.#stored;
    if (module === undefined || glue === undefined || network === null) {
      throw new SvcError("wallet/no-wallet", {});
    }
    const { database } = this.kept;
    this.#set("opening");
    try {
      const { node, prover, tell: onChange } = this;
      const onRestart = () => this.kept.note({ everSynced: false });
      const others = otherNodesAt(this.#start.otherUrls, network, this.tell);
      const shared = { core: glue, module, network, database, prover };
      const parts = { ...shared, node, others, onChange, onRestart };
      const keys = await this.#keyring.viewingKeys();
      requireSameVault(await database.get("vault", "vault"), keys);
      const birthday = await this.kept.birthday();
      const signer: SignerPort = {
        sign: (intent, { bundle, disclosure, alphas }) =>
          this.#keyring.sign(intent, { bundle, disclosure, alphas }),
      };
      const recoverable = () => this.kept.flags.recoverableHistory === true;
      const opening = { ...parts, signer, recoverable };
      const session = await WalletSession.open(opening, keys, birthday, signal);
      if (signal.aborted) {
        await session.close();
        throw new SvcError("wallet/locked", {});
      }
      this.#session = session;
      session.start();
      this.merger.begin(mergeable(session, { kept: this.kept, send: this.send }));
      this.#set("open");
    } catch (error) {
      this.#set("locked");
      throw error;
    }
  }

  async lock(): Promise<void> {
    this.tabs.askLock();
    const opening = this.#opening;
    opening?.stop.abort();
    await opening?.done.catch(() => undefined);
    const session = this.#session;
    this.#session = null;
    this.send.clear();
    const merged = this.merger.stop();
    this.prover.stop();
    if (session !== null) this.#set("locked");
    await merged;
    await session?.close();
  }

  /** Removes the current wallet, which has to be this one. Rejects with `wallet/no-wallet`. */
  async erase(id: string): Promise<void> {
    await this.lock();
    try {
      await this.wallets.remove(id);
      if (this.wallets.view.list.length === 0) await deleteDerived();
    } finally {
      // Another tab may have the wallets by now.
      if (this.wallets.isHeld) await this.#enter();
    }
  }

  /** No wallet can go on in this tab. */
  stop(error: unknown): void {
    this.#break(error);
  }

  /** The store of a wallet is open, and names its network; null where none is stored. */
  took(stored: StoredNetwork | null): void {
    this.#storedProfile = stored?.profileJson ?? null;
    this.#stored = null;
    this.#set(stored === null ? "no-wallet" : "locked");
    this.#begin();
  }

  /** What a backup of the open wallet holds beside its seed. Rejects with `wallet/locked`. */
  async backupFacts(): Promise<BackupFacts> {
    const { account } = this.session.sync.state;
    return backupFacts(await this.kept.birthday(), {
      fromGenesis: account.birthday.chainIndex === 0n,
      birthdayGuessed: this.kept.flags.birthdayGuessed,
    });
  }

  /** Tells the page: at once after a pause, else when the pause is over. */
  readonly tell = (): void => {
    const pauseMs = Math.max(0, this.#toldMs + TELL_EVERY_MS - performance.now());
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#toldMs = performance.now();
      if (this.#session?.loopFacts.everSynced === true && !this.kept.flags.everSynced) {
        this.kept.note({ everSynced: true });
      }
      this.#resume();
      this.#start.listener(this.tabs.show(this.#snapshot()));
    }, pauseMs);
  };

  /** Stops a payment over several transactions, also one that is being made. */
  async stopPayment(id: string): Promise<void> {
    if (this.send.isRunning && this.send.view?.id === id) this.send.cancel();
    else await this.session.stopPayment(id);
  }

  /** Goes on with a payment of which some transactions are out, as its owner confirmed it. */
  #resume(): void {
    const session = this.#session;
    if (session === null || this.send.isRunning || performance.now() < this.#resumeAfterMs) return;
    const id = session.resumable;
    if (id === null) return;
    this.#resumeAfterMs = performance.now() + PAGE_LIMITS.orderResumeMs;
    // What it ends with is in the view.
    this.send.resume(session, id).catch(() => undefined);
  }

  #snapshot(): Snapshot {
    const session = this.#session;
    return {
      access: this.#access,
      core: this.#coreView,
      problem: this.#problem,
      node: this.watch.view,
      others: othersView(session?.others ?? null, this.url),
      network: this.#networkView(),
      backupConfirmed: this.kept.flags.backupConfirmed,
      watchOnly: this.kept.watchOnly,
      deviceUnlock: this.kept.deviceUnlock,
      autoLock: this.kept.flags.autoLock,
      mergesNotes: this.kept.flags.mergesNotes,
      recoverableHistory: this.kept.flags.recoverableHistory,
      otherTabPays: this.#otherTabPays,
      wallets: this.wallets.view,
      tabs: this.tabs.view,
      send: this.send.view,
      wallet: session === null ? null : this.#walletView(session),
    };
  }

  #walletView(session: WalletSession): WalletView {
    return walletView({
      state: session.sync.state,
      policy: session.policy,
      incoming: session.incoming,
      labels: session.annotations.labels.known,
      loop: session.loopFacts,
      nodeAway: this.watch.view.state === "offline",
      everSynced: this.kept.flags.everSynced,
      birthdayGuessed: this.kept.flags.birthdayGuessed,
      older: session.older,
      tip: session.sync.tip,
      addressText: (index) => session.addressText(index),
      nowMs: browserClock.nowMs(),
    });
  }

  /** The wallet's network; before there is a wallet the node's, once it is known or agreed to. */
  #networkView(): NetworkView | null {
    if (this.#stored !== null) return this.#stored.view;
    const network = this.watch.network?.view ?? null;
    return network !== null && this.#isAccepted(network) ? network : null;
  }

  #isAccepted(network: NetworkView): boolean {
    return network.builtIn || network.digest === this.#accepted;
  }

  /** This tab has the wallet now. */
  async #enter(): Promise<void> {
    this.#otherTabPays = false;
    try {
      this.took(await this.wallets.enter());
    } catch (error) {
      if (this.wallets.isHeld) this.#break(error);
    } finally {
      void this.loadCore();
    }
  }

  /** What needs both the store of the wallet and the core. */
  #begin(): void {
    if (this.#core === null || this.kept.opened === null) return;
    try {
      if (this.#storedProfile !== null) {
        this.#stored = readNetwork(this.core, this.#storedProfile, this.#start.checkpoints);
        this.#storedProfile = null;
      }
      if (this.#feed === null) this.#follow();
      this.tell();
    } catch (error) {
      this.#break(error);
    }
  }

  /** The browser closed the store of the open wallet: nothing can be kept any more, so nothing may go on. */
  async #lose(): Promise<void> {
    const { database } = this.wallets;
    this.wallets.leave();
    await this.lock().catch(() => undefined);
    this.#break(new SvcError("wallet/storage-closed", {}));
    const pause = () => browserClock.sleep(WALLET_LIMITS.walletRetryFirstMs, this.#end.signal);
    const reason = await whyClosed(database, pause);
    // Meanwhile the wallet may have gone to another tab, or come back from there.
    if (this.#access === "broken") this.#break(reason);
  }

  /** Another tab takes the wallet. */
  async #leave(): Promise<void> {
    await this.lock();
    this.wallets.leave();
    this.#set("moved");
  }

  /** Follows the node for as long as this worker lives. */
  #follow(): void {
    void this.watch.run(this.#end.signal);
    const session = () => this.#session;
    const readers = { node: this.node, watch: this.watch, session };
    this.#feed = startNodeFeed(this.url, readers, this.#end.signal);
  }

  async #readNodeNetwork(signal: AbortSignal): Promise<Network> {
    return readNetwork(this.core, await this.node.profile(signal), this.#start.checkpoints);
  }

  #break(error: unknown): void {
    this.#problem = SvcError.from(error).toJSON();
    this.#set("broken");
  }

  #set(access: Access): void {
    this.#access = access;
    this.tabs.accessChanged(access);
    this.tell();
  }
}
