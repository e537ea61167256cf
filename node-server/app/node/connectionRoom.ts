/**
 * Connection limits from the file descriptor limit: how many connections each server may hold, so that the node's own files,
 * threads and peers have the descriptors they need. A node without a free descriptor can neither read nor write its store.
 */
import { APP_LIMITS } from "../appLimits.ts";
import { P2P_LIMITS } from "../../p2p/p2pLimits.ts";
import { RPC_LIMITS } from "../../rpc/rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { descriptorLimit } from "../../platform/net/descriptorLimit.ts";
import type { Log } from "../../platform/log/log.ts";
import type { PeerFlags } from "../options/peerFlags.ts";

/** The inbound connections of each server. */
export type ConnectionRoom = {
  readonly http: number;
  readonly grpc: number;
  /** Peers that are taken in. */
  readonly inbound: number;
};

/** The connections that a node would take, and the system's limit of descriptors; null for no limit. */
export type RoomWish = {
  readonly limit: number | null;
  readonly wanted: ConnectionRoom;
  /** Peers that the node dials. */
  readonly outbound: number;
};

/**
 * Divides the descriptors: what is wanted, or a share of it where they do not suffice. Throws `node/bad-option` below the
 * least.
 */
export function connectionRoom({ limit, wanted, outbound }: RoomWish): ConnectionRoom {
  const { descriptorsOwn, connectionsLeast } = APP_LIMITS;
  const { p2pStreamless, p2pHalfOpen } = P2P_LIMITS;
  const wishes = Object.values(wanted);
  const sum = wishes.reduce((total, wish) => total + wish, 0);
  const least = wishes.reduce((total, wish) => total + Math.min(wish, connectionsLeast), 0);
  const own = descriptorsOwn + outbound + (wanted.inbound > 0 ? p2pStreamless + p2pHalfOpen : 0);
  if (limit === null || limit >= own + sum) return wanted;
  if (limit < own + least) {
    const reason = `the system allows ${limit} open files, and this node needs ${own + least}`;
    throw new SvcError("node/bad-option", { option: "ulimit -n", reason });
  }
  const part = (limit - own - least) / (sum - least);
  const share = (wish: number): number => {
    const sure = Math.min(wish, connectionsLeast);
    return sure + Math.floor((wish - sure) * part);
  };
  return { http: share(wanted.http), grpc: share(wanted.grpc), inbound: share(wanted.inbound) };
}

/** Settings that decide how much a node wants. */
export type RoomOptions = {
  readonly http: unknown;
  readonly grpc: unknown;
  readonly peers: Pick<
    PeerFlags,
    "listen" | "maxInbound" | "outbound" | "connect" | "addPeers"
  > | null;
  readonly log: Log;
};

/**
 * Computes the connection limits of a node in this process; logs when they are less than the node would take. Errors:
 * `node/bad-option`.
 */
export function roomOf({ http, grpc, peers, log }: RoomOptions): ConnectionRoom {
  const wanted = {
    http: http === null ? 0 : RPC_LIMITS.httpConnections,
    grpc: grpc === null ? 0 : RPC_LIMITS.grpcConnections,
    inbound: peers === null || peers.listen === null ? 0 : peers.maxInbound,
  };
  const limit = descriptorLimit();
  const asked = peers === null ? 0 : peers.connect.length + peers.addPeers.length;
  const outbound = asked + (peers?.outbound ?? 0);
  const room = connectionRoom({ limit, wanted, outbound });
  if (room !== wanted) {
    log.warn(
      { openFiles: limit, wanted, room },
      "few open files are allowed (ulimit -n): the node takes fewer connections",
    );
  }
  return room;
}
