/** The handshake: both sides exchange versions at the same time and confirm them (specification network 1.2). */
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pContent } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Link } from "../link/link.ts";

/** The protocol version that this program speaks. */
export const PROTOCOL_VERSION = 10;
const ID_BYTES = 16;

/** The `version` message: what a side says of itself. */
export type Introduction = P2pContent<"version">;

/** Dependencies of a handshake, and what this side says and accepts. */
export type HandshakeParts<Peer = unknown> = {
  readonly own: Omit<Introduction, "timestamp" | "protocolVersion">;
  readonly clock: Clock;
  /** Looks at the other side before it is told that all is well. Throws what the link is to end with. */
  readonly judge: (peer: Introduction) => void;
  /** Makes the routes of the flows: from our `ready` on messages may come. Nothing is to be sent before this resolves. */
  readonly prepare: (peer: Introduction) => Peer;
};

/**
 * Performs the handshake over a link that was not started. Returns what `prepare` made. Rejects, and the link has ended, with
 * `p2p/stalled`, `run/aborted` when the signal aborts before both sides are ready, `p2p/…` or what `judge` throws.
 */
export async function shakeHands<Peer>(
  link: Link,
  parts: HandshakeParts<Peer>,
  signal?: AbortSignal,
): Promise<Peer> {
  const giveUp = (): void => link.end(new SvcError("run/aborted", {}));
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    if (signal?.aborted === true) giveUp();
    return await exchange(link, parts);
  } catch (error) {
    link.end(SvcError.from(error));
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

async function exchange<Peer>(link: Link, parts: HandshakeParts<Peer>): Promise<Peer> {
  const { own, clock, judge, prepare } = parts;
  const versions = link.route(["version"], { capacity: 1 });
  const veracks = link.route(["verack"], { capacity: 1 });
  const readies = link.route(["ready"], { capacity: 1 });
  link.start();
  const timestamp = clock.nowMs();
  const version = { ...own, protocolVersion: PROTOCOL_VERSION, timestamp };
  link.send({ $case: "version", value: version });
  const heard = async (): Promise<Introduction> => {
    const { payload } = await versions.next(P2P_LIMITS.p2pVersionMs);
    link.send({ $case: "verack", value: {} });
    return payload.value;
  };
  // One after the other, two sides that wait for each other's first word would wait for ever.
  const [peer] = await Promise.all([heard(), veracks.next(P2P_LIMITS.p2pVersionMs)]);
  if (peer.id.length !== ID_BYTES) throw badField("id", `it has ${peer.id.length} bytes`);
  // What is prepared for a link that ended meanwhile would never be cleared away.
  throwIfEnded(link);
  judge(peer);
  const prepared = prepare(peer);
  link.send({ $case: "ready", value: {} });
  await readies.next(P2P_LIMITS.p2pReadyMs);
  throwIfEnded(link);
  link.unroute(["version", "verack", "ready"]);
  return prepared;
}

function throwIfEnded({ signal }: Link): void {
  if (signal.aborted) throw SvcError.from(signal.reason);
}
