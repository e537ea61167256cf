/** Health check: the answer of `/v1/health`, made without asking the engine. */
import type { NodeApi, NodeWarning } from "../service/nodeApi.ts";

/** Health of a node, as programs read it that watch over it. */
export type HealthJson = {
  /** `warning` while the operator should see to something; what, is said by `warnings`. */
  readonly status: "ok" | "warning";
  readonly isSynced: boolean;
  readonly proverReady: boolean;
  readonly warnings: readonly NodeWarning[];
};

/** Makes the answer from the node's status. */
export function healthJson(node: Pick<NodeApi, "status">): HealthJson {
  const { isSynced, proverReady, warnings } = node.status();
  return { status: warnings.length > 0 ? "warning" : "ok", isSynced, proverReady, warnings };
}
