/** What is done for a peer as long as its link is open. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Peer } from "../peers/peer.ts";

/**
 * One thing that is done for a peer. Its routes are made before it first waits, so that no message comes too early; it ends
 * with the link, and what it rejects with ends the link.
 */
export type Flow = (peer: Peer) => Promise<void>;

/** Starts flows. */
export function runFlows(peer: Peer, flows: readonly Flow[]): void {
  for (const flow of flows) {
    flow(peer).catch((error: unknown) => peer.link.end(SvcError.from(error)));
  }
}
