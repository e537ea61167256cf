/** Check of a block: its bytes against its hash, its work, its transactions, and against what was shown of it. */
import { callCore } from "@svc/shared/core/callCore.ts";
import { BLOCK_ROUTES } from "@svc/shared/protocol/rest/routes/blockRoutes.ts";
import { chainSteps } from "./chain/chainSteps.ts";
import { bytesOf, orNone, type CheckContext } from "./checkContext.ts";
import { holds, readBlockReport, type BlockReport, type CheckStep } from "./checkReport.ts";
import { readDocument } from "./checkSource.ts";
import { compareBlock } from "./compareShown.ts";
import { judgedSteps } from "./judgedSteps.ts";

/** Checks the block with this hash. `shown`: its document as a page shows it, asked for when left out. Rejects as the source does. */
export async function checkBlock(
  context: CheckContext,
  hash: string,
  shown?: unknown,
): Promise<BlockReport> {
  const { core, source, profileJson, isKnownNetwork } = context;
  const bytes = await bytesOf(source, hash);
  if (bytes === null) {
    const step = { subject: "block", step: "bytes", reason: "notServed" };
    return { steps: [{ ...step, outcome: "notProvable" }], facts: null, isKnownNetwork };
  }
  const { steps, facts } = readBlockReport(
    callCore(() => core.checkBlock(profileJson, hash, bytes)),
  );
  if (facts === null) return { steps, facts, isKnownNetwork };
  const path = `/blocks/${hash}`;
  const document = shown ?? (await orNone(source.json(path)));
  if (document === null) {
    const step = { subject: "shown", step: "document", reason: "notServed" };
    return { steps: [...steps, { ...step, outcome: "notProvable" }], facts, isKnownNetwork };
  }
  const told = readDocument(BLOCK_ROUTES.block.answer, document, path);
  const isSound = holds(steps, "block", "headerHash") && holds(steps, "block", "merkleRoot");
  const sound = { facts, bytes };
  const [judged, placed] = isSound
    ? await Promise.all([judgedSteps(context, told, sound), chainSteps(context, told, sound)])
    : [[], []];
  const own = [...steps, ...compareBlock(context, told, facts)];
  // What the block's own bytes have shown is said once.
  const isSaid = ({ subject, step }: CheckStep) =>
    own.some((one) => one.subject === subject && one.step === step);
  const more = judged.filter((step) => step.outcome === "differs" || !isSaid(step));
  return { steps: [...placed, ...own, ...more], facts, isKnownNetwork };
}
