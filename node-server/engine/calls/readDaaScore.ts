/** Reads the DAA score out of the core's facts about a block. */
import * as v from "valibot";
import type { DaaScore } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";

const scored = v.object({ daaScore: fields.daaScore });

/** Reads BlockFacts or TipFacts as far as the score. */
export function readDaaScore(facts: string): DaaScore {
  return v.parse(scored, JSON.parse(facts)).daaScore;
}
