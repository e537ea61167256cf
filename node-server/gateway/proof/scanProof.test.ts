import { describe, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asTimestampMs,
  type BlueScore,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { isProved, provedUpTo, type WorkLadder } from "@svc/shared/light/workLadder.ts";
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { scannedBlock } from "../testkit/scannedChain.ts";
import { rungsOf } from "./rungs.ts";
import {
  begunAt,
  cutTo,
  floorAfter,
  ladderOf,
  scanYardstick,
  UNPROVED,
  withStep,
  type ProvedStep,
  type ScanProof,
} from "./scanProof.ts";

/** A block with these bits takes some 131,000 hashes, and one with the others a quarter of them. */
const BITS = 0x1e_7f_ff_00;
const EASY = 0x1f_01_ff_fc;
const DAY_MS = 86_400_000n;

/** The state of a block, with a child of this work. */
function step(index: number, total: bigint, bits = BITS): ProvedStep {
  const child = {
    hash: asBlockHash((index + 1).toString(16).padStart(64, "0")),
    blueScore: asBlueScore(BigInt(index + 1)),
    bits,
    timestamp: asTimestampMs(0n),
  };
  const hash = asBlockHash(index.toString(16).padStart(64, "0"));
  return { hash, chainIndex: asChainIndex(BigInt(index)), blueScore: scoreOf(index), child, total };
}

const scoreOf = (index: number): BlueScore => asBlueScore(BigInt(index));

/** The proof of a scan that follows a chain of equal blocks from the first to the last. */
function followed(last: number, bits = BITS): ScanProof {
  const each = workOfBits(bits);
  let proof = UNPROVED;
  for (let index = 1; index <= last; index += 1) {
    proof = withStep(proof, step(index, each * BigInt(index), bits));
  }
  return proof;
}

/** The last state of such a chain. */
function endOf(last: number, bits = BITS): ProvedStep {
  return step(last, workOfBits(bits) * BigInt(last), bits);
}

describe("the ladder of a proof", () => {
  it("counts the headers above a state in blocks of the last one's work", () => {
    const ladder = ladderOf(followed(10), 0n);
    expect(ladder.steps.at(-1)).toEqual({ blueScore: 10n, above: 1n });
    expect(provedUpTo(ladder, 1n)).toBe(10n);
    expect(provedUpTo(ladder, 3n)).toBe(8n);
    expect(provedUpTo(ladder, 11n)).toBeNull();
  });

  it("confirms nothing above the last state, however deep a node says that it lies", () => {
    const ladder = ladderOf(followed(10), 0n);
    expect(isProved(ladder, asBlueScore(11n), 0n)).toBe(false);
    expect(isProved(ladder, asBlueScore(10n), 0n)).toBe(true);
    expect(isProved(ladder, asBlueScore(10n), 2n)).toBe(false);
  });

  it("takes a thousand easy headers for no more than the floor's work", () => {
    const [lowest] = ladderOf(followed(1_000, EASY), workOfBits(BITS)).steps;
    expect(lowest?.above).toBeLessThan(260n);
    expect(lowest?.above).toBeGreaterThan(240n);
  });

  it("loses only what stands above a block that stays, so that work goes on to count below it", () => {
    const cut = cutTo(followed(10), asChainIndex(8n));
    expect(cut.steps.at(-1)?.chainIndex).toBe(7n);
    const each = workOfBits(BITS);
    const ladder = ladderOf(withStep(cut, step(12, each * 12n)), 0n);
    expect(provedUpTo(ladder, 6n)).toBe(7n);
  });

  it("remembers few states of a long chain, each near the depth that is asked for", () => {
    const { steps } = followed(20_000);
    expect(steps.length).toBeLessThanOrEqual(GATEWAY_LIMITS.proofSteps);
    const ladder: WorkLadder = ladderOf(followed(20_000), 0n);
    for (const depth of [1n, 2n, 10n, 100n, 1_000n, 10_000n]) {
      const upTo = provedUpTo(ladder, depth) ?? 0n;
      expect(20_001n - upTo).toBeGreaterThanOrEqual(depth);
      expect(20_001n - upTo).toBeLessThanOrEqual(depth + depth / 8n + 1n);
    }
  });

  it("of a network without work leaves depth to decide, where a state covers the payment", () => {
    const ladder = ladderOf(followed(3, 0), null);
    expect(isProved(ladder, asBlueScore(3n), 10_000n)).toBe(true);
    expect(isProved(ladder, asBlueScore(4n), 0n)).toBe(false);
  });

  it("forgets everything but the floor where the scan begins anew", () => {
    const floor = { bits: BITS, setMs: asTimestampMs(5n) };
    const base = { chainIndex: asChainIndex(4n), tree: "" };
    const proof = begunAt({ ...followed(10), floor }, base);
    expect(proof).toEqual({ ...UNPROVED, base, floor });
  });
});

describe("the floor of work", () => {
  const set = { bits: BITS, setMs: asTimestampMs(0n) };
  const floorOf = (
    floor: typeof set | null,
    release: { bits: number; timestamp: TimestampMs },
    ms: bigint,
  ) => scanYardstick({ floor }, release, asTimestampMs(ms)).floor;

  /** Of a release; a younger one is harder. */
  const release = { bits: EASY, timestamp: asTimestampMs(0n) };

  it("is that of the release before anything was proved, and the harder one later", () => {
    expect(floorOf(null, release, 1n)?.bits).toBe(EASY);
    const harder = { bits: BITS, timestamp: asTimestampMs(5n) };
    expect(floorOf({ bits: EASY, setMs: asTimestampMs(6n) }, harder, 7n)?.bits).toBe(BITS);
    expect(floorOf(set, release, 1n)?.bits).toBe(BITS);
  });

  it("is eased by weeks, and not while a gateway was away for some days", () => {
    expect(floorOf(set, release, 3n * DAY_MS)).toEqual({ bits: BITS, halvings: 3 });
    expect(floorOf(set, release, 7n * DAY_MS)).toEqual({ bits: BITS, halvings: 4 });
  });

  it("is not lowered step by step by a chain of easier and easier blocks", () => {
    const easy = endOf(1_000, EASY);
    expect(floorAfter(set, easy, asTimestampMs(1_000n))).toBe(set);
    expect(floorAfter(set, easy, asTimestampMs(6n * DAY_MS))).toBe(set);
    // A quarter of the work is what is left of it after two weeks.
    expect(floorAfter(set, easy, asTimestampMs(14n * DAY_MS))?.bits).toBe(EASY);
    expect(floorAfter({ ...set, bits: EASY }, endOf(1_000), asTimestampMs(1n))?.bits).toBe(BITS);
  });

  it("is not raised by a few headers that somebody mined harder than the network's", () => {
    const easy = { ...set, bits: EASY };
    expect(floorAfter(null, endOf(249), asTimestampMs(1n))).toBeNull();
    expect(floorAfter(easy, endOf(249), asTimestampMs(1n))).toBe(easy);
    expect(floorAfter(easy, endOf(250), asTimestampMs(1n))?.bits).toBe(BITS);
    // One of four times the work behind a thousand: the row is worth 251 of it, and stands for 1,004 of the network.
    const [each, hard] = [workOfBits(EASY), workOfBits(BITS)];
    const short = step(900, each * 900n + hard);
    expect(floorAfter(easy, short, asTimestampMs(1n))).toBe(easy);
  });
});

describe("the states that are asked for", () => {
  const view = Array.from({ length: 700 }, (_, place) => scannedBlock(place + 1));
  const indexes = (proved: bigint | null, base = 1n) =>
    rungsOf(view, asChainIndex(base), proved === null ? null : asChainIndex(proved)).map(
      ({ block, child }) => {
        expect(child.chainIndex).toBe(block.chainIndex + 1n);
        return block.chainIndex;
      },
    );

  it("is one where a block follows what was proved", () => {
    expect(indexes(698n)).toEqual([699n]);
  });

  it("are a few in a catch-up, close to the tip and far below it", () => {
    expect(indexes(null)).toEqual([
      187n,
      443n,
      571n,
      635n,
      667n,
      683n,
      691n,
      695n,
      697n,
      698n,
      699n,
    ]);
    expect(indexes(690n)).toEqual([691n, 695n, 697n, 698n, 699n]);
  });

  it("lie at the base of the tree or above it, and are none where the tip is proved", () => {
    expect(indexes(null, 698n)).toEqual([698n, 699n]);
    expect(indexes(699n)).toEqual([]);
    expect(rungsOf(view.slice(0, 1), asChainIndex(0n), null)).toEqual([]);
  });
});
