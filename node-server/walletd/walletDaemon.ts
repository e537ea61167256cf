/**
 * The wallet daemon without its server: the wallets of a folder over one scan of a node's chain.
 *
 * It starts without the node and finds it when it comes: what is on disk can be shown before.
 */
import { asBlockHash, asTimestampMs, type BlockHash } from "@svc/shared/base/brand.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { IncomingPayment } from "@svc/shared/wallet/reduce/incoming.ts";
import type { ClockPort, NodePort, NodeTip } from "@svc/shared/wallet/state/ports.ts";
import {
  walletPolicy,
  type PolicyProfile,
  type WalletPolicy,
} from "@svc/shared/wallet/state/walletPolicy.ts";
import { startBelow } from "@svc/shared/wallet/sync/birthday.ts";
import { askTip } from "@svc/shared/wallet/sync/walletSync.ts";
import type { Log } from "../platform/log/log.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { KeyScanPort } from "../scanning/scanThreads.ts";
import type { WalletFolder } from "./keys/walletFolder.ts";
import type { StoreBatch } from "../storage/rows/storeBatch.ts";
import type { WalletStore } from "./store/walletStore.ts";
import { WALLETD_LIMITS } from "./walletdLimits.ts";
import type { LoadedWallet } from "./wallets/loadedWallet.ts";
import { LaneCommits } from "./wallets/laneCommits.ts";
import { Lanes } from "./wallets/lanes.ts";
import { OpenWallets } from "./wallets/openWallets.ts";
import type { MovedWallet } from "./wallets/scanLane.ts";
import { SnapshotWriter } from "./wallets/snapshotWriter.ts";
import { storedPlace } from "./wallets/storedPlace.ts";
import { storeAllNodes, storeNodes, type TreeStore } from "./wallets/storeNodes.ts";

/** How much a daemon does at once, and for how long it keeps what nobody asks for. */
export type DaemonSettings = {
  /** Lanes beside the one at the tip, `--sync-wallets`. */
  readonly lanes: number;
  /** Wallets opened at once, `--load-wallets`. */
  readonly opening: number;
  /** Wallets in memory at most, `--max-resident-wallets`. */
  readonly most: number;
  /** Milliseconds after which a wallet that nobody asks for is dropped, `--idle-evict`. */
  readonly idleMs: bigint;
  /** Notes that one transaction may spend. */
  readonly maxSpends?: number;
};

/** Dependencies of a daemon. It closes none of them. */
export type DaemonParts = {
  readonly core: CoreGlue;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly folder: WalletFolder;
  readonly store: WalletStore;
  readonly node: NodePort;
  readonly scan: KeyScanPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: DaemonSettings;
  /** Receipts of a wallet that wait for a block. */
  readonly incoming?: (wallet: LoadedWallet) => readonly IncomingPayment[];
  /** Adds what else follows from a wallet's move to the commit of it. */
  readonly follow?: (batch: StoreBatch, moved: MovedWallet) => void;
};

/** A running daemon. */
export class WalletDaemon {
  readonly wallets: OpenWallets;
  readonly policy: WalletPolicy;
  readonly #parts: DaemonParts;
  readonly #lanes: Lanes;
  readonly #writer: SnapshotWriter;
  readonly #stop = new AbortController();
  #upkeep: Promise<void> = Promise.resolve();
  #tip: NodeTip | null = null;
  #tipMs = 0n;
  #scannedUnix = 0;

  /** Reads what is stored of the chain. Throws `store/corrupt` and its kin. */
  constructor(parts: DaemonParts) {
    const { core, profileJson, store, node, settings } = parts;
    this.#parts = parts;
    const profile: PolicyProfile = JSON.parse(profileJson);
    this.policy = walletPolicy(profile, { maxSpends: settings.maxSpends });
    const network = {
      genesis: asBlockHash(callCore(() => core.genesisHash(profileJson))),
      profileDigest: callCore(() => core.profileDigest(profileJson)),
    };
    const ask = (signal: AbortSignal) => this.#askTip(network, signal);
    const makeTree = (bytes: Uint8Array) => new CoreTree(core, bytes);
    const start = { node, policy: this.policy, makeTree };
    this.#lanes = this.#makeLanes(start, ask, network.genesis);
    this.#writer = new SnapshotWriter(parts);
    this.wallets = new OpenWallets({
      folder: parts.folder,
      load: {
        folder: parts.folder,
        store,
        network,
        view: () => this.#lanes.main.view,
        log: parts.log,
      },
      shared: {
        store,
        lanes: this.#lanes,
        tip: () => this.#tip,
        incoming: parts.incoming ?? (() => []),
      },
      start,
      askTip: ask,
      writer: this.#writer,
      clock: parts.clock,
      log: parts.log,
      ...settings,
    });
  }

  /** What the node last said of its tip; null before it has answered. */
  get tip(): NodeTip | null {
    return this.#tip;
  }

  /** Milliseconds since the node last answered; null before it has. */
  get tipAgeMs(): bigint | null {
    return this.#tip === null ? null : this.#parts.clock.steadyMs() - this.#tipMs;
  }

  /** When the lane at the tip last had scanned all that the node has, in Unix seconds; 0 for never. */
  get scannedUnix(): number {
    return this.#scannedUnix;
  }

  /** Why nothing can be stored: no payment is made then, and no event told. Null when all is well. */
  get storeProblem(): SvcError | null {
    return this.#parts.store.problem;
  }

  /** The lanes that scan for the wallets. */
  get lanes(): Lanes {
    return this.#lanes;
  }

  /** Begins to follow the chain, and to keep the wallets on disk. */
  start(): void {
    this.#lanes.start();
    this.#upkeep = this.#keepUp();
  }

  /** There is news: look at the node now. */
  wake(): void {
    this.#lanes.wake();
  }

  /** Stops, and writes all wallets to disk. Rejects as `OpenWallets.stop` does, stopped all the same. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#upkeep;
    try {
      await this.wallets.stop();
    } finally {
      // Before the lanes free the tree.
      await this.#keepNodes(storeAllNodes);
      await this.#lanes.stop();
    }
  }

  /** A failure costs the next start some time and nothing else: a full disk is told of elsewhere. */
  async #keepNodes(
    keep: (store: TreeStore, tree: NoteTree) => boolean | Promise<void>,
  ): Promise<void> {
    const shared = this.#lanes.main.tree;
    if (shared === null) return;
    try {
      await keep(this.#parts.store, shared.tree);
    } catch (err) {
      this.#parts.log.debug({ err }, "inner nodes of the note tree were not stored");
    }
  }

  #makeLanes(
    start: {
      readonly node: NodePort;
      readonly policy: WalletPolicy;
      readonly makeTree: (bytes: Uint8Array) => CoreTree;
    },
    ask: (signal: AbortSignal) => Promise<NodeTip>,
    genesis: BlockHash,
  ): Lanes {
    const { store, scan, clock, settings } = this.#parts;
    const place = storedPlace(store, start.makeTree, genesis);
    const follow = this.#parts.follow ?? (() => undefined);
    const view = place.tree === null ? [] : place.view;
    const { recentBlocks } = this.policy;
    const commits = new LaneCommits({ store, recentBlocks, follow }, view);
    return new Lanes(
      {
        ...start,
        scan,
        clock: walletClock(clock),
        most: settings.lanes,
        askTip: ask,
        startAtTip: (tip, signal) => startBelow(start, tip.daaScore, tip, signal),
        commit: (change, isMain) => commits.commit(change, isMain),
        onLost: (lost) => void this.wallets.replace(lost),
        onTip: () => {
          this.#scannedUnix = Number(clock.nowMs() / 1_000n);
          for (const open of this.wallets.all) {
            if (open.isAtTip) open.syncedUnix = this.#scannedUnix;
          }
        },
      },
      place,
    );
  }

  async #askTip(network: Parameters<typeof askTip>[1], signal: AbortSignal): Promise<NodeTip> {
    const tip = await askTip(this.#parts.node, network, signal);
    this.#tip = tip;
    this.#tipMs = this.#parts.clock.steadyMs();
    return tip;
  }

  /** Writes what is due, and drops what nobody asks for, until the daemon stops. */
  async #keepUp(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#parts.clock.sleep(WALLETD_LIMITS.upkeepMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        this.#parts.store.retry();
        await this.#writer.saveDue(this.wallets.all);
        await this.#keepNodes(storeNodes);
        await this.wallets.dropIdle();
      } catch (err) {
        this.#parts.log.error({ err }, "wallets were not written");
      }
    }
  }
}

/** A clock as wallets want it. */
export function walletClock(clock: Clock): ClockPort {
  return {
    nowMs: () => asTimestampMs(clock.nowMs()),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}
