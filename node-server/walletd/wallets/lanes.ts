/**
 * The lanes of a daemon: one at the tip of the chain with the tree that all wallets share, and beside it a bounded number that
 * bring wallets up to it.
 *
 * Wallets that lie behind wait until a lane comes past the block at which they stand; the one furthest behind gets a lane of its
 * own when there is room. So a stretch of the chain that many need is asked for and scanned once.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NodePort, NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import type { FoundStart } from "@svc/shared/wallet/sync/birthday.ts";
import { FollowLoop } from "../../scanning/followLoop.ts";
import { LaneTree } from "./laneTree.ts";
import type { LoadedWallet } from "./loadedWallet.ts";
import { ScanLane, type LaneChange, type LaneParts, type LanePlace } from "./scanLane.ts";

/** Dependencies of the lanes. */
export type LanesParts = Pick<
  LaneParts,
  "policy" | "clock" | "scan" | "makeTree" | "pageBlocks" | "askTip"
> & {
  readonly node: Pick<NodePort, "blocks" | "start">;
  /** Lanes beside the one at the tip. */
  readonly most: number;
  /** Where the lane at the tip begins anew when the node knows none of its blocks. */
  readonly startAtTip: (tip: NodeTip, signal: AbortSignal) => Promise<FoundStart>;
  /** Makes a change durable: of the shared chain when `isMain`, and of the wallets that it moved. */
  readonly commit: (change: LaneChange, isMain: boolean) => void;
  /** These wallets stand on a chain that the node does not know; they are in no lane. */
  readonly onLost: (wallets: readonly LoadedWallet[]) => void;
  /** What the node said of its tip, when the lane at the tip has come to it. */
  readonly onTip: (tip: NodeTip) => void;
};

type Running = {
  readonly lane: ScanLane;
  readonly loop: FollowLoop;
  readonly stop: AbortController;
};

/** The lanes, and which wallet is in which. */
export class Lanes {
  readonly #parts: LanesParts;
  readonly #main: Running;
  readonly #behind = new Set<Running>();
  readonly #waiting = new Set<LoadedWallet>();
  readonly #runs = new Set<Promise<void>>();
  /** Wallets whose first leaves this node no longer has: no tree can be made for them here. */
  readonly #treeless = new WeakSet<LoadedWallet>();
  /** Why the last lane for a waiting wallet could not begin. */
  #problem: SvcError | null = null;
  #opening = false;
  /** The lane at the tip knows where it is. */
  #isBegun: boolean;
  #isStopped = false;

  /** `place` is where the lane at the tip goes on; where it has no tree, it begins anew as soon as the node answers. */
  constructor(parts: LanesParts, place: LanePlace) {
    this.#parts = parts;
    this.#isBegun = place.tree !== null;
    const lane = new ScanLane(
      {
        ...this.#laneParts(true),
        startAgain: parts.startAtTip,
        onTip: async (tip) => {
          parts.onTip(tip);
          this.#fill();
        },
      },
      { ...place, makesTree: true },
    );
    this.#main = this.#running(lane);
  }

  /** The lane at the tip. */
  get main(): ScanLane {
    return this.#main.lane;
  }

  /** What keeps the daemon from following the chain; null for nothing. */
  get problem(): SvcError | null {
    return this.#main.loop.problem ?? this.#problem;
  }

  /** Begins to follow the chain. */
  start(): void {
    this.#run(this.#main);
  }

  /** There is news: look at the node now. */
  wake(): void {
    for (const { loop } of [this.#main, ...this.#behind]) loop.wake();
  }

  /** Takes in wallets that have a state. Each is scanned for from the block on at which it stands. */
  add(wallets: readonly LoadedWallet[]): void {
    for (const wallet of wallets) this.#waiting.add(wallet);
    this.#fill();
  }

  /** Lets a wallet go. When it resolves no lane moves it any more. */
  async remove(wallet: LoadedWallet): Promise<void> {
    this.#waiting.delete(wallet);
    for (const { lane } of [this.#main, ...this.#behind]) await lane.leave([wallet]);
    // It may have changed lanes meanwhile: then it is in the one at the tip, which was asked first.
    this.#waiting.delete(wallet);
    if (this.main.wallets.has(wallet)) await this.main.leave([wallet]);
  }

  /** Whether the wallet is scanned for at the tip. */
  isAtTip(wallet: LoadedWallet): boolean {
    return this.main.wallets.has(wallet);
  }

  /** Ends all lanes. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const running = [this.#main, ...this.#behind];
    for (const { stop } of running) stop.abort();
    await Promise.all(this.#runs);
    await Promise.all(running.map(({ lane }) => lane.close()));
  }

  #laneParts(isMain: boolean): Omit<LaneParts, "startAgain" | "onTip"> {
    const { commit, onLost } = this.#parts;
    return {
      ...this.#parts,
      commit: (change) => commit(change, isMain),
      waiting: () => this.#waiting,
      onJoined: (joined) => {
        for (const wallet of joined) this.#waiting.delete(wallet);
      },
      onLost,
    };
  }

  #running(lane: ScanLane): Running {
    const { clock } = this.#parts;
    const follow = async (signal: AbortSignal): Promise<void> => {
      if (!this.#isBegun) await lane.beginAnew(signal);
      this.#isBegun = true;
      await lane.follow(signal);
    };
    const loop = new FollowLoop({ scan: lane, follow }, clock);
    return { lane, loop, stop: new AbortController() };
  }

  #run({ loop, stop }: Running): void {
    const run: Promise<void> = loop.run(stop.signal).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  /** Puts waiting wallets where they belong, as far as there is room. */
  #fill(): void {
    if (!this.#isBegun) return;
    void this.main.join();
    if (this.#isStopped || this.#opening || this.#behind.size >= this.#parts.most) return;
    const next = this.#next();
    if (next === null) return;
    this.#opening = true;
    void next
      .then(
        (place) => this.#open(place),
        (thrown: unknown) => {
          this.#problem = SvcError.from(thrown);
        },
      )
      .finally(() => {
        this.#opening = false;
      });
  }

  /** Where the next lane begins; null when none is needed. */
  #next(): Promise<LanePlace | null> | null {
    const early = this.#earliestWithoutTree();
    if (early !== undefined) return this.#placeWithTree(early);
    const lowest = this.#furthestBehind();
    return lowest === undefined ? null : Promise.resolve({ view: lowest.state.blocks, tree: null });
  }

  /** The waiting wallet that stands lowest; none when a lane below will come past all of them. */
  #furthestBehind(): LoadedWallet | undefined {
    const waiting = [...this.#waiting].filter(
      ({ state }) => cursorOf(state).hash !== this.main.tip.hash,
    );
    const lowest = waiting.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))[0];
    if (lowest === undefined) return undefined;
    const comes = [...this.#behind].some(({ lane }) => lane.tip.chainIndex <= placeOf(lowest));
    return comes ? undefined : lowest;
  }

  /** The wallet with the earliest birthday below the shared tree, unless a lane makes a tree for it already. */
  #earliestWithoutTree(): LoadedWallet | undefined {
    const base = this.main.tree?.base ?? 0n;
    const made = [...this.#behind].map(({ lane }) => lane.tree?.base ?? base);
    const first = made.reduce((a, b) => (a < b ? a : b), base);
    return [...this.main.wallets, ...this.#waiting]
      .filter((wallet) => birthdayOf(wallet) < first && !this.#treeless.has(wallet))
      .toSorted((a, b) => (birthdayOf(a) < birthdayOf(b) ? -1 : 1))[0];
  }

  /** The wallet's birthday, from which the tree has to be made; wallets are met on the way up. */
  async #placeWithTree(wallet: LoadedWallet): Promise<LanePlace | null> {
    const { birthday } = wallet.state.account;
    const { signal } = this.#main.stop;
    const { tree, hash } = await this.#parts.node.start(birthday.chainIndex, signal);
    if (hash !== birthday.hash) {
      this.#treeless.add(wallet);
      return null;
    }
    const start = { bytes: tree, base: birthday.leafEnd };
    const made = new LaneTree(this.#parts.makeTree(tree), start, true);
    return { view: [birthday], tree: made };
  }

  async #open(place: LanePlace | null): Promise<void> {
    this.#problem = null;
    if (place === null || this.#isStopped) {
      place?.tree?.tree.free();
      return;
    }
    const running = this.#catchUpLane(place);
    this.#behind.add(running);
    await running.lane.join();
    this.#run(running);
    this.#fill();
  }

  #catchUpLane(place: LanePlace): Running {
    const running: Running = this.#running(
      new ScanLane(
        {
          ...this.#laneParts(false),
          startAgain: this.#parts.startAtTip,
          // Nothing remembered holds: the lane ends, and its wallets find their own places.
          onLost: (wallets) => {
            this.#end(running);
            this.#parts.onLost(wallets);
          },
          onTip: async () => {
            if (await this.#isTakenOver(running)) this.#end(running);
          },
        },
        { ...place, makesTree: false },
      ),
    );
    return running;
  }

  /** Whether the lane at the tip has taken over. Where it is further already there is more to scan at once. */
  async #isTakenOver({ lane, loop }: Running): Promise<boolean> {
    if (await this.main.takeOver(lane)) return true;
    await this.main.settled();
    if (await this.main.takeOver(lane)) return true;
    if (this.main.tip.chainIndex > lane.tip.chainIndex) loop.wake();
    return false;
  }

  /** Ends a lane that has nothing left to do; it is closed when its loop has come to its end. */
  #end(running: Running): void {
    if (!this.#behind.delete(running)) return;
    running.stop.abort();
    setImmediate(() => void running.lane.close());
    setImmediate(() => this.#fill());
  }
}

function placeOf({ state }: LoadedWallet): bigint {
  return cursorOf(state).chainIndex;
}

function birthdayOf({ state }: LoadedWallet): bigint {
  return state.account.birthday.leafEnd;
}
