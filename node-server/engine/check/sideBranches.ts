/**
 * Consistency check of side branches: replays blocks beside the selected chain at about the height at which they came, since an
 * engine that has pruned takes no block that branches off far below.
 */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { consensusTable } from "../../storage/layout.ts";
import type { CheckedStores, CheckPages } from "./checkPage.ts";
import { storedRecord } from "./storeDifference.ts";

const CHILDREN = consensusTable("children");
const CHAIN_BY_HASH = consensusTable("chain_by_hash");
const GHOSTDAG = consensusTable("ghostdag");
const HEADERS = consensusTable("headers");
const HASH_BYTES = 32;

/** Follows the children of replayed blocks. */
export class SideBranches {
  readonly #stores: CheckedStores;
  readonly #pages: CheckPages;
  /** Children above the selected chain's present block, and how high they are. */
  #waiting: { readonly hash: string; readonly blueScore: bigint }[] = [];

  constructor(stores: CheckedStores, pages: CheckPages) {
    this.#stores = stores;
    this.#pages = pages;
  }

  /**
   * Hands over what lies beside `chainBlock` and not above it, with everything that follows from these `fed` blocks.
   * Of the sink only what is lower: a tip as high as it, whose proofs were still awaited, would be the sink now.
   */
  follow(
    chainBlock: string,
    fed: readonly string[],
    { isSink }: { readonly isSink: boolean },
  ): void {
    const own = this.#blueScore(chainBlock);
    if (own === null) return;
    const height = isSink ? own - 1n : own;
    const queue = [...fed];
    for (let block = queue.pop(); block !== undefined; block = queue.pop()) {
      this.#collect(block);
      if (queue.length > 0) continue;
      const due = this.#waiting.filter(({ blueScore }) => blueScore <= height);
      this.#waiting = this.#waiting.filter(({ blueScore }) => blueScore > height);
      for (const { hash } of due) queue.push(...this.#pages.add(hash));
    }
  }

  #collect(block: string): void {
    const children =
      storedRecord(this.#stores.stored, CHILDREN, decodeHex(block)) ?? new Uint8Array();
    for (let at = 0; at < children.length; at += HASH_BYTES) {
      const key = children.subarray(at, at + HASH_BYTES);
      // Those of the selected chain come in their turn.
      if (storedRecord(this.#stores.stored, CHAIN_BY_HASH, key) !== undefined) continue;
      if (callCore(() => this.#stores.computed.storedRecord(HEADERS, key)) !== undefined) continue;
      const hash = encodeHex(key);
      const blueScore = this.#blueScore(hash);
      const isKnown = this.#waiting.some((waiting) => waiting.hash === hash);
      if (blueScore !== null && !isKnown) this.#waiting.push({ hash, blueScore });
    }
  }

  /** As the store says; what is wrong with it is found when the block is compared. */
  #blueScore(hash: string): bigint | null {
    const data = storedRecord(this.#stores.stored, GHOSTDAG, decodeHex(hash));
    // A version, then the blue score.
    return data === undefined || data.length < 9 ? null : new ByteReader(data.subarray(1)).u64();
  }
}
