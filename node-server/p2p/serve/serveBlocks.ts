/** Blocks and bodies that peers ask for by hash (specification network 1.6, 1.8 G). One that is unknown ends the link. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { boundedList, packedHashes } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { PeerServing } from "./peerServing.ts";
import type { BlockForm } from "./serveMessages.ts";

const HASH_LENGTH = 32;

/** New blocks. */
export function serveRelayBlocks(serving: PeerServing): Flow {
  return serveByHash(serving, {
    request: "requestRelayBlocks",
    form: "block",
    max: LIMITS.p2pRelayBlocksAsked,
  });
}

/** Blocks of an initial sync. */
export function serveIbdBlocks(serving: PeerServing): Flow {
  const max = LIMITS.p2pBlocksAsked;
  return serveByHash(serving, { request: "requestIbdBlocks", form: "ibdBlock", max });
}

/** Bodies to headers that are there. */
export function serveBodies(serving: PeerServing): Flow {
  const max = LIMITS.p2pBlocksAsked;
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
