/**
 * Drawn payments that hold under the header of their block and wait for evidence of that block: a header that nobody mined commits to whatever
 * its author likes (docs/design/light-client.md, "Ciphertexts").
 *
 * What waits follows from the pages and from chance, never from a key (decision 23).
 */
import type { BlueScore, ChainIndex, TxId } from "../../base/brand.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import type { DrawPayment } from "../state/ports.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** A drawn payment. */
export type DrawnBlock = {
  /** The block that accepted it, by the node's pages. */
  readonly block: ChainBlock;
  readonly txid: TxId;
};

/** A drawn payment that the node did not show whole. */
export type RefusedDraw = {
  readonly block: ChainBlock;
  /** Its place among the payments of the block. */
  readonly place: number;
  /** The payment as the page has it. */
  readonly told: Uint8Array;
  /** How often in a row it was asked for in vain. */
  readonly misses: number;
};

/** Keeps them along one walk of the chain. */
export class DrawnBlocks {
  readonly #draw: DrawPayment;
  #waiting: readonly DrawnBlock[] = [];
  /** How many were drawn for the places of those that wait. */
  #drawn = 0;
  /** How often each was asked for in vain. */
  readonly #misses = new Map<DrawnBlock, number>();
  /** Those that were asked for in vain since the look began. */
  readonly #missedNow = new Set<DrawnBlock>();
  #missing: SvcError | null = null;
  /** A payment was false. */
  #isDoubted: boolean;
  /** It is asked for again in the place of another draw; null for none. */
  refused: RefusedDraw | null = null;

  constructor(draw: DrawPayment, fault: ErrorJson | null) {
    this.#draw = draw;
    this.#isDoubted = isFalsePayment(fault);
  }

  /** Takes up what is known of the node, and forgets what lies above the last block that was taken in: those pages come again. */
  reset(fault: ErrorJson | null, applied: ChainIndex): void {
    this.#isDoubted = isFalsePayment(fault);
    this.#missing = null;
    this.#cutAt(applied);
  }

  /** The scan begins anew: nothing of the chain before has to be on the one that comes. */
  clear(): void {
    this.#keep([]);
    this.refused = null;
  }

  /** A payment of the next page has to be looked at: one was false, and none waits by which the node may show that it tells the truth. */
  get wantsOne(): boolean {
    return this.#isDoubted && this.#waiting.length === 0;
  }

  /** One more. Where no more may wait, chance decides which do: a node cannot know whether a false one will be looked at again. */
  add(drawn: DrawnBlock): void {
    this.#drawn += 1;
    if (this.#waiting.length < WALLET_LIMITS.evidenceDrawnMax) {
      this.#waiting = [...this.#waiting, drawn];
      return;
    }
    const place = this.#draw(this.#drawn, this.#drawn);
    this.#hold(this.#waiting.map((one, index) => (index === place ? drawn : one)));
  }

  /** Those in blocks up to this one; the ones that were asked for in vain come last. */
  upTo(chainIndex: ChainIndex): readonly DrawnBlock[] {
    const missed = (one: DrawnBlock): number => this.#misses.get(one) ?? 0;
    return this.#waiting
      .filter(({ block }) => block.chainIndex <= chainIndex)
      .toSorted((one, other) => missed(one) - missed(other));
  }

  /** One of those that fit, each as likely; null for none. */
  oneOf(fits: (drawn: DrawnBlock) => boolean): DrawnBlock | null {
    const fitting = this.#waiting.filter(fits);
    if (fitting.length === 0) return null;
    const index = this.#draw(fitting.length, fitting.length);
    return index === null ? null : (fitting[index] ?? null);
  }

  /** A look at the node begins: whatever is asked for in vain within it counts once. */
  beginLook(): void {
    this.#missedNow.clear();
  }

  /** The node showed where its block stands. Whoever judges that and finds it false resets all of this. */
  shown(drawn: DrawnBlock): void {
    this.#isDoubted = false;
    this.drop(drawn);
  }

  /**
   * The node does not show where its block stands, at a tip of this blue score. An old one is dropped, since a node may lack the log of old
   * blocks. A recent one is asked for with each evidence, and from the third look on the node is named for it.
   */
  missed(drawn: DrawnBlock, tip: BlueScore, error: SvcError): void {
    if (drawn.block.blueScore + WALLET_LIMITS.evidenceDrawnRecent < tip) {
      this.drop(drawn);
      return;
    }
    if (this.#missedNow.has(drawn)) return;
    this.#missedNow.add(drawn);
    const misses = (this.#misses.get(drawn) ?? 0) + 1;
    this.#misses.set(drawn, misses);
    if (misses < WALLET_LIMITS.evidenceTries) return;
    this.#missing = new SvcError("evidence/not-shown", { reason: error.code }, error);
  }

  /** The fault of a node that again did not show such a block; null for none. */
  takeMissing(): SvcError | null {
    const missing = this.#missing;
    this.#missing = null;
    return missing;
  }

  /** It stays what the node told. */
  drop(drawn: DrawnBlock): void {
    this.#keep(this.#waiting.filter((one) => one !== drawn));
  }

  /** The blocks above this one are gone. */
  cut({ chainIndex }: ChainBlock): void {
    this.#cutAt(chainIndex);
  }

  #cutAt(chainIndex: ChainIndex): void {
    this.#hold(this.#waiting.filter(({ block }) => block.chainIndex <= chainIndex));
    if (this.refused !== null && this.refused.block.chainIndex > chainIndex) this.refused = null;
  }

  #keep(waiting: readonly DrawnBlock[]): void {
    this.#hold(waiting);
    this.#drawn = waiting.length;
  }

  #hold(waiting: readonly DrawnBlock[]): void {
    this.#waiting = waiting;
    for (const one of this.#misses.keys()) if (!waiting.includes(one)) this.#misses.delete(one);
  }
}

function isFalsePayment(fault: ErrorJson | null): boolean {
  return fault?.code === "evidence/other-payload";
}
