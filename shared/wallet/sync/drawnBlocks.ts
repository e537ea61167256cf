/**
 * Drawn payments that hold under the header of their block and wait for evidence of that block: a header that nobody mined commits to whatever
 * its author likes (docs/design/light-client.md, "Ciphertexts").
 *
 * What waits follows from the pages and from chance, never from a key (decision 23).
 */
import type { ChainIndex, TxId } from "../../base/brand.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import type { DrawPayment } from "../state/ports.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** A drawn payment. */
export type DrawnBlock = {
  /** The block that accepted it, by the node's pages. */
  readonly block: ChainBlock;
  readonly txid: TxId;
  /** It was drawn at the node's tip: no node has forgotten where its block stands. */
  readonly isRecent: boolean;
};

/** Keeps them along one walk of the chain. */
export class DrawnBlocks {
  readonly #draw: DrawPayment;
  #waiting: readonly DrawnBlock[] = [];
  /** How many were drawn for the places of those that wait. */
  #drawn = 0;
  /** A payment was false. */
  #isDoubted: boolean;
  #misses = 0;
  #missing: SvcError | null = null;

  constructor(draw: DrawPayment, fault: ErrorJson | null) {
    this.#draw = draw;
    this.#isDoubted = isFalsePayment(fault);
  }

  /** Takes up what is known of the node, and forgets what waits: its pages come again. */
  reset(fault: ErrorJson | null): void {
    this.#isDoubted = isFalsePayment(fault);
    this.#misses = 0;
    this.#missing = null;
    this.#keep([]);
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
    this.#waiting = this.#waiting.map((one, index) => (index === place ? drawn : one));
  }

  /** Those in blocks up to this one, in the order in which they were drawn. */
  upTo(chainIndex: ChainIndex): readonly DrawnBlock[] {
    return this.#waiting.filter(({ block }) => block.chainIndex <= chainIndex);
  }

  /** One of those that fit, each as likely; null for none. */
  oneOf(fits: (drawn: DrawnBlock) => boolean): DrawnBlock | null {
    const fitting = this.#waiting.filter(fits);
    if (fitting.length === 0) return null;
    const index = this.#draw(fitting.length, fitting.length);
    return index === null ? null : (fitting[index] ?? null);
  }

  /** The node showed where its block stands. Whoever judges that and finds it false resets all of this. */
  shown(drawn: DrawnBlock): void {
    this.#misses = 0;
    this.#isDoubted = false;
    this.drop(drawn);
  }

  /** The node does not show where its block stands. One of the tip is asked for again, and after some times in a row the node is named. */
  missed(drawn: DrawnBlock, error: SvcError): void {
    if (!drawn.isRecent) {
      this.drop(drawn);
      return;
    }
    this.#misses += 1;
    if (this.#misses < WALLET_LIMITS.evidenceTries) return;
    this.#misses = 0;
    this.#missing = new SvcError("evidence/not-shown", { reason: error.code }, error);
    this.drop(drawn);
  }

  /** The fault of a node that does not show such blocks, once; null for none. */
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
    this.#keep(this.upTo(chainIndex));
  }

  #keep(waiting: readonly DrawnBlock[]): void {
    this.#waiting = waiting;
    this.#drawn = waiting.length;
  }
}

function isFalsePayment(fault: ErrorJson | null): boolean {
  return fault?.code === "evidence/other-payload";
}
