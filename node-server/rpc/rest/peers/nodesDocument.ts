/** The document of `/info/nodes`: the peers of this node, masked, itself first (specification explorer A2, corrections T15). */
import { isIPv4, isIPv6 } from "node:net";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { PROTOCOL_VERSION } from "../../../p2p/handshake/handshake.ts";
import { userAgent } from "../../../p2p/handshake/userAgent.ts";
import { maskAddresses } from "../../../platform/log/maskAddresses.ts";
import { parseNetAddress } from "../../../platform/net/netAddress.ts";
import type { PeerFacts } from "../../service/networkApi.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import { maskedNet } from "./maskedNet.ts";
import type { RestSession } from "../call/restSession.ts";
import { wholeNumber } from "../call/wholeNumber.ts";

type NodesDocument = RestAnswer<"nodes">;
type ShownNode = NodesDocument["nodes"][number];

/** A peer with what its address says. */
type LocatedPeer = {
  readonly peer: PeerFacts;
  /** "" for a host name. */
  readonly ip: string;
  readonly country: string | null;
};

const MS_PER_SECOND = 1_000n;
const PORT = 1;
const countryNames = new Intl.DisplayNames(["en"], { type: "region" });

/** Makes the document. */
export function nodesDocument(node: NodeApi, session: RestSession): NodesDocument {
  const { nowMs } = node.status();
  const located = (node.network?.peers() ?? []).map((peer) => locate(peer, session));
  const peers = located.map((one) => shownPeer(one, session));
  return {
    updatedAt: wholeNumber(nowMs / MS_PER_SECOND),
    totals: totalsOf(located),
    nodes: [ownNode(node, nowMs - session.startedMs), ...peers],
    countries: countriesOf(located),
    userAgents: counted(located.map(({ peer }) => shownAgent(peer))).map(([agent, count]) => ({
      agent,
      count,
    })),
  };
}

function locate(peer: PeerFacts, { countries }: RestSession): LocatedPeer {
  const ip = ipOf(peer);
  return { peer, ip, country: countries?.countryOf(ip) ?? null };
}

/** The address of a peer; "" for a host name. */
export function ipOf({ address }: Pick<PeerFacts, "address">): string {
  return parseNetAddress(address, PORT)?.ip ?? "";
}

/** What a peer calls itself. Nobody has it show the whole address of anybody. */
export function shownAgent({ userAgent: agent }: Pick<PeerFacts, "userAgent">): string {
  return maskAddresses(agent);
}

function totalsOf(located: readonly LocatedPeer[]): NodesDocument["totals"] {
  const count = (is: (one: LocatedPeer) => boolean): number => located.filter(is).length;
  return {
    nodes: located.length + 1,
    peers: located.length,
    countries: new Set(located.flatMap(({ country }) => country ?? [])).size,
    located: count(({ country }) => country !== null),
    inbound: count(({ peer }) => !peer.isOutbound),
    outbound: count(({ peer }) => peer.isOutbound),
    ipv4: count(({ ip }) => isIPv4(ip)),
    ipv6: count(({ ip }) => isIPv6(ip)),
    blocksRelayed: located.reduce((sum, { peer }) => sum + peer.blocksRelayed, 0),
  };
}

function ownNode(node: NodeApi, runsMs: bigint): ShownNode {
  return {
    id: "explorer",
    country: null,
    countryName: null,
    lat: null,
    lon: null,
    net: "",
    userAgent: userAgent({ version: node.version, digest: node.profile.digest, comments: [] }),
    protocolVersion: PROTOCOL_VERSION,
    pingMs: null,
    outbound: null,
    connectedForSec: wholeNumber(runsMs / MS_PER_SECOND),
    blocksRelayed: 0,
    ibd: node.network !== null && node.network.syncProgress() !== null,
    self: true,
  };
}

function shownPeer({ peer, ip, country }: LocatedPeer, session: RestSession): ShownNode {
  return {
    id: session.maskedId(peer.id),
    country,
    countryName: country === null ? null : nameOf(country),
    lat: null,
    lon: null,
    net: maskedNet(ip),
    userAgent: shownAgent(peer),
    protocolVersion: peer.advertisedProtocolVersion,
    pingMs: peer.lastPingMs === null ? null : Math.round(peer.lastPingMs),
    outbound: peer.isOutbound,
    connectedForSec: wholeNumber(peer.timeConnected / MS_PER_SECOND),
    blocksRelayed: peer.blocksRelayed,
    ibd: peer.isIbdPeer,
    self: false,
  };
}

function countriesOf(located: readonly LocatedPeer[]): NodesDocument["countries"] {
  const codes = located.flatMap(({ country }) => country ?? []);
  return counted(codes).map(([code, count]) => ({
    code,
    name: nameOf(code),
    count,
    share: count / codes.length,
    lat: null,
    lon: null,
  }));
}

function nameOf(country: string): string {
  return countryNames.of(country) ?? country;
}

/** Words and how often each is there, the most frequent first, then by the alphabet. */
function counted(words: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
}
