/** What a backup holds beside the seed, and what a restored wallet begins with. */
import * as v from "valibot";

/** Days since 1970 that a date can have: a larger one is no day of a wallet. */
const DAYS_MAX = 1_000_000;

/** Form of the facts, in a backup file as JSON. Fields that a later version adds are passed over. */
export const backupFactsForm = v.object({
  /** The day before which nothing of the wallet is, days since 1970 (UTC), or the chain's first block. */
  birthday: v.union([
    v.literal("genesis"),
    v.object({ day: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(DAYS_MAX)) }),
  ]),
  /** The day is one that somebody remembered, not one that a program knew. */
  birthdayGuessed: v.boolean(),
});

/** The checked facts. */
export type BackupFacts = v.InferOutput<typeof backupFactsForm>;
