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
  /** How often it was asked for in vain. */
  readonly misses: number;
  /** Blue score of the node's pages from which it is asked for again. */
  readonly due: bigint;
  /** What the node said instead. */
  readonly reason: SvcError;
};

/** A block whose place was shown with evidence of a tip of this blue score, and may not be judged yet. */
type ShownBlock = { readonly drawn: DrawnBlock; readonly tip: BlueScore };

/** Keeps them along one walk of the chain. */
export class DrawnBlocks {
  readonly #draw: DrawPayment;
  #waiting: readonly DrawnBlock[] = [];
  #shown: readonly ShownBlock[] = [];
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

  /**
   * Takes up what is known of the node, the last block that was taken in, and the blue score up to which evidence was. What lies above is
   * forgotten, since those pages come again; what was shown with evidence that was not taken waits again.
   */
  reset(fault: ErrorJson | null, applied: ChainIndex, judged: BlueScore | null): void {
    this.#isDoubted = isFalsePayment(fault);
    this.#missing = null;
    const unjudged = this.#shown.filter(({ tip }) => judged === null || tip > judged);
    this.#shown = [];
    this.#hold([...this.#waiting, ...unjudged.map(({ drawn }) => drawn)]);
    this.#cutAt(applied);
    this.#hold(this.#waiting.slice(0, WALLET_LIMITS.evidenceDrawnMax));
  }

  /** The scan begins anew: nothing of the chain before has to be on the one that comes. */
  clear(): void {
    this.#keep([]);
    this.#shown = [];
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

  /**
   * Those in blocks up to this one, in the order in which they are asked for: two that were asked for in vain most often, so that no other keeps
   * them from it, then the newest that were not, then the rest.
   */
  upTo(chainIndex: ChainIndex): readonly DrawnBlock[] {
    const all = this.#waiting.filter(({ block }) => block.chainIndex <= chainIndex);
    const missed = (one: DrawnBlock): number => this.#misses.get(one) ?? 0;
    const again = all
      .filter((one) => missed(one) > 0)
      .toSorted((one, other) => missed(other) - missed(one));
    const fresh = all
      .filter((one) => missed(one) === 0)
      .toSorted((one, other) => Number(other.block.chainIndex - one.block.chainIndex));
    return [...again.slice(0, 2), ...fresh, ...again.slice(2)];
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

  /** The node showed where its block stands, with evidence of this tip. Whoever judges that and finds it false resets all of this. */
  shown(drawn: DrawnBlock, tip: BlueScore): void {
    this.#isDoubted = false;
    this.drop(drawn);
    this.#shown = [...this.#shown, { drawn, tip }].slice(-WALLET_LIMITS.evidenceDrawnMax);
  }

  /**
   * The node does not show where its block stands, at a tip of this blue score. An old one is dropped, since a node may lack the log of old
   * blocks; not one that it did not show before. A recent one is asked for again, and from the third look on the node is named for it.
   */
  missed(drawn: DrawnBlock, tip: BlueScore, error: SvcError): void {
    const isOld = drawn.block.blueScore + WALLET_LIMITS.evidenceDrawnRecent < tip;
    if (isOld && !this.#misses.has(drawn)) {
      this.drop(drawn);
      return;
    }
    if (this.#missedNow.has(drawn)) return;
    this.#missedNow.add(drawn);
    const misses = (this.#misses.get(drawn) ?? 0) + 1;
    this.#misses.set(drawn, misses);
    if (misses < WALLET_LIMITS.evidenceTries) return;
    this.#missing = notShown(error);
  }

  /** A payment that the node does not show whole; from the third time on the node is named for it. */
  refuse(draw: RefusedDraw): void {
    this.refused = draw;
    if (draw.misses >= WALLET_LIMITS.evidenceTries) this.#missing = notShown(draw.reason);
  }

  /**
   * The fault of a node that again did not show a block or a payment; null for none. `isEnded`: evidence came, which ends what was told before,
   * so that a payment which is still not shown is told anew.
   */
  takeMissing(isEnded: boolean): SvcError | null {
    if (isEnded && this.refused !== null) this.refuse(this.refused);
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
    this.#shown = this.#shown.filter(({ drawn }) => drawn.block.chainIndex <= chainIndex);
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

function notShown(cause: SvcError): SvcError {
  return new SvcError("evidence/not-shown", { reason: cause.code }, cause);
}

function isFalsePayment(fault: ErrorJson | null): boolean {
  return fault?.code === "evidence/other-payload";
}
