/** Asks about a block for the public: what the engine knows, or why nothing can be shown. */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { askFacts, type QuestionSource } from "../../../engine/calls/askFacts.ts";
import { MissingAnswer } from "../call/restCall.ts";

/** A block with its body. */
export type KnownBlock = { readonly facts: BlockFacts; readonly raw: Uint8Array };

/** Asks for facts and bytes. Rejects as a question does. */
export async function askKnownBlock(
  node: QuestionSource,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<KnownBlock | MissingAnswer> {
  try {
    const stage = await askFacts(node, "blockStage", [hash], signal);
    if (stage === undefined) return unknownBlock(hash, "never-seen");
    if (stage === "pruned") return prunedBlock(hash);
    const facts = await askFacts(node, "blockFacts", [hash], signal);
    const raw = await node.ask("blockBytes", [hash], signal);
    if (facts === undefined) return unknownBlock(hash, "never-seen");
    if (raw !== undefined) return { facts, raw };
    // Some headers stay when the bodies go: they prove the work below the pruning point.
    const { pruningPoint } = await askFacts(node, "tip", [], signal);
    const point = await askFacts(node, "blockFacts", [pruningPoint], signal);
    const isBelow = point !== undefined && facts.blueScore < point.blueScore;
    return isBelow ? prunedBlock(hash) : unknownBlock(hash, "header-only");
  } catch (error) {
    if (!SvcError.is(error, "chain/pruned")) throw error;
    return prunedBlock(hash);
  }
}

/** Answers that a block is below the pruning point. */
export function prunedBlock(hash: string): MissingAnswer {
  return new MissingAnswer(new SvcError("chain/pruned", { hash }), "pruned");
}

function unknownBlock(hash: BlockHash, reason: "never-seen" | "header-only"): MissingAnswer {
  return new MissingAnswer(new SvcError("chain/unknown-block", { hash }), reason);
}
