/** The answer of `/v1/health`: whether the node is well, without asking the engine. */
import type { NodeApi, NodeWarning } from "../service/nodeApi.ts";

/** What programs that watch over a node look at. */
export type HealthJson = {
  /** `warning` while the operator should see to something; what, is said by `warnings`. */
  readonly status: "ok" | "warning";
  readonly isSynced: boolean;
  readonly proverReady: boolean;
  readonly warnings: readonly NodeWarning[];
};

/** How the node is. */
export function healthJson(node: Pick<NodeApi, "status">): HealthJson {
  const { isSynced, proverReady, warnings } = node.status();
  return { status: warnings.length > 0 ? "warning" : "ok", isSynced, proverReady, warnings };
}
