/** How deep the payments of an invoice are, for whoever waits for them. */
import type { BlueScore } from "../base/brand.ts";
import type { Invoice } from "./invoice.ts";

/**
 * Blue score between the sink and the block of the newest payment, at most what the invoice asks for; 0 where nothing is mined or no
 * tip is known.
 */
export function confirmationsOf({ terms, payments }: Invoice, tip: BlueScore | null): bigint {
  const wanted = terms.policy.requiredBlueScore;
  const depths = payments.flatMap(({ place }) =>
    place.kind === "mined" && tip !== null ? [tip - place.block.blueScore] : [],
  );
  if (depths.length === 0) return 0n;
  const least = depths.reduce((low, depth) => (depth < low ? depth : low), wanted);
  return least > 0n ? least : 0n;
}
