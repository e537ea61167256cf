/** Flows: the protocol handlers that run for a peer as long as its link is open. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Peer } from "../peers/peer.ts";

/**
 * One protocol handler for a peer. The call makes its routes, before the peer is told that all is ready; what it returns is run
 * when both sides are, ends with the link, and ends the link with what it rejects with.
 */
export type Flow = (peer: Peer) => () => Promise<void>;

/** Makes the routes of flows; the returned call starts them. */
export function prepareFlows(peer: Peer, flows: readonly Flow[]): () => void {
  const runs = flows.map((flow) => flow(peer));
  return () => {
    for (const run of runs) {
      run().catch((error: unknown) => peer.link.end(SvcError.from(error)));
    }
  };
}
