/** Asks about blocks that a client takes for known; one that is not is an error of the client. */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { askFacts, type QuestionSource } from "../../engine/calls/askFacts.ts";

/** Asks about a block of the graph. Rejects with `chain/unknown-block`. */
export async function askBlockFacts(
  node: QuestionSource,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<BlockFacts> {
  const facts = await askFacts(node, "blockFacts", [hash], signal);
  if (facts === undefined) throw new SvcError("chain/unknown-block", { hash });
  return facts;
}

/** Asks for the chain block at an index. Rejects with `chain/unknown-block` above the sink. */
export async function askChainHash(
  node: QuestionSource,
  index: bigint,
  signal: AbortSignal,
): Promise<BlockHash> {
  const hash = await askFacts(node, "chainHashAt", [index], signal);
  if (hash === undefined) throw new SvcError("chain/unknown-block", { hash: `at index ${index}` });
  return hash;
}
