/** What a shop keeps of the deposit feed: its place, and for each memo how it stands. */
import * as v from "valibot";

/** Form of the file: how often a memo stands credited, how often it was said to be final, and its sompi. */
export const depositLedger = v.object({
  cursor: v.string(),
  customers: v.record(
    v.string(),
    v.object({ credits: v.number(), finals: v.number(), sompi: v.string() }),
  ),
});

/** The content. */
export type DepositLedger = v.InferOutput<typeof depositLedger>;

/** That of a shop that has read nothing. */
export function emptyLedger(): DepositLedger {
  return { cursor: "0", customers: {} };
}
