/**
 * Serves note history: scan records from before the point where a peer's chain begins, the asked block's own first
 * (specification network 1.8 K; shielded 15.5).
 */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { bytesOfLength } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { PeerServing } from "./peerServing.ts";

const HASH_LENGTH = 32;

/** Serves one chunk of records for each request. */
export function serveHistory(serving: PeerServing): Flow {
  return (peer) => {
    const requests = peer.link.route(["requestShieldedHistory"]);
    return async () => {
      for (;;) {
        const { payload, requestId } = await requests.next(null);
        const { anchorHash, maxBlocks } = payload.value;
        const anchor = encodeHex(bytesOfLength("anchorHash", anchorHash, HASH_LENGTH));
        const question = { kind: "history", anchor, maxBlocks } as const;
        await serving.give(peer, question, { responseId: requestId });
      }
    };
  };
}
