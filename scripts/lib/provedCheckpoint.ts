/** Proves the tip of a node and makes the row of a release's checkpoint of it (`shared/light/checkpointOf.ts`). */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { checkpointOf, checkpointsText } from "@svc/shared/light/checkpointOf.ts";
import { CoreJudge } from "@svc/shared/light/coreJudge.ts";
import { readEvidenceTipFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { easedWork } from "@svc/shared/light/yardstick.ts";

/** Blue score of work above the state that is opened: a quarter of an hour. */
const DEPTH = 1_000;

/** A row, and what stands behind it. */
export type CheckpointRow = {
  readonly network: string;
  /** `DIGEST:BITS:TIMESTAMP`, as the table of the release, `SVC_CHECKPOINTS` and `--checkpoint` take it. */
  readonly row: string;
  /** Blocks of the tip's difficulty that were shown. */
  readonly blocks: bigint;
};

/**
 * Asks the node at this address, whose work counts from the checkpoint on that is known. Rejects as the judge does where its evidence does
 * not hold, and with the node's errors.
 */
export async function provedCheckpoint(
  core: CoreGlue,
  { url, nowMs }: { readonly url: string; readonly nowMs: bigint },
  signal: AbortSignal,
): Promise<CheckpointRow> {
  const node = new HttpNode(url);
  const told = await node.profile(signal);
  const profileJson = callCore(() => core.canonicalProfile(told));
  const profile = readProfile(profileJson);
  const digest = callCore(() => core.profileDigest(profileJson));
  const response = await fetch(`${url}/v1/evidence/tip?depth=${DEPTH}`, { signal });
  const { block, child, sink } = readEvidenceTipFacts(await response.text());
  const opening = await node.opening(block, "digest", signal);
  const run = await node.run(child, sink, signal);
  const judge = new CoreJudge(core, profileJson);
  const { floor } = easedWork(checkpointOf(digest), nowMs);
  const { work } = judge.tip(floor, { opening, run });
  const { bits, timestamp, blocksOfTip } = work;
  const row = checkpointsText(new Map([[digest, { bits, timestamp }]]));
  return { network: profile.networkName, row, blocks: blocksOfTip };
}
