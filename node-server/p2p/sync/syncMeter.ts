/** Progress of sync: stage, done of total, speed, time left. */
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** The stages of sync, in the order in which they are done. */
export type SyncStage =
  | "negotiating"
  | "proof"
  | "trusted"
  | "headers"
  | "state"
  | "bodies"
  | "history"
  | "log";

/** How far the present stage is. */
export type SyncProgress = {
  readonly stage: SyncStage;
  /** Headers, blocks or records. */
  readonly done: number;
  /** null when nobody knows. */
  readonly total: number | null;
  /** Of late. */
  readonly perSecond: number;
  /** Milliseconds; null when nobody knows. */
  readonly leftMs: number | null;
  /** Peers that take part. */
  readonly peers: number;
};

type Sample = { readonly atMs: bigint; readonly done: number };

/** Measures one stage after the other. */
export class SyncMeter {
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #onBegin: (stage: SyncStage) => void;
  #stage: SyncStage | null = null;
  #done = 0;
  #total: number | null = null;
  #peers = 1;
  /** Of the last while, the oldest first. */
  #samples: Sample[] = [];

  /** `onBegin` hears each stage as it begins. */
  constructor(clock: Pick<Clock, "steadyMs">, onBegin: (stage: SyncStage) => void = () => {}) {
    this.#clock = clock;
    this.#onBegin = onBegin;
  }

  /** Begins a stage. */
  begin(stage: SyncStage, total: number | null = null): void {
    this.#stage = stage;
    this.#total = total;
    this.#done = 0;
    this.#peers = 1;
    this.#samples = [{ atMs: this.#clock.steadyMs(), done: 0 }];
    this.#onBegin(stage);
  }

  /** So much more is done. */
  add(count: number): void {
    this.#done += count;
    const atMs = this.#clock.steadyMs();
    const last = this.#samples.at(-1);
    if (last !== undefined && Number(atMs - last.atMs) < P2P_LIMITS.syncSampleMs) return;
    this.#samples.push({ atMs, done: this.#done });
    if (this.#samples.length > P2P_LIMITS.syncSamples) this.#samples.shift();
  }

  /** So much it will be, as far as is known now. */
  setTotal(total: number): void {
    this.#total = total;
  }

  /** So many peers take part from now on. */
  setPeers(peers: number): void {
    this.#peers = peers;
  }

  /** Nothing is being done. */
  end(): void {
    this.#stage = null;
  }

  /**
   * Whether bodies are fetched to headers with more work than ours, and to more of them than announcements would bring. Those
   * beside our chain, or a few above it, cost a peer little to make, and it can let us wait for their bodies.
   */
  get lacksBodies(): boolean {
    return this.#stage === "bodies" && (this.#total ?? 0) > P2P_LIMITS.p2pFarDaa;
  }

  /** How far it is; null when nothing is being done. */
  get progress(): SyncProgress | null {
    if (this.#stage === null) return null;
    const [oldest] = this.#samples;
    const passedMs = oldest === undefined ? 0 : Number(this.#clock.steadyMs() - oldest.atMs);
    const late = this.#done - (oldest?.done ?? 0);
    const perSecond = passedMs > 0 ? (1_000 * late) / passedMs : 0;
    const left = this.#total === null ? null : Math.max(0, this.#total - this.#done);
    const leftMs = left === null || perSecond === 0 ? null : Math.round((1_000 * left) / perSecond);
    const [done, total, peers] = [this.#done, this.#total, this.#peers];
    return { stage: this.#stage, done, total, perSecond, leftMs, peers };
  }
}
