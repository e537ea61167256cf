/** Serves pages of the anchor log from before the point where a peer's store began (specification network 1.8 L). */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { bytesOfLength } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { PeerServing } from "./peerServing.ts";

const HASH_LENGTH = 32;

/** Serves one page for each request. */
export function serveAnchorLog(serving: PeerServing): Flow {
  return (peer) => {
    const requests = peer.link.route(["requestAnchorLog"]);
    return async () => {
      for (;;) {
        const { payload, requestId } = await requests.next(null);
        const { baseHash, count, first } = payload.value;
        const base = encodeHex(bytesOfLength("baseHash", baseHash, HASH_LENGTH));
        const question = { kind: "log", base, count, first } as const;
        await serving.give(peer, question, { responseId: requestId });
      }
    };
  };
}
