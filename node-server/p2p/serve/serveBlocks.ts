/**
 * Serves blocks and block bodies that peers request by hash (specification network 1.6, 1.8 G). A request for an unknown block
 * ends the link.
 */
import { P2P_LIMITS } from "../p2pLimits.ts";
import { boundedList, packedHashes } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { PeerServing } from "./peerServing.ts";
import type { BlockForm } from "./serveMessages.ts";

const HASH_LENGTH = 32;

/** Serves new blocks to the peers that they were announced to. */
export function serveRelayBlocks(serving: PeerServing): Flow {
  return serveByHash(serving, {
    request: "requestRelayBlocks",
    form: "block",
    max: P2P_LIMITS.p2pRelayBlocksAsked,
  });
}

/** Serves blocks to a peer in initial block download. */
export function serveIbdBlocks(serving: PeerServing): Flow {
  const max = P2P_LIMITS.p2pBlocksAsked;
  return serveByHash(serving, { request: "requestIbdBlocks", form: "ibdBlock", max });
}

/** Serves bodies to a peer that has the headers. */
export function serveBodies(serving: PeerServing): Flow {
  const max = P2P_LIMITS.p2pBlocksAsked;
  return serveByHash(serving, { request: "requestBlockBodies", form: "blockBody", max });
}

type ByHash = {
  readonly request: "requestRelayBlocks" | "requestIbdBlocks" | "requestBlockBodies";
  readonly form: BlockForm;
  /** Hashes in a request; more are a fault. */
  readonly max: number;
};

/** Answers come in the order asked for, each under the route that asked. */
function serveByHash(serving: PeerServing, { request, form, max }: ByHash): Flow {
  return (peer) => {
    const requests = peer.link.route([request]);
    return async () => {
      for (;;) {
        const { payload, requestId } = await requests.next(null);
        const asked = boundedList("hashes", payload.value.hashes, max);
        let hashes: Uint8Array = packedHashes("hashes", asked);
        while (hashes.length > 0) {
          const question = { kind: "blocks", form, hashes } as const;
          const answered = await serving.give(peer, question, { responseId: requestId });
          hashes = answered === null ? NONE : hashes.subarray(Number(answered) * HASH_LENGTH);
        }
      }
    };
  };
}

const NONE = new Uint8Array();
