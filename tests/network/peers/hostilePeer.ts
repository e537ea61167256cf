/** Hostile peer: performs the handshake and then sends whatever a test wants. */
import { randomBytes } from "node:crypto";
import { dialPeer } from "@svc/node-server/p2p/link/grpcDialer.ts";
import { shakeHands } from "@svc/node-server/p2p/handshake/handshake.ts";
import { Link } from "@svc/node-server/p2p/link/link.ts";
import { MESSAGE_BOUNDS } from "@svc/node-server/p2p/link/messageBounds.ts";
import type { Route } from "@svc/node-server/p2p/link/route.ts";
import { PATIENT_DIAL } from "@svc/node-server/p2p/testkit/patientDial.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const LOOPBACK = "127.0.0.1";
const HANDSHAKE: readonly P2pName[] = ["version", "verack", "ready", "reject", "pong"];
/** All messages that there are. */
export const MESSAGE_NAMES: readonly P2pName[] = namesOf(MESSAGE_BOUNDS);

/** The node that the peer dials. */
export type Visit = { readonly port: number; readonly network: string };

/** A link to a node, from the other side. */
export class HostilePeer {
  readonly link: Link;
  readonly #pongs: Route<"pong">;
  #nonce = 1n;

  private constructor(link: Link, pongs: Route<"pong">) {
    this.link = link;
    this.#pongs = pongs;
  }

  /** Dials a node and shakes hands. */
  static async visit({ port, network }: Visit): Promise<HostilePeer> {
    const { signal } = new AbortController();
    const wire = await dialPeer({ ip: LOOPBACK, port }, signal, { limits: PATIENT_DIAL });
    const link = new Link({ wire, clock: systemClock, onUnknown: () => undefined });
    const own = {
      services: 0n,
      address: undefined,
      id: randomBytes(16),
      userAgent: "/hostile:1/",
      disableRelayTx: false,
      subnetworkId: undefined,
      network,
    };
    const pongs = await shakeHands(link, {
      own,
      clock: systemClock,
      judge: () => undefined,
      prepare: () => {
        const heard = link.route(MESSAGE_NAMES.filter((name) => !HANDSHAKE.includes(name)));
        void forget(heard);
        return link.route(["pong"]);
      },
    });
    return new HostilePeer(link, pongs);
  }

  /** Sends bytes as they are, once there is room. */
  async send(bytes: Uint8Array): Promise<void> {
    await this.link.room().catch(() => undefined);
    this.link.sendEncoded(bytes);
  }

  /** Sends bytes so many times at once, whether there is room or not. */
  flood(bytes: Uint8Array, times: number): void {
    for (let sent = 0; sent < times && !this.link.signal.aborted; sent += 1) {
      this.link.sendEncoded(bytes);
    }
  }

  /** Whether the node still talks: it has answered everything before, or ended the link. */
  async isHeard(): Promise<boolean> {
    const nonce = this.#nonce;
    this.#nonce += 1n;
    this.link.send({ $case: "ping", value: { nonce } });
    try {
      for (;;) {
        const { payload } = await this.#pongs.next(STEP_HANG_MS);
        if (payload.value.nonce === nonce) return true;
      }
    } catch {
      return false;
    }
  }

  /** Goes away, and waits until the link has ended. */
  async leave(reason: SvcError): Promise<void> {
    this.link.end(reason);
    await this.link.ended;
  }
}

async function forget(route: Route<P2pName>): Promise<void> {
  try {
    for (;;) await route.next(null);
  } catch {
    return;
  }
}

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in record) names.push(name);
  return names;
}
