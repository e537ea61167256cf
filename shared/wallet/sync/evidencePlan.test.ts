import { describe, expect, it } from "vitest";
import { asBlueScore } from "../../base/brand.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { evidencePlan, isDue, usedUntil } from "./evidencePlan.ts";

const SECOND = 1_000n;
const NEVER = { due: asBlueScore(0n), tip: null };

function viewOf(blocks: number) {
  const model = new ChainModel();
  model.addEmpty(blocks);
  return applyFacts(freshWallet(), model.page(1), TEST_POLICY).blocks;
}

describe("a plan of evidence", () => {
  it("opens no state of genesis, which everybody knows, and none without a block above", () => {
    expect(evidencePlan(viewOf(0).slice(0, 1), "near")).toBeNull();
    expect(evidencePlan(viewOf(1), "near")).toBeNull();
    expect(evidencePlan(viewOf(2), "near")?.block.chainIndex).toBe(1n);
  });

  it("opens the newest block that is deep enough, and names the one above it", () => {
    const view = viewOf(1_500);
    const near = evidencePlan(view, "near");
    expect(near?.block.chainIndex).toBe(1_500n - WALLET_LIMITS.evidenceNearDepth);
    expect(near?.child).toBe(view.find(({ chainIndex }) => chainIndex === 1_486n)?.hash);
    expect(near?.tip).toBe(view.at(-1));
    expect(evidencePlan(view, "far")?.block.chainIndex).toBe(500n);
  });
});

describe("when evidence is due", () => {
  it("is due at once, and again with as much new work as it shows", () => {
    const tip = asBlueScore(5_000n);
    expect(isDue(tip, "near", NEVER)).toBe(true);
    const shown = { due: asBlueScore(5_001n), tip };
    expect(isDue(asBlueScore(5_014n), "near", shown)).toBe(false);
    expect(isDue(asBlueScore(5_015n), "near", shown)).toBe(true);
    expect(isDue(asBlueScore(5_999n), "far", shown)).toBe(false);
    expect(isDue(asBlueScore(6_000n), "far", shown)).toBe(true);
  });

  it.each(["near", "far"] as const)("keeps a day of %s evidence below its share", (reach) => {
    const bytes = reach === "near" ? 14_000 : 240_000;
    let sent = 0;
    let before: {
      due: ReturnType<typeof asBlueScore>;
      tip: ReturnType<typeof asBlueScore> | null;
    } = NEVER;
    for (let score = 0n; score < 86_400n; score += 1n) {
      const tip = asBlueScore(score);
      if (!isDue(tip, reach, before)) continue;
      sent += bytes;
      before = { due: usedUntil(tip, reach, bytes, { due: before.due, blockTimeMs: SECOND }), tip };
    }
    const share =
      reach === "near" ? WALLET_LIMITS.evidenceNearDayBytes : WALLET_LIMITS.evidenceFarDayBytes;
    expect(sent).toBeLessThan(share * 1.15);
    expect(sent).toBeGreaterThan(share * 0.8);
  });

  it("comes before an honest tip is told as old, with merge-mined headers and drawn blocks", () => {
    const [headers, path] = [15_300, 900];
    const bytes = headers + WALLET_LIMITS.evidenceDrawnPerLook * path;
    const tip = asBlueScore(100_000n);
    const due = usedUntil(tip, "near", bytes, { due: tip, blockTimeMs: SECOND });
    expect((due - tip) * SECOND).toBeLessThan(WALLET_LIMITS.evidenceStaleMs);
  });
});
