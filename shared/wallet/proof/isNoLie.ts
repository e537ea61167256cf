/** Which faults of a node are no lie: what it showed is not known to be false. */
import type { Code } from "../../base/generated/codes.ts";
import type { ErrorJson } from "../../base/svcError.ts";

const NO_LIES: ReadonlySet<Code> = new Set<Code>([
  "evidence/behind-other",
  "evidence/not-shown",
  "evidence/other-page",
  "evidence/stale-tip",
  "evidence/unknown-work",
]);

/** The node said nothing that is known to be false: it shows no work, or none that is new or that has a measure, or only another node says otherwise. */
export function isNoLie({ code }: ErrorJson): boolean {
  return NO_LIES.has(code);
}

/** It is about the node, so that another one may do better; not about what this program knows of the network. */
export function isOfNode({ code }: ErrorJson): boolean {
  return code !== "evidence/unknown-work";
}
