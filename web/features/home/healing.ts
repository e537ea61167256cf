/** Recovery by rescan: which errors a scan of the whole chain repairs, because stored wallet and node contradict each other. */
import type { Code } from "@svc/shared/base/generated/codes.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";

const HEALED: ReadonlySet<Code> = new Set<Code>([
  "chain/no-common-block",
  "chain/not-on-chain",
  "chain/unknown-block",
  "wallet/bad-page",
  "wallet/false-record",
  "wallet/reorg-too-deep",
  "wallet/tree-mismatch",
]);

/** True when scanning again from the beginning is what helps. */
export function isHealedByScan(problem: ErrorJson): boolean {
  return HEALED.has(problem.code);
}
