/**
 * Checks of a peer's `version` message: network, profile, protocol version, user agent, duplicates (specification network 1.2).
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { equalBytes } from "@svc/shared/base/bytes.ts";
import { PROTOCOL_VERSION, type Introduction } from "./handshake.ts";
import { agentDigest, shortDigest } from "./userAgent.ts";

/** What a peer's introduction is checked against. */
export type PeerRules = {
  readonly ownId: Uint8Array;
  readonly network: string;
  /** Hexadecimal digest of the network's profile. */
  readonly digest: string;
  /** Whether there is a link to this peer already. */
  readonly isKnown: (peer: Introduction) => boolean;
  /** Whether the rules of the operator take its program. */
  readonly takesAgent: (userAgent: string) => boolean;
};

/**
 * Checks the introduction of a peer. Throws `p2p/duplicate-connection`, `p2p/own-connection`, `p2p/wrong-network`,
 * `p2p/wrong-profile`, `p2p/refused-agent` or `p2p/wrong-version`, the first that holds. A program that says nothing of its
 * profile passes.
 */
export function judgePeer(peer: Introduction, rules: PeerRules): void {
  if (rules.isKnown(peer)) throw new SvcError("p2p/duplicate-connection", {});
  if (equalBytes(peer.id, rules.ownId)) throw new SvcError("p2p/own-connection", {});
  const { network, userAgent, protocolVersion } = peer;
  if (network !== rules.network) {
    throw new SvcError("p2p/wrong-network", {
      expected: rules.network,
      found: network.slice(0, SHOWN),
    });
  }
  const [expected, found] = [shortDigest(rules.digest), agentDigest(userAgent)];
  if (found !== null && found !== expected) {
    throw new SvcError("p2p/wrong-profile", { expected, found });
  }
  if (!rules.takesAgent(userAgent)) {
    throw new SvcError("p2p/refused-agent", { agent: userAgent.slice(0, SHOWN) });
  }
  if (protocolVersion < PROTOCOL_VERSION) {
    throw new SvcError("p2p/wrong-version", { expected: PROTOCOL_VERSION, found: protocolVersion });
  }
}

/** Characters of a peer's own words in an error. */
const SHOWN = 256;
