/** The copy of the emission schedule that charts draw, held to the core's. */
import { beforeAll, describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { callCore } from "../../core/callCore.ts";
import type { CoreGlue } from "../../core/generated/coreGlue.ts";
import { readEmissionFacts } from "../../protocol/facts/emissionFacts.ts";
import { emissionSteps, MAINNET_EMISSION, scheduledSubsidy } from "./emissionCurve.ts";

/** Beyond the step at which the tail drops. */
const STEPS = 110;
let core: CoreGlue;
let mainnet: string;

beforeAll(async () => {
  core = await loadCoreFile();
  mainnet = callCore(() => core.builtInProfile("mainnet"));
});

function mintedBy(daaScore: bigint): bigint {
  return readEmissionFacts(callCore(() => core.emissionFacts(mainnet, daaScore))).subsidy;
}

describe("the drawn emission schedule", () => {
  it("is the core's at the ends of every step", () => {
    for (const { daaScore, subsidy } of emissionSteps(MAINNET_EMISSION, STEPS)) {
      expect(subsidy, `DAA score ${daaScore}`).toBe(mintedBy(daaScore));
      const last = daaScore + 657_449n;
      expect(scheduledSubsidy(MAINNET_EMISSION, last), `DAA score ${last}`).toBe(mintedBy(last));
    }
  });

  it("adds up what each step mints", () => {
    const [first, second, third] = emissionSteps(MAINNET_EMISSION, 3);
    expect(first?.minted).toBe(0n);
    expect(second?.minted).toBe((first?.subsidy ?? 0n) * 657_450n);
    expect(third?.minted).toBe((second?.minted ?? 0n) + (second?.subsidy ?? 0n) * 657_450n);
  });

  it("mints the first subsidy before the curve begins", () => {
    const late = { ...MAINNET_EMISSION, startDaa: 100n };
    expect(scheduledSubsidy(late, 99n)).toBe(50_000_000_000n);
    expect(emissionSteps(late, 1)[0]?.minted).toBe(5_000_000_000_000n);
  });
});
