/** The quotas of a running node's HTTP server: what one host may have of it, and all hosts together. */
import type { PlaceBounds } from "../../platform/net/fairConnectionLimit.ts";
import type { TurnBounds } from "./turnQuotas.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";

/** Quotas of the server, its live connections among them. */
export type NodeShareBounds = TurnBounds & { readonly live: PlaceBounds };

/** The quotas of a running node. */
export const NODE_SHARES: NodeShareBounds = {
  connections: { total: RPC_LIMITS.httpConnections, perHost: RPC_LIMITS.httpConnectionsPerHost },
  live: { total: RPC_LIMITS.liveConnections, perHost: RPC_LIMITS.liveConnectionsPerHost },
  requests: {
    each: { perSecond: RPC_LIMITS.httpRequestsPerSecond, burst: RPC_LIMITS.httpRequestsBurst },
    all: { perSecond: RPC_LIMITS.httpRequestsPerSecondAll, burst: RPC_LIMITS.httpRequestsBurstAll },
    sources: RPC_LIMITS.httpSources,
  },
  turns: RPC_LIMITS.httpTurns,
  waitingPerHost: RPC_LIMITS.httpWaitingPerHost,
  unsentPerHost: RPC_LIMITS.httpUnsentPerHost,
  unsentBytes: RPC_LIMITS.httpUnsentBytes,
};
