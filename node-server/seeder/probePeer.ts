/** Probes a node: dials it, does the handshake, checks its network, and asks it for addresses. */
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { P2P_LIMITS } from "../p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { NetAddress } from "../platform/net/netAddress.ts";
import { addressFromWire } from "../p2p/addresses/wireAddress.ts";
import { shakeHands, type HandshakeParts } from "../p2p/handshake/handshake.ts";
import { judgePeer } from "../p2p/handshake/judgePeer.ts";
import { Link } from "../p2p/link/link.ts";
import type { RemoteAddress, Wire } from "../p2p/link/wire.ts";
import type { Clock } from "../platform/time/clock.ts";
import { withinMs } from "../platform/time/withinMs.ts";

/** Dependencies of a probe. */
export type ProbeParts = {
  readonly dial: (remote: RemoteAddress, signal: AbortSignal) => Promise<Wire>;
  readonly own: HandshakeParts["own"];
  /** Hexadecimal digest of the network's profile. */
  readonly digest: string;
  readonly clock: Clock;
};

/** What a node says to everybody who comes; a seeder does not answer. */
const GREETINGS: readonly P2pName[] = [
  "invRelayBlock",
  "invTransactions",
  "ping",
  "requestAddresses",
];

/**
 * Dials a node and shakes hands. Resolves with the addresses that it told of, none if it was asked in vain. Rejects with
 * `p2p/…`, `run/timeout` or `run/aborted` when there is no node of this network that keeps to the protocol.
 */
export async function probePeer(
  remote: NetAddress,
  parts: ProbeParts,
  signal: AbortSignal,
): Promise<NetAddress[]> {
  const bound = { waitMs: SEEDER_LIMITS.seederProbeMs, what: "the visit of a node", signal };
  return withinMs(parts.clock, bound, (within) => visit(remote, parts, within));
}

/** Ends with the signal; once hands were shaken that is no fault of the node. */
async function visit(
  remote: NetAddress,
  { dial, own, digest, clock }: ProbeParts,
  signal: AbortSignal,
): Promise<NetAddress[]> {
  const wire = await dial(remote, signal);
  const link = new Link({ wire, clock, onUnknown: () => {} });
  const giveUp = (): void => link.end(new SvcError("run/aborted", {}));
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const answers = await shakeHands(link, {
      own,
      clock,
      judge: (peer) => {
        const { id: ownId, network } = own;
        judgePeer(peer, { ownId, network, digest, isKnown: () => false, takesAgent: () => true });
      },
      prepare: () => {
        link.route(GREETINGS);
        return link.route(["addresses"], { capacity: 1 });
      },
    });
    link.send({
      $case: "requestAddresses",
      value: { includeAllSubnetworks: false, subnetworkId: undefined },
    });
    return await answers.next(null).then(
      ({ payload }) => addressesOf(payload.value.addressList),
      () => [],
    );
  } finally {
    signal.removeEventListener("abort", giveUp);
    link.end(new SvcError("p2p/closed", {}));
  }
}

/** Throws `p2p/bad-message`. */
function addressesOf(list: readonly Parameters<typeof addressFromWire>[0][]): NetAddress[] {
  const [count, max] = [list.length, P2P_LIMITS.p2pAddressesTaken];
  if (count > max) throw badField("addressList", `${count} of at most ${max}`);
  return list.map(addressFromWire);
}
