/** A made-up DAG for tests of the graph, and its blocks as documents: the same each time. */
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { syntheticDag } from "@svc/shared/explorer/testkit/syntheticDag.ts";
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";

/** Unix minute in which the made-up DAG begins. */
export const FIRST_MINUTE = 29_000_000;

/** The made-up DAG: on average five blocks in two seconds, from a seed. */
export function graphBlocks(blocks: number, seed = 21): readonly DagBlock[] {
  const bits = mulberry32(seed);
  return syntheticDag({
    blocks,
    width: 4,
    stepMs: 1_000,
    fromMs: FIRST_MINUTE * 60_000,
    below: (limit) => bits() % limit,
  });
}

/** A block as `/blocks/window` has it. `selectedParent`: its first parent. */
export function documentOf({ hash, blueScore, daaScore, timestamp, ...rest }: DagBlock): object {
  return {
    ...rest,
    block_hash: hash,
    selectedParent: rest.parents[0] ?? hash,
    blueScore: blueScore.toString(),
    daaScore: daaScore.toString(),
    timestamp: timestamp.toString(),
  };
}
