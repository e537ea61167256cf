/** Reader of the documents `/blocks/window` and `/blocks/recent` for the drawn DAG. It takes from them what a drawing needs. */
import * as v from "valibot";
import { DAG_LIMITS } from "../dagLimits.ts";
import type { DagBlock } from "./dagBlock.ts";

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** Scores and Unix milliseconds as decimal text; beyond 2^53 none is exact any more. */
const count = v.pipe(
  v.string(),
  v.regex(/^\d{1,16}$/),
  v.transform(Number),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

const blockForm = v.pipe(
  v.object({
    block_hash: hash,
    parents: v.array(hash),
    color: v.picklist(["blue", "red", "none"]),
    isChainBlock: v.boolean(),
    mergedBy: v.optional(v.nullable(hash), null),
    blueScore: count,
    daaScore: count,
    timestamp: count,
    txCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
    work: v.optional(v.nullable(v.picklist(["native", "merge-mined", "skipped"])), null),
  }),
  v.transform(({ block_hash, ...rest }): DagBlock => ({ hash: block_hash, ...rest })),
);

const documentForm = v.union([v.array(v.unknown()), v.object({ blocks: v.array(v.unknown()) })]);

/** The blocks of a document. Null when it is none: whoever gave it is at fault. */
export function readDagBlocks(document: unknown): readonly DagBlock[] | null {
  const form = v.safeParse(documentForm, document);
  if (!form.success) return null;
  const rows = Array.isArray(form.output) ? form.output : form.output.blocks;
  const blocks = v.safeParse(v.array(blockForm), rows.slice(0, DAG_LIMITS.documentBlocks));
  return blocks.success ? blocks.output : null;
}
