/** Schema of the engine's BeginningFacts: where a store began, and whether what came after speaks against it. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const beginningFacts = v.object({
  /** The pruning point that the store began at; null where that is genesis. */
  point: v.nullable(fields.blockHash),
  /** Whether it still is the pruning point: the network has not yet gone on from it by a pruning depth. */
  isRecent: v.boolean(),
  /** The lowest block of the heaviest chain that was refused, within the reach of what an import takes on a peer's word. */
  doubt: v.nullable(
    v.object({
      block: fields.blockHash,
      /** Code of the refusal. */
      reason: v.string(),
      /** Blue score of the heaviest chain above it. */
      above: fields.blueScore,
    }),
  ),
});

/** Where a store began. */
export type BeginningFacts = v.InferOutput<typeof beginningFacts>;

/** Reads BeginningFacts. Throws `codec/bad-json`. */
export const readBeginningFacts = factsReader(beginningFacts, "facts about the beginning");
