/** The part of a shown document that a check compares, or that it names as proven by nothing but moves with no block. */

/** Fields that move while nothing of what was compared does. A step of the check says that they are not compared. */
const MOVING: ReadonlySet<string> = new Set([
  // Of a block: the blocks above it, and how they see it.
  "childrenHashes",
  "color",
  "mergedBy",
  // Of a transaction: the blocks above its accepting one.
  "confirmations",
]);

/** Whether a check of one of these values is a check of the other. The store of a page keeps what it has for equal bytes. */
export function isSameShown(one: unknown, other: unknown): boolean {
  return one === other || comparedText(one) === comparedText(other);
}

function comparedText(shown: unknown): string {
  return (
    JSON.stringify(shown, (key, value: unknown) => (MOVING.has(key) ? undefined : value)) ?? ""
  );
}
