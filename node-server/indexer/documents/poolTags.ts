/** Known pools, by what they write behind the address in their coinbases. Anybody can write it: a name is the miner's claim. */
import * as v from "valibot";
import table from "./poolTags.json" with { type: "json" };

const poolTag = v.object({
  /** Stays the same from version to version. */
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/)),
  /** As it is shown. */
  name: v.pipe(v.string(), v.maxLength(40)),
  /** Text that the extra data contains. */
  text: v.pipe(v.string(), v.minLength(3), v.maxLength(64)),
});

/** A known pool. */
export type PoolTag = v.InferOutput<typeof poolTag>;

/** The known pools; the first that fits names a block. */
export const POOL_TAGS: readonly PoolTag[] = v.parse(
  v.object({ version: v.literal(1), tags: v.array(poolTag) }),
  table,
).tags;

/** The pool that a block's extra data names; null for none. */
export function poolOf(extraData: Uint8Array, tags: readonly PoolTag[]): PoolTag | null {
  const text = Buffer.from(extraData).toString("latin1");
  return tags.find((tag) => text.includes(tag.text)) ?? null;
}
