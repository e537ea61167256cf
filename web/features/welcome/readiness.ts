/** Preconditions for creating a wallet (core, node, network), as a pure function of the snapshot. */
import type { Snapshot } from "../../wallet-api/walletApi.ts";

/**
 * `ready`: it can be made. `loading`, `failed`: the core is on its way, or did not come. `node`: the node has not told its network.
 * `refused`: it must not be used. `consent`: its network is one that the program does not know.
 */
export type Readiness = "ready" | "loading" | "failed" | "node" | "refused" | "consent";

/** What is still missing. */
export function readinessOf(
  snapshot: Pick<Snapshot, "access" | "core" | "node" | "network">,
): Readiness {
  if (snapshot.core.state !== "ready") return snapshot.core.state;
  if (snapshot.node.state === "refused") return "refused";
  if (snapshot.network !== null) return snapshot.access === "no-wallet" ? "ready" : "loading";
  return snapshot.node.network === null ? "node" : "consent";
}
