/** A peer that has introduced itself. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { Introduction } from "../link/handshake.ts";
import type { Link } from "../link/link.ts";

/** What a peer did for us. */
export type PeerRecord = {
  /** Blocks that it was the first to bring. */
  blocksRelayed: number;
  /** Milliseconds of the last ping and its answer; null before the first. */
  lastPingMs: number | null;
};

/** A peer. */
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

/** The key of whoever introduces itself over a link. */
export function peerKey({ remote }: Link, { id }: Introduction): string {
  return `${encodeHex(id)}@${remote.ip}`;
}
