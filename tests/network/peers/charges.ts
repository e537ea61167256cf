/** Expected peer penalties, written down apart from the error registry that the node reads them from. */

/** The first form that a code has counts. */
const CHARGES: readonly (readonly [RegExp, "minor" | "major" | "ban"])[] = [
  [/^p2p\/(flooded|slow-reader|stalled|unknown-message)$/, "minor"],
  [/^import\/(unexpected-body|wrong-child)$/, "minor"],
  [/^p2p\/(bad-message|message-too-large|unexpected-message)$/, "major"],
  [/^codec\/|^shielded\/(bad-|no-actions$|too-many-actions$|identity-point$)/, "major"],
  [/^body\/bad-merkle-root$|^header\/(bounded-merge|pruning-violation)$/, "major"],
  [/^(header|body|coinbase|proof|import|history|tx|shielded)\/|^virtual\/wrong-/, "ban"],
];

/** The charge for a code. Throws for one that no peer should be charged for. */
export function chargeFor(code: string): string {
  const row = CHARGES.find(([form]) => form.test(code));
  if (row === undefined) throw new Error(`nobody is charged for ${code}`);
  return row[1];
}
