/** A fake selected chain of empty blocks that a test grows and reorganises, and that answers a fake node's questions. */
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { encodeContainer, type ScanRecord } from "@svc/shared/protocol/http/recordContainer.ts";
import { FakeNode, fakeTip, hashOf } from "./fakeNode.ts";

/** The fake chain. Block 0 is genesis. */
export class FakeChain {
  readonly node = new FakeNode();
  /** Hashes by chain index. */
  chain: string[] = [hashOf(0)];
  /** Blocks that left the chain: the index of the last block below them that stayed. */
  readonly #left = new Map<string, number>();

  constructor() {
    this.node.answers.tip = () => fakeTip(this.chain.length - 1);
    this.node.answers.chainHashAt = (index) => this.chain[Number(index)];
    this.node.answers.records = (after, limit) => this.#records(after, limit);
  }

  /** Replaces everything above an index by these blocks and tells of it. */
  reorganise(keep: number, hashes: readonly string[]): void {
    for (const gone of this.chain.splice(keep + 1)) this.#left.set(gone, keep);
    for (const hash of hashes) this.#left.delete(hash);
    this.chain.push(...hashes);
    this.announce();
  }

  /** Adds blocks on top and tells of it. */
  grow(...hashes: readonly string[]): void {
    this.reorganise(this.chain.length - 1, hashes);
  }

  /** Tells that the chain moved. */
  announce(): void {
    const sink = asBlockHash(this.chain.at(-1) ?? "");
    const score = BigInt(this.chain.length - 1);
    this.node.tell({
      type: "virtualChanged",
      removed: [],
      added: [],
      sink,
      sinkBlueScore: asBlueScore(score),
      daaScore: asDaaScore(score + 1n),
      tips: [sink],
      last: true,
    });
  }

  #records(after: string, limit: number): Uint8Array {
    const index = this.chain.indexOf(after);
    if (index < 0) {
      const common = this.#left.get(after);
      if (common === undefined) throw new SvcError("chain/unknown-block", { hash: after });
      const commonHash = this.chain[common] ?? "";
      throw new SvcError("chain/not-on-chain", { commonHash, chainIndex: common });
    }
    const first = index + 1;
    const records = this.chain.slice(first, first + limit).map(recordOf);
    return encodeContainer(asChainIndex(BigInt(first)), records);
  }
}

function recordOf(hash: string): ScanRecord {
  return {
    hash: asBlockHash(hash),
    blueScore: asBlueScore(0n),
    daaScore: asDaaScore(0n),
    timestamp: asTimestampMs(0n),
    firstLeaf: asLeafPosition(0n),
    coinbaseTxid: asTxId(hash),
    outputs: [],
    transactions: [],
  };
}
