/** The list of all flows that serve the node's chain to a peer (specification network 1.3). */
import type { Flow } from "../flows/runFlows.ts";
import type { PeerServing } from "./peerServing.ts";
import { serveBodies, serveIbdBlocks, serveRelayBlocks } from "./serveBlocks.ts";
import {
  serveAntipast,
  serveBlockLocator,
  serveChainLocator,
  serveHeaders,
} from "./serveHeaders.ts";
import { serveAnchorLog } from "./serveAnchorLog.ts";
import { serveHistory } from "./serveHistory.ts";
import {
  serveAnchorBindings,
  serveLanes,
  servePointAndAnticone,
  serveProof,
  serveState,
  serveUtxoSet,
} from "./servePruningPoint.ts";

/** Makes one flow for each kind of request. */
export function servingFlows(serving: PeerServing): readonly Flow[] {
  return [
    serveRelayBlocks(serving),
    serveHeaders(serving),
    serveProof(serving),
    serveChainLocator(serving),
    servePointAndAnticone(serving),
    serveUtxoSet,
    serveLanes(serving),
    serveHistory(serving),
    serveAnchorLog(serving),
    serveState(serving),
    serveAnchorBindings(serving),
    serveIbdBlocks(serving),
    serveBodies(serving),
    serveAntipast(serving),
    serveBlockLocator(serving),
  ];
}
