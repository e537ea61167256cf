/** The remote side of a link, for tests: a program that does the handshake and then what the test says. */
import { shakeHands, type HandshakeParts } from "../handshake/handshake.ts";
import { Link } from "../link/link.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { TestWire } from "./wirePair.ts";

/** The introduction of a program of the simulation network. */
export function introductionOf(id: number): HandshakeParts["own"] {
  return {
    services: 0n,
    address: undefined,
    id: Uint8Array.of(id >> 8, id & 255, ...new Uint8Array(14)),
    userAgent: "/test:1/",
    disableRelayTx: false,
    subnetworkId: undefined,
    network: "test-network",
  };
}

/** How the remote side behaves. */
export type StrangerOptions = {
  readonly id: number;
  readonly clock: Clock;
  /** Messages that it takes; without them they end the link. */
  readonly takes?: readonly P2pName[];
};

/** Shakes hands over one end of a pair. The link is there at once; `shaken` rejects when it is turned away. */
export function stranger(
  wire: TestWire,
  options: StrangerOptions,
): { link: Link; shaken: Promise<void> } {
  const { id, clock, takes = [] } = options;
  const link = new Link({ wire, clock, onUnknown: () => {} });
  const shaken = shakeHands(link, {
    own: introductionOf(id),
    clock,
    judge: () => {},
    prepare: () => void link.route(takes),
  });
  shaken.catch(() => undefined);
  return { link, shaken };
}
