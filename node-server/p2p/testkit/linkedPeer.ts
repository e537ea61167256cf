/** A peer with running flows and its own end of the link, for tests. */
import type { Clock } from "../../platform/time/clock.ts";
import { prepareFlows, type Flow } from "../flows/runFlows.ts";
import { Link } from "../link/link.ts";
import type { Peer } from "../peers/peer.ts";
import { introductionOf } from "./stranger.ts";
import { wirePair } from "./wirePair.ts";

/** Both ends of a link after the handshake. */
export type LinkedPeer = {
  /** As the node sees it. */
  readonly peer: Peer;
  /** The peer's own end. */
  readonly remote: Link;
  /** Starts both ends; routes of the peer's end must be there. */
  readonly start: () => void;
};

/** Which side dialled, and what the peer says of itself. */
export type LinkOptions = {
  readonly dialled?: boolean;
  readonly services?: bigint;
  readonly disableRelayTx?: boolean;
};

/** Makes a peer and its flows. */
export function linkedPeer(
  clock: Clock,
  flows: readonly Flow[],
  key = "peer",
  { dialled = false, services = 0n, disableRelayTx = false }: LinkOptions = {},
): LinkedPeer {
  const [dialer, listener] = wirePair();
  const [ours, theirs] = dialled ? [dialer, listener] : [listener, dialer];
  const link = new Link({ wire: ours, clock, onUnknown: () => {} });
  const remote = new Link({ wire: theirs, clock, onUnknown: () => {} });
  const peer: Peer = {
    key,
    link,
    introduction: {
      ...introductionOf(1),
      services,
      disableRelayTx,
      protocolVersion: 10,
      timestamp: 0n,
    },
    connectedMs: 0n,
    timeOffsetMs: 0n,
    record: { blocksRelayed: 0, lastPingMs: null },
  };
  const run = prepareFlows(peer, flows);
  const start = (): void => {
    link.start();
    remote.start();
    run();
  };
  return { peer, remote, start };
}

/** Waits until everything has happened that waits only for the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
