/** A peer: another node with which the handshake is done. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { Introduction } from "../handshake/handshake.ts";
import type { Link } from "../link/link.ts";

/** Merits of a peer, which eviction looks at. */
export type PeerRecord = {
  /** Blocks that it was the first to bring. */
  blocksRelayed: number;
  /** Milliseconds of the last ping and its answer; null before the first. */
  lastPingMs: number | null;
};

/** A peer, its link and its introduction. */
export type Peer = {
  /** Its id and its host: the same program twice is the same peer. */
  readonly key: string;
  readonly link: Link;
  readonly introduction: Introduction;
  /** Unix milliseconds. */
  readonly connectedMs: bigint;
  /** Its clock behind ours, milliseconds. */
  readonly timeOffsetMs: bigint;
  readonly record: PeerRecord;
};

/** The key of a peer, from its introduction and its link. */
export function peerKey({ remote }: Link, { id }: Introduction): string {
  return `${encodeHex(id)}@${remote.ip}`;
}
