/** The changes of rules that are still to come, by the profiles of real networks. */
import { expect, it } from "vitest";
import { asDaaScore, asTimestampMs } from "@svc/shared/base/brand.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { loadCoreFile } from "../../../platform/files/wasmFiles.ts";
import { rulesDocument } from "./rulesDocument.ts";

const core = await loadCoreFile();
const mainnet = readProfile(callCore(() => core.builtInProfile("mainnet")));

function documentAt(daaScore: bigint): unknown {
  const sinkTimestamp = asTimestampMs(1_795_000_000_000n);
  const document = rulesDocument(mainnet, { daaScore: asDaaScore(daaScore), sinkTimestamp });
  return JSON.parse(jsonText(document));
}

it("are told with what is left, the next one first", () => {
  const at = (name: string, daaScore: number, left: number) => ({
    name,
    daaScore,
    blocksRemaining: left,
    expectedAt: 1_795_000_000 + left,
  });
  expect(documentAt(700_000n)).toEqual({
    daaScore: 700_000,
    changes: [
      at("devFeeAccrual", 757_000, 57_000),
      at("multiProducerAnchors", 757_000, 57_000),
      at("devFeeEnd", 6_983_500, 6_283_500),
      at("securityFork", 6_983_500, 6_283_500),
    ],
  });
});

it("are past with the block in which they hold", () => {
  expect(documentAt(6_983_499n)).toMatchObject({
    changes: [{ name: "devFeeEnd", blocksRemaining: 1 }, { name: "securityFork" }],
  });
  expect(documentAt(6_983_500n)).toEqual({ daaScore: 6_983_500, changes: [] });
});
