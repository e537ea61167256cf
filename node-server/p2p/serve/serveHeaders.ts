/** Serves headers and block locators to syncing peers (specification network 1.8 A, E). */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hashBytes, type BytesMessage } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { PeerServing } from "./peerServing.ts";

/**
 * Serves pages of headers from one block to another, parents first. After each the peer asks for the next one, or begins anew;
 * the last question is answered with the end.
 */
export function serveHeaders(serving: PeerServing): Flow {
  return (peer) => {
    const requests = peer.link.route(["requestHeaders", "requestNextHeaders"]);
    return async () => {
      let page: { readonly low: string; readonly high: string } | null = null;
      for (;;) {
        const { payload, requestId } = await requests.next(null);
        if (payload.$case === "requestHeaders") {
          const { lowHash, highHash } = payload.value;
          page = { low: textOf("lowHash", lowHash), high: textOf("highHash", highHash) };
        }
        if (page === null) {
          throw new SvcError("p2p/unexpected-message", { message: payload.$case });
        }
        const question = { kind: "headers", ...page } as const;
        const low = await serving.give(peer, question, { responseId: requestId });
        page = low === null ? null : { ...page, low };
      }
    };
  };
}

/** Serves the headers that one block has in its past and another has not, as one page. */
export function serveAntipast(serving: PeerServing): Flow {
  return (peer) => {
    const requests = peer.link.route(["requestAntipast"]);
    return async () => {
      for (;;) {
        const { payload, requestId } = await requests.next(null);
        const block = textOf("blockHash", payload.value.blockHash);
        const context = textOf("contextHash", payload.value.contextHash);
        const question = { kind: "antipast", block, context } as const;
        await serving.give(peer, question, { responseId: requestId });
      }
    };
  };
}

/** Serves a locator of the selected chain, from the sink to the pruning point where the peer names no others. */
export function serveChainLocator(serving: PeerServing): Flow {
  return (peer) => {
    const requests = peer.link.route(["requestIbdChainBlockLocator"]);
    return async () => {
      for (;;) {
        const { payload, requestId } = await requests.next(null);
        const { lowHash, highHash } = payload.value;
        const low = lowHash === undefined ? "" : textOf("lowHash", lowHash);
        const high = highHash === undefined ? "" : textOf("highHash", highHash);
        const question = { kind: "chainLocator", low, high } as const;
        await serving.give(peer, question, { responseId: requestId });
      }
    };
  };
}

/** Serves a locator of the blocks below any block, at growing distances. */
export function serveBlockLocator(serving: PeerServing): Flow {
  return (peer) => {
    const requests = peer.link.route(["requestBlockLocator"]);
    return async () => {
      for (;;) {
        const { payload, requestId } = await requests.next(null);
        const high = textOf("highHash", payload.value.highHash);
        const limit = Math.min(payload.value.limit, P2P_LIMITS.syncLocatorHashes);
        const question = { kind: "blockLocator", high, limit } as const;
        await serving.give(peer, question, { responseId: requestId });
      }
    };
  };
}

function textOf(field: string, hash: BytesMessage | undefined): string {
  return encodeHex(hashBytes(field, hash));
}
