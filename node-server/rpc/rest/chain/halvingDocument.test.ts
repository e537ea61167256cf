/** The document of reductions over the core's schedule: each step of the table, and the floor of the tail. */
import { beforeAll, describe, expect, it } from "vitest";
import { readEmissionFacts } from "@svc/shared/protocol/facts/emissionFacts.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCoreFile } from "../../../platform/files/wasmFiles.ts";
import { halvingDocument } from "./halvingDocument.ts";

const BLOCK_MS = 1_000n;
let core: CoreGlue;
let mainnet: string;

beforeAll(async () => {
  core = await loadCoreFile();
  mainnet = callCore(() => core.builtInProfile("mainnet"));
});

/** The JSON of the document, on the wire. */
function documentAt(daaScore: bigint, sinkTimestamp = 1_795_000_000_000n): unknown {
  const facts = readEmissionFacts(callCore(() => core.emissionFacts(mainnet, daaScore)));
  return JSON.parse(
    jsonText(halvingDocument(facts, { daaScore, sinkTimestamp, blockMs: BLOCK_MS })),
  );
}

describe("the document of reductions", () => {
  it("tells of the next step and by how much", () => {
    expect(documentAt(1_276_152n)).toEqual({
      currentAmount: 56.63245875,
      nextHalvingAmount: 53.45392308,
      reductionPercent: 5.61,
      reductionPending: true,
      atTailFloor: false,
      blocksRemaining: 38_748,
      nextReductionDaaScore: 1_314_900,
      nextHalvingTimestamp: 1_795_038_748,
      nextHalvingDate: "in ~10 hours",
      daaScore: 1_276_152,
    });
  });

  it("has no further step at the floor of the tail, and still every field", () => {
    const fields = Object.keys(Object(documentAt(0n)));
    const floor = documentAt(40n * 31_557_600n);
    expect(Object.keys(Object(floor)).toSorted()).toEqual(fields.toSorted());
    expect(floor).toMatchObject({
      currentAmount: 0.6,
      nextHalvingAmount: 0.6,
      reductionPercent: 0,
      reductionPending: false,
      atTailFloor: true,
      blocksRemaining: 0,
      nextReductionDaaScore: null,
      nextHalvingTimestamp: null,
      nextHalvingDate: "no further reductions scheduled",
    });
  });

  it.each([
    [172_800n, "in ~2 days"],
    [172_799n, "in ~47 hours"],
    [7_200n, "in ~2 hours"],
    [7_199n, "in ~119 minutes"],
    [120n, "in ~2 minutes"],
    [119n, "in under a minute"],
    [1n, "in under a minute"],
  ])("%d blocks before a step it says %j", (left, words) => {
    expect(documentAt(657_450n - left)).toMatchObject({
      blocksRemaining: Number(left),
      nextHalvingDate: words,
    });
  });
});
