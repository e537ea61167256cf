/** A daemon's lanes and feeds over a model of a chain and a real store in memory, which a test stops and starts again. */
import { asRawAddress, type RawAddress } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { restart } from "@svc/shared/wallet/reduce/rollback.ts";
import { cursorOf, newWallet, type ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { askTip } from "@svc/shared/wallet/sync/walletSync.ts";
import {
  EPOCH_POLICY,
  freshWallet,
  type ChainModel,
} from "@svc/shared/wallet/testkit/chainModel.ts";
import { FoldTree, ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { asWalletToken } from "../../keys/walletToken.ts";
import { WalletStore } from "../../store/walletStore.ts";
import { keyOfAddress, ModelKeyScan } from "../../testkit/modelKeyScan.ts";
import { LaneCommits } from "../../wallets/laneCommits.ts";
import { Lanes } from "../../wallets/lanes.ts";
import { LaneTree } from "../../wallets/laneTree.ts";
import { LoadedWallet } from "../../wallets/loadedWallet.ts";
import { decodeSnapshot, encodeSnapshot } from "../../wallets/walletSnapshot.ts";
import { DepositFeed } from "../depositFeed.ts";
import { EventFeed } from "../eventFeed.ts";

/** The wallet of the scene, and its address. */
export const TOKEN = asWalletToken("alice");
export const ADDRESS: RawAddress = asRawAddress("0a".repeat(43));

/** The policy of the scene: a payment is final after five blocks, forty are remembered. */
export const SCENE_POLICY = { ...EPOCH_POLICY, recentBlocks: 40 };

/** A daemon with one wallet. */
export class FeedScene {
  readonly model: ChainModel;
  readonly store: WalletStore;
  readonly clock = new SimClock(1_000n);
  readonly feed: EventFeed;
  /** Commits of the lanes fail. */
  isDiskFull = false;
  #lanes: Lanes | null = null;
  #wallet: LoadedWallet;
  #snapshot: Uint8Array | null = null;

  constructor(model: ChainModel, store: WalletStore) {
    this.model = model;
    this.store = store;
    this.feed = new EventFeed(store.events, this.clock);
    this.#wallet = this.#load();
  }

  /** Makes a scene with a store in memory. */
  static async open(model: ChainModel): Promise<FeedScene> {
    return new FeedScene(model, await WalletStore.open(null, null));
  }

  /** The wallet as it is open now. */
  get wallet(): LoadedWallet {
    return this.#wallet;
  }

  /** Starts the daemon with the wallet as its last snapshot has it. */
  async start(): Promise<void> {
    const node = new ModelNode(this.model);
    const { genesis, profileDigest } = freshWallet().account;
    const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
    const place = await this.#blockAt(node, Math.max(0, this.model.length - 30));
    const feed = this.writer();
    const view = [place.block];
    const commits = new LaneCommits(
      {
        store: this.store,
        recentBlocks: SCENE_POLICY.recentBlocks,
        follow: (batch, moved) => {
          feed.follow(batch, moved);
          if (this.isDiskFull) throw new SvcError("store/commit-failed", { reason: "a test" });
        },
      },
      view,
    );
    const tree = new LaneTree(
      makeTree(place.tree),
      { bytes: place.tree, base: place.block.leafEnd },
      false,
    );
    this.store.commit((batch) => this.store.tree.reset(batch, place.tree, place.block.leafEnd));
    const lanes = new Lanes(
      {
        policy: SCENE_POLICY,
        node,
        clock: this.clock,
        scan: new ModelKeyScan(this.model),
        makeTree,
        pageBlocks: 7,
        most: 2,
        askTip: (signal) => askTip(node, { genesis, profileDigest }, signal),
        startAtTip: async () => ({ ...place, historyMissing: false }),
        commit: (change, isMain) => commits.commit(change, isMain),
        onLost: () => {
          throw new Error("the scene reorganises deeper than it remembers");
        },
        onTip: () => undefined,
      },
      { view, tree },
    );
    this.#wallet = this.#load();
    this.#lanes = lanes;
    lanes.add([this.#wallet]);
    lanes.start();
  }

  /** Ends the daemon as a kill does: what no snapshot holds is gone. */
  async kill(): Promise<void> {
    await this.#lanes?.stop();
    this.#lanes = null;
  }

  /** The writer of the feeds, as a daemon makes it. */
  writer(): DepositFeed {
    return new DepositFeed({
      store: this.store,
      policy: SCENE_POLICY,
      clock: this.clock,
      also: () => undefined,
      onNews: (token) => this.feed.changed(token),
    });
  }

  /** Writes the wallet's snapshot. */
  save(): void {
    this.#snapshot = encodeSnapshot({ sequence: this.store.sequence, state: this.#wallet.state });
  }

  /** Scans the wallet again from its birthday. */
  async rescan(): Promise<void> {
    const lanes = this.#lanes;
    if (lanes === null) throw new Error("the daemon does not run");
    const wallet = this.#wallet;
    await lanes.remove(wallet);
    wallet.put(restart(wallet.state, freshWallet().account.birthday, false));
    lanes.add([wallet]);
  }

  /** Lets the daemon come to the tip. */
  async settle(): Promise<void> {
    this.#lanes?.wake();
    for (let tries = 0; tries < 20; tries += 1) {
      await this.clock.run(5_000);
      if (cursorOf(this.#wallet.state).hash === this.model.tip) return;
    }
    throw new Error(
      `the wallet does not come to the tip: ${this.#lanes?.problem?.message ?? "no problem"}`,
    );
  }

  #load(): LoadedWallet {
    const account = { ...freshWallet().account, defaultAddress: ADDRESS };
    const keys = { token: TOKEN, fvk: keyOfAddress(ADDRESS), identity: account };
    const state =
      this.#snapshot === null ? newWallet(account) : decodeSnapshot(this.#snapshot).state;
    return new LoadedWallet(keys, state);
  }

  async #blockAt(node: ModelNode, index: number): Promise<{ block: ChainBlock; tree: Uint8Array }> {
    const { tree, ...place } = await node.start(BigInt(index));
    const leafEnd = BigInt(tree.length / 32);
    const block = { ...freshWallet().account.birthday, ...place, leafEnd } as ChainBlock;
    return { block, tree };
  }
}
