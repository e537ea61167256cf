/** Schema of the core's answer about the emission at a DAA score (specification consensus 10.3). */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const emissionFacts = v.object({
  /** What a block with this DAA score mints, development fee included. */
  subsidy: fields.sompi,
  /** From where on less is minted, and how much; null at the floor of the tail. */
  next: v.nullable(v.object({ daaScore: fields.daaScore, subsidy: fields.sompi })),
});

/** What blocks mint. */
export type EmissionFacts = v.InferOutput<typeof emissionFacts>;

/** Reads EmissionFacts. Throws `codec/bad-json`. */
export const readEmissionFacts = factsReader(emissionFacts, "EmissionFacts");
