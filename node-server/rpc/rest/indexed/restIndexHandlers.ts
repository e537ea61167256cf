/** Handlers of the public REST interface that the node's index answers (`--index`). */
import { asTxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { INDEX_IS_BEHIND, type IndexApi } from "../../service/indexApi.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import type { RestHandlersOf } from "../call/restCall.ts";

/** The rows. */
type IndexedRow =
  | "blockWindow"
  | "transactionSearch"
  | "transactionCount"
  | "searchBucket"
  | "mergedMining"
  | "miners"
  | "pulse"
  | "workHistory"
  | "reorgs"
  | "extremes"
  | "index";

/** The handlers. Each rejects with `http/unavailable` where the node keeps no index. */
export const REST_INDEX_HANDLERS: RestHandlersOf<IndexedRow> = {
  blockWindow: async ({ node, query, signal }) =>
    indexOf(node).blockWindow(BigInt(query.minute), signal),
  transactionSearch: async ({ node, body, signal }) => {
    const index = indexOf(node);
    // What was applied by a chain that has been left is not applied.
    if (!index.coverage().isCurrent) {
      throw new SvcError("http/unavailable", { reason: INDEX_IS_BEHIND });
    }
    return index.transactionSearch(body.transactionIds.map(asTxId), signal);
  },
  transactionCount: async ({ node, signal }) => indexOf(node).transactionCount(signal),
  searchBucket: async ({ node, params, signal }) =>
    indexOf(node).searchBucket(params.bits, params.prefix, signal),
  mergedMining: async ({ node, signal }) => indexOf(node).mergedMining(signal),
  miners: async ({ node, signal }) => indexOf(node).miners(signal),
  pulse: async ({ node, query, signal }) => indexOf(node).pulse(query.window, signal),
  workHistory: async ({ node, query, signal }) => indexOf(node).workHistory(query.window, signal),
  reorgs: async ({ node, query, signal }) => indexOf(node).reorgs(query.limit, signal),
  extremes: async ({ node, signal }) => indexOf(node).extremes(signal),
  index: async ({ node, signal }) => indexOf(node).index(signal),
};

function indexOf({ index }: NodeApi): IndexApi {
  if (index !== null) return index;
  throw new SvcError("http/unavailable", { reason: "this node keeps no index" });
}
