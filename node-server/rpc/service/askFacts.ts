/** Typed questions to the engine: asks, and parses the answer. */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readBlockFacts, type BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { readTipFacts, type TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { EngineQuestions } from "./nodeApi.ts";

/** Asks where the chain stands. */
export async function askTip(node: EngineQuestions, signal: AbortSignal): Promise<TipFacts> {
  return readTipFacts(await node.ask("tip", [], signal));
}

/** Asks about a block of the graph. Rejects with `chain/unknown-block`. */
export async function askBlockFacts(
  node: EngineQuestions,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<BlockFacts> {
  const facts = await node.ask("blockFacts", [hash], signal);
  if (facts === undefined) throw new SvcError("chain/unknown-block", { hash });
  return readBlockFacts(facts);
}

/** Asks for the chain block at an index. Rejects with `chain/unknown-block` above the sink. */
export async function askChainHash(
  node: EngineQuestions,
  index: bigint,
  signal: AbortSignal,
): Promise<BlockHash> {
  const hash = await node.ask("chainHashAt", [index], signal);
  if (hash === undefined) throw new SvcError("chain/unknown-block", { hash: `at index ${index}` });
  return asBlockHash(hash);
}
