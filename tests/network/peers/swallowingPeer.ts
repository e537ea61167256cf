/** Black-hole peer: takes payments in their stem phase and relays none of them. */
import { randomBytes } from "node:crypto";
import { startGrpcListener, type GrpcListener } from "@svc/node-server/p2p/link/grpcListener.ts";
import { shakeHands } from "@svc/node-server/p2p/handshake/handshake.ts";
import { Link } from "@svc/node-server/p2p/link/link.ts";
import type { Wire } from "@svc/node-server/p2p/link/wire.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { MESSAGE_NAMES } from "./hostilePeer.ts";

const HANDSHAKE: readonly string[] = ["version", "verack", "ready", "reject", "stemTransaction"];

/** The peer, which listens on a port of this machine. */
export class SwallowingPeer {
  readonly #listener: GrpcListener;
  #count = 0;

  private constructor(listener: GrpcListener) {
    this.#listener = listener;
  }

  /** Starts it for a network of this name. */
  static async start(network: string): Promise<SwallowingPeer> {
    const listener = await startGrpcListener({
      host: "127.0.0.1",
      port: 0,
      admits: () => true,
      onWire: (wire) => void peer.#take(wire, network).catch(() => undefined),
    });
    const peer: SwallowingPeer = new SwallowingPeer(listener);
    return peer;
  }

  get port(): number {
    return this.#listener.port;
  }

  /** Payments that it was handed. */
  get swallowed(): number {
    return this.#count;
  }

  /** Ends all links. */
  stop(): Promise<void> {
    return this.#listener.stop();
  }

  async #take(wire: Wire, network: string): Promise<void> {
    const link = new Link({ wire, clock: systemClock, onUnknown: () => undefined });
    const own = {
      services: OWN_SERVICES,
      address: undefined,
      id: randomBytes(16),
      userAgent: "/swallowing:1/",
      disableRelayTx: false,
      subnetworkId: undefined,
      network,
    };
    const stems = await shakeHands(link, {
      own,
      clock: systemClock,
      judge: () => undefined,
      prepare: () => {
        const rest = link.route(MESSAGE_NAMES.filter((name) => !HANDSHAKE.includes(name)));
        const forget = async (): Promise<void> => {
          for (;;) await rest.nextEncoded(null);
        };
        void forget().catch(() => undefined);
        return link.route(["stemTransaction"]);
      },
    });
    for (;;) {
      await stems.next(null);
      this.#count += 1;
    }
  }
}
