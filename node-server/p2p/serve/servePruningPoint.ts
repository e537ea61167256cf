/**
 * Serves the pruning point to peers that start their chain there: proof, trusted data, lanes and state (specification network
 * 1.8 D, H, I, J).
 */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { hashBytes } from "@svc/shared/protocol/p2p/p2pFields.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { Arrived, Route } from "../link/route.ts";
import type { Peer } from "../peers/peer.ts";
import type { PeerServing } from "./peerServing.ts";
import type { PointQuestion } from "./serveMessages.ts";

/** Serves the pruning proof: that the pruning point has the work it has. */
export function serveProof(serving: PeerServing): Flow {
  return (peer) => {
    const requests = peer.link.route(["requestPruningPointProof"]);
    return async () => {
      for (;;) {
        const { requestId } = await requests.next(null);
        await serving.payExport(peer);
        await serving.give(peer, { kind: "proof" }, { responseId: requestId });
      }
    };
  };
}

/**
 * Serves the trusted data: all pruning points, the window of headers, and a stream of blocks and headers at and below the
 * point; the peer asks for more after every `P2P_LIMITS.p2pEntriesWindow` of them.
 */
export function servePointAndAnticone(serving: PeerServing): Flow {
  const first = "requestPruningPointAndItsAnticone";
  const more = "requestNextPruningPointAndItsAnticoneBlocks";
  return (peer) => {
    const requests = peer.link.route([first, more]);
    return async () => {
      for (;;) {
        const { requestId } = await expect(requests, first);
        const responseId = requestId;
        const point = await serving.give(peer, { kind: "points" }, { responseId });
        if (point === null) continue;
        const afterEach = windowed(P2P_LIMITS.p2pEntriesWindow, () =>
          expect(requests, more, P2P_LIMITS.p2pServeNextMs),
        );
        await giveAll(serving, peer, {
          question: (cursor) => ({ kind: "entries", point, cursor }),
          responseId,
          afterEach,
        });
      }
    };
  };
}

/** Serves an empty UTXO set, since there are no transparent coins: an empty chunk, and the end. */
export const serveUtxoSet: Flow = ({ link }) => {
  const requests = link.route([
    "requestPruningPointUtxoSet",
    "requestNextPruningPointUtxoSetChunk",
  ]);
  return async () => {
    for (;;) {
      const { requestId } = await expect(requests, "requestPruningPointUtxoSet");
      const empty = { outpointAndUtxoEntryPairs: [] };
      link.send({ $case: "pruningPointUtxoSetChunk", value: empty }, requestId);
      link.send({ $case: "donePruningPointUtxoSetChunks", value: {} }, requestId);
    }
  };
};

/** Serves the lanes at the pruning point; the peer asks for more after every `P2P_LIMITS.p2pChunksWindow` chunks. */
export function serveLanes(serving: PeerServing): Flow {
  return serveRows(serving, {
    first: "requestPruningPointSmtState",
    more: "requestNextPruningPointSmtChunk",
    question: (_, point, cursor) => ({ kind: "lanes", point, cursor }),
  });
}

/** Serves the state at the pruning point and its nullifiers, likewise. */
export function serveState(serving: PeerServing): Flow {
  return serveRows(serving, {
    first: "requestPruningPointShieldedState",
    more: "requestNextPruningPointShieldedChunk",
    question: ({ introduction }, point, cursor) => {
      const isExtended = announces(introduction.services, "extendedState");
      return { kind: "state", point, cursor, isExtended };
    },
  });
}

/** Serves the bindings of anchors from before the security fork, likewise (decision record 29). */
export function serveAnchorBindings(serving: PeerServing): Flow {
  return serveRows(serving, {
    first: "requestAnchorBindings",
    more: "requestNextAnchorBindingChunk",
    question: (_, point, cursor) => ({ kind: "bindings", point, cursor }),
  });
}

type Rows = {
  readonly first:
    | "requestPruningPointSmtState"
    | "requestPruningPointShieldedState"
    | "requestAnchorBindings";
  readonly more:
    | "requestNextPruningPointSmtChunk"
    | "requestNextPruningPointShieldedChunk"
    | "requestNextAnchorBindingChunk";
  readonly question: (peer: Peer, point: string, cursor: string | null) => PointQuestion;
};

/** A message that says what comes, and then chunks. */
function serveRows(serving: PeerServing, { first, more, question }: Rows): Flow {
  return (peer) => {
    const requests = peer.link.route([first, more]);
    return async () => {
      for (;;) {
        const { payload, requestId: responseId } = await expect(requests, first);
        if (payload.$case !== first) continue;
        const point = encodeHex(hashBytes("pruningPointHash", payload.value.hash));
        const cursor = await serving.give(peer, question(peer, point, null), { responseId });
        if (cursor === null) continue;
        await giveAll(serving, peer, {
          question: (from) => question(peer, point, from),
          from: cursor,
          responseId,
          afterEach: windowed(P2P_LIMITS.p2pChunksWindow, () =>
            expect(requests, more, P2P_LIMITS.p2pServeNextMs),
          ),
        });
      }
    };
  };
}

/** All pages of a row of questions. */
async function giveAll(
  serving: PeerServing,
  peer: Peer,
  parts: {
    readonly question: (cursor: string | null) => PointQuestion;
    readonly from?: string;
    readonly responseId: number;
    readonly afterEach: () => Promise<void>;
  },
): Promise<void> {
  const { question, responseId, afterEach } = parts;
  let cursor = parts.from ?? null;
  do cursor = await serving.give(peer, question(cursor), { responseId, afterEach });
  while (cursor !== null);
}

/** A call that waits for the peer every so many times. */
function windowed(size: number, wait: () => Promise<unknown>): () => Promise<void> {
  let sent = 0;
  return async () => {
    sent += 1;
    if (sent % size === 0) await wait();
  };
}

/** The next message, which must be of this name, and come within a time in milliseconds unless that is null. */
async function expect<Name extends P2pName>(
  requests: Route<Name>,
  name: Name,
  waitMs: number | null = null,
): Promise<Arrived<Name>> {
  const arrived = await requests.next(waitMs);
  if (arrived.payload.$case === name) return arrived;
  throw new SvcError("p2p/unexpected-message", { message: arrived.payload.$case });
}
