/** The steps that tell where a shown block stands: on the chain itself, or merged by a block that does. */
import type { CheckContext } from "../checkContext.ts";
import { CHAIN_STEP, holds, openStep, type CheckStep } from "../checkReport.ts";
import { listText, type ShownBlock } from "../compareShown.ts";
import { chainBlockProof, servedBlock, type SoundBlock } from "../judgedSteps.ts";
import { chainStep } from "./chainStep.ts";

/** Subject of the chain block that merged another one. */
const MERGING = "merging";

/** The steps. Rejects as the source does, but for what it withholds. */
export async function chainSteps(
  context: CheckContext,
  shown: ShownBlock,
  { facts }: SoundBlock,
): Promise<readonly CheckStep[]> {
  if (shown.verboseData.isChainBlock) return [await chainStep(context, facts, "block")];
  const { mergedBy } = shown.extra;
  if (mergedBy === null) return [openStep("block", CHAIN_STEP, "unmerged")];
  const merging = await servedBlock(context, mergedBy);
  if (merging === null) return [openStep(MERGING, CHAIN_STEP, "notServed")];
  const merged = await mergedSteps(context, facts.hash, merging);
  return [...merged, await chainStep(context, merging.facts, MERGING)];
}

/** Whether a chain block merged another one: its header commits to what it merged. */
async function mergedSteps(
  context: CheckContext,
  hash: string,
  merging: SoundBlock,
): Promise<readonly CheckStep[]> {
  const told = await chainBlockProof(context, merging);
  if (told === null) return [openStep("block", "merged", "notServed")];
  const { steps, proof } = told;
  const isSequenced =
    holds(steps, "accepting", "parent") && holds(steps, "accepting", "sequencing");
  const lies = steps
    .filter(({ outcome, subject }) => outcome === "differs" && subject === "accepting")
    .map((step) => ({ ...step, subject: MERGING }));
  if (!isSequenced) {
    const reason = proof.lanes === null ? "lanesUnknown" : "stateNotShown";
    return [...lies, openStep("block", "merged", reason)];
  }
  const all = proof.merged.map((one) => one.hash);
  const found = all.includes(hash) ? hash : listText(all);
  const outcome = found === hash ? "ok" : "differs";
  return [...lies, { subject: "block", step: "merged", outcome, expected: hash, found }];
}
