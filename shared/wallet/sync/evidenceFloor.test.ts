/** Evidence and the measure of work: no node makes it easier by what it shows. */
import { describe, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asTimestampMs,
} from "../../base/brand.ts";
import type { WorkCheckpoint } from "../../light/checkpointOf.ts";
import { workOfBits } from "../../light/workBlocks.ts";
import type { ProofReach } from "../proof/chainProof.ts";
import { applyTipEvidence } from "../reduce/applyEvidence.ts";
import type { ChainBlock, WalletState } from "../state/walletState.ts";
import { freshWallet } from "../testkit/chainModel.ts";
import { walletYardstick } from "./evidenceTaker.ts";

/** Each takes 256 times the hashes of the next one. */
const [HARDER, KNOWN, EASIER] = [0x1b00ffff, 0x1c00ffff, 0x1d00ffff];
const RELEASE: WorkCheckpoint = { bits: KNOWN, timestamp: asTimestampMs(0n) };
const NOW = 1_000n;
const ROOT = "aa".repeat(32);

const block = (index: number): ChainBlock => ({
  ...freshWallet().blocks[0],
  hash: asBlockHash(index.toString(16).padStart(64, "0")),
  chainIndex: asChainIndex(BigInt(index)),
  blueScore: asBlueScore(BigInt(index)),
  daaScore: asDaaScore(BigInt(index)),
  timestamp: asTimestampMs(NOW),
  leafEnd: asLeafPosition(0n),
});
const [BASE, CHILD, TIP] = [block(1), block(2), block(3)];

/** The state after a node showed so many blocks of these bits, in as many headers. */
function shown(
  state: WalletState,
  reach: ProofReach,
  bits: number,
  blocks: bigint,
  unit: bigint | null = unitOf(state),
): WalletState {
  const asked = {
    ...{ reach, block: BASE, child: CHILD.hash, tip: TIP, due: asBlueScore(0n) },
    unit,
  };
  const facts = {
    state: { block: BASE.hash, child: CHILD.hash, treeRoot: ROOT, blueScore: null },
    product: null,
    work: {
      ...{ base: CHILD.hash, tip: TIP.hash, blocks, blocksOfTip: blocks, bits },
      work: (workOfBits(bits) * blocks).toString(16),
      ...{ timestamp: TIP.timestamp, daaScore: TIP.daaScore, blueScore: TIP.blueScore },
    },
  };
  const counted = { treeRoot: ROOT, multiply: () => "", digest: () => "" };
  return applyTipEvidence(state, asked, facts as never, counted);
}

const unitOf = (state: WalletState, nowMs = NOW, checkpoint: WorkCheckpoint | null = RELEASE) =>
  walletYardstick({ checkpoint }, state, nowMs).unit ?? -1n;

const begun: WalletState = { ...freshWallet(), ledger: null, blocks: [BASE, CHILD, TIP] };

describe("the measure of work", () => {
  it("is lowered by no look, however many there are and however much they show", () => {
    let state = begun;
    for (const bits of [EASIER, 0x1e00ffff, 0x1f00ffff, 0x207fffff]) {
      state = shown(state, "far", bits, 1n);
      state = shown(state, "near", bits, 15n);
      state = shown(state, "far", bits, 7_000n);
      expect(unitOf(state)).toBe(workOfBits(KNOWN));
    }
    // Each easy block counts for what it is of a known one.
    expect(shown(state, "far", EASIER, 7_000n).proof.far?.blocks).toBe(7_000n / 256n);
  });

  it("is raised by many minutes of harder work, and not by some lucky headers", () => {
    const first = shown(begun, "near", KNOWN, 15n);
    expect(first.proof.floor).toBeNull();
    expect(unitOf(shown(first, "near", HARDER, 15n))).toBe(workOfBits(KNOWN));
    expect(unitOf(shown(first, "far", HARDER, 100n))).toBe(workOfBits(KNOWN));
    const raised = shown(first, "far", HARDER, 1_000n);
    expect(unitOf(raised)).toBe(workOfBits(HARDER));
    expect(unitOf(shown(raised, "far", KNOWN, 1_000n))).toBe(workOfBits(HARDER));
  });

  it("is the checkpoint's for good, and that of harder work for some weeks", () => {
    const week = 604_800_000n;
    expect(unitOf(begun, week * 52n)).toBe(workOfBits(KNOWN));
    const raised = shown(begun, "far", HARDER, 1_000n);
    expect(unitOf(raised, NOW + week * 4n)).toBe(workOfBits(HARDER) >> 4n);
    expect(unitOf(raised, week * 52n)).toBe(workOfBits(KNOWN));
  });

  it("is none without a checkpoint, however long the work that is shown, and whatever was proved before", () => {
    const proved = shown(begun, "far", KNOWN, 1_000n);
    expect(unitOf(proved, NOW, null)).toBe(-1n);
    const unmeasured = shown(begun, "far", EASIER, 7_000n, null);
    expect(unmeasured.proof.far?.blocks).toBe(0n);
    expect(unmeasured.proof.floor).toBeNull();
  });
});
