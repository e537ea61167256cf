/**
 * The queue of chain changes that a wallet has yet to apply: first in, first out, one at a time.
 *
 * Filling it never waits for what is done with the changes. A change that fails for a reason of this machine stays and is
 * tried again; one that everybody would refuse empties the queue, and its owner asks the node anew.
 */
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError } from "../../base/svcError.ts";
import type { RecordPage } from "../state/ports.ts";
import type { ChainChange } from "./chainFollower.ts";

/** Codes that follow from the node's bytes alone: every wallet meets them alike. */
const PUBLIC_AREAS: readonly string[] = [
  "chain/",
  "codec/",
  "coinbase/",
  "evidence/",
  "header/",
  "shielded/",
];
const PUBLIC_CODES: readonly string[] = ["wallet/bad-page", "wallet/tree-mismatch"];

/** Whether an error is a fault of the node's bytes, and not one of this machine. */
export function isPublicFault({ code }: SvcError): boolean {
  return PUBLIC_CODES.includes(code) || PUBLIC_AREAS.some((area) => code.startsWith(area));
}

function pagesOf(item: ChainChange): readonly RecordPage[] {
  if (item.type === "page") return [item.page];
  if (item.type !== "second" || item.finding.type !== "other") return [];
  return item.finding.page === null ? [] : [item.finding.page];
}

/** The queue and its worker. */
export class ChangeQueue {
  readonly #take: (change: ChainChange) => Promise<void>;
  readonly #items: ChainChange[] = [];
  /** Null again while the change is tried once more. */
  #fault: SvcError | null = null;
  /** After a fault of the node's bytes: later changes stand on nothing. */
  #broken = false;
  /** How often in a row the first change failed. */
  #failed = 0;
  #isWorking = false;
  #work: Promise<void> = Promise.resolve();

  /** `take` is called for one change at a time, in order. */
  constructor(take: (change: ChainChange) => Promise<void>) {
    this.#take = take;
  }

  /** As many pages, or bytes of them, wait to be scanned as may. */
  get isFull(): boolean {
    const pages = this.#items.flatMap(pagesOf);
    const bytes = pages.reduce((sum, { body }) => sum + body.length, 0);
    return (
      pages.length >= WALLET_LIMITS.walletPagesAhead || bytes >= WALLET_LIMITS.walletBytesAhead
    );
  }

  /** Adds a change. A restart makes those before it needless. */
  add(change: ChainChange): void {
    if (change.type === "restart") this.clear();
    if (this.#broken) return;
    this.#items.push(change);
    this.work();
  }

  /** Goes on with what is there, unless it does already. */
  work(): void {
    if (this.#isWorking || this.#items.length === 0) return;
    this.#fault = null;
    this.#isWorking = true;
    this.#work = this.#run();
  }

  /** Resolves when nothing is left to do, or a fault stands in the way. */
  async settled(): Promise<void> {
    while (this.#isWorking) await this.#work;
  }

  /** The fault that stands in the way, or null. */
  get fault(): SvcError | null {
    return this.#fault;
  }

  /** The fault when the first change has failed so often that waiting alone will not help; null else. */
  get stuck(): SvcError | null {
    return this.#failed >= WALLET_LIMITS.walletTriesAhead ? this.#fault : null;
  }

  /** Takes a fault of the node's bytes out of the way; true when there was one, and all must be asked anew. */
  mend(): boolean {
    const broken = this.#broken;
    if (broken) this.clear();
    return broken;
  }

  /** Forgets everything that waits. */
  clear(): void {
    this.#items.length = 0;
    this.#fault = null;
    this.#failed = 0;
    this.#broken = false;
  }

  async #run(): Promise<void> {
    try {
      for (let item = this.#items[0]; item !== undefined; item = this.#items[0]) {
        try {
          await this.#take(item);
          if (this.#items[0] === item) this.#items.shift();
          this.#failed = 0;
        } catch (thrown) {
          if (this.#items[0] !== item) continue;
          this.#fault = SvcError.from(thrown);
          this.#failed += 1;
          this.#broken = isPublicFault(this.#fault);
          if (this.#broken) this.#items.length = 0;
          return;
        }
      }
    } finally {
      // In the same step in which nothing was left: what is added next begins anew.
      this.#isWorking = false;
    }
  }
}
