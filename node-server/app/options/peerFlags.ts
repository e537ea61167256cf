/** Command-line options about peers: their rows of the table, and their parser (specification network 1.5, 5). */
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "../../p2p/p2pLimits.ts";
import {
  parseNamedAddress,
  parseNetAddress,
  type NetAddress,
} from "../../platform/net/netAddress.ts";
import type { ProxyAddress } from "../../p2p/link/proxyTunnel.ts";
import { readAgentRules } from "../../p2p/peers/agentRules.ts";
import type { FlagRow, NodeCommand } from "./flagRow.ts";
import { ipListenOption, listenOption, LISTEN_VALUE, type Listen } from "./listenOption.ts";
import { badOption, type OptionValues } from "./readOptions.ts";

const BOTH: readonly NodeCommand[] = ["node", "local"];
const same = (text: string): FlagRow["fallback"] => ({ node: text, local: text, verify: text });

/** The rows, in the order of the help text. */
export const PEER_FLAGS: readonly FlagRow[] = [
  {
    name: "listen",
    value: LISTEN_VALUE,
    commands: BOTH,
    fallback: { ...same("no listener"), node: "0.0.0.0 and the network's port for peers" },
    text: "Where peers are taken in. Port 0 lets the system choose.",
  },
  {
    name: "proxy",
    value: "HOST:PORT",
    commands: BOTH,
    fallback: same("none"),
    text: "Dials peers through this SOCKS5 proxy, which also looks names up: then --connect and --addpeer take NAME[:PORT] too, seeders are dialled by name and not asked over DNS, no address of this machine is told, and peers are taken in only where --listen says so.",
  },
  {
    name: "connect",
    value: "IP[:PORT]",
    repeats: true,
    commands: BOTH,
    fallback: same("none"),
    text: "Connects to these peers and to no others, and takes none in. May be given several times.",
  },
  {
    name: "addpeer",
    value: "IP[:PORT]",
    repeats: true,
    commands: BOTH,
    fallback: same("none"),
    text: "Connects to these peers too, again and again. May be given several times.",
  },
  {
    name: "outpeers",
    value: "N",
    commands: BOTH,
    fallback: { ...same("0"), node: String(P2P_LIMITS.p2pOutbound) },
    text: `How many peers the node looks for by itself, 0 to ${P2P_LIMITS.p2pOutboundMax}.`,
  },
  {
    name: "maxinpeers",
    value: "N",
    commands: BOTH,
    fallback: same(String(P2P_LIMITS.p2pInbound)),
    text: `How many peers are taken in, 0 to ${P2P_LIMITS.p2pInboundMax}; 0 starts no listener.`,
  },
  {
    name: "externalip",
    value: "IP[:PORT]",
    commands: ["node"],
    fallback: same("found out"),
    text: "The address under which others reach this node.",
  },
  {
    name: "disable-upnp",
    commands: ["node"],
    fallback: same("off"),
    text: "Taken for the sake of old command lines: this node never asks a router to let peers in.",
  },
  {
    name: "nodnsseed",
    commands: ["node"],
    fallback: same("off"),
    text: "Does not ask the network's seeders for addresses.",
  },
  {
    name: "uacomment",
    value: "TEXT",
    repeats: true,
    commands: ["node"],
    fallback: same("none"),
    text: "Is added to the name that peers see. May be given several times.",
  },
  {
    name: "ua-rule",
    value: "RULE",
    repeats: true,
    commands: ["node"],
    fallback: same("none"),
    text: "Which programs may be peers: allow;regex:RE, reject;regex:RE, allow;ver:NAME>=1.2.3, reject;ver:NAME<1.2.3. May be given several times.",
  },
  {
    name: "pruning-point",
    value: "HASH",
    commands: ["node"],
    fallback: same("none"),
    text: "A store begins at a pruning point only in a chain that holds this block: take a recent pruning point from a source you trust.",
  },
  {
    name: "unsaferpc",
    commands: BOTH,
    fallback: same("off"),
    text: "Takes calls over gRPC that change the node: adding and banning peers.",
  },
];

/** The parsed options about peers; `null` means the default. Addresses without a port have port 0. */
export type PeerFlags = {
  /** null starts no listener; a missing host or port is the network's own. */
  readonly listen: Partial<Listen> | null;
  readonly connect: readonly NetAddress[];
  readonly addPeers: readonly NetAddress[];
  readonly outbound: number;
  readonly maxInbound: number;
  readonly external: NetAddress | null;
  /** A SOCKS5 proxy that dials peers and looks their names up. */
  readonly proxy: ProxyAddress | null;
  readonly dnsSeeds: boolean;
  readonly comments: readonly string[];
  readonly takesAgent: (agent: string) => boolean;
  /** A block that a chain must hold for a store to begin in it. */
  readonly checkpoint: BlockHash | null;
};

/** Parses the options. Throws `node/bad-option`. */
export function readPeerFlags(command: NodeCommand, values: OptionValues): PeerFlags {
  const { on, text, texts } = values;
  const isNode = command === "node";
  const maxInbound = count("maxinpeers", text("maxinpeers"), P2P_LIMITS.p2pInbound);
  const rules = readAgentRules(texts("ua-rule"));
  if ("wrong" in rules) throw badOption("ua-rule", `${rules.wrong} is no rule`);
  const proxy = proxyOf(text("proxy"));
  const address = proxy === null ? plainAddress : proxiedAddress;
  const listensAnyway = isNode && proxy === null;
  const isListening = maxInbound > 0 && (listensAnyway || text("listen") !== null);
  return {
    listen: isListening ? ipListenOption("listen", text("listen")) : null,
    connect: texts("connect").map((one) => address("connect", one)),
    addPeers: texts("addpeer").map((one) => address("addpeer", one)),
    outbound: count("outpeers", text("outpeers"), isNode ? P2P_LIMITS.p2pOutbound : 0),
    maxInbound,
    external: externalOf(text("externalip")),
    proxy,
    dnsSeeds: isNode && !on("nodnsseed"),
    comments: texts("uacomment"),
    takesAgent: rules.takes,
    checkpoint: hashOf("pruning-point", text("pruning-point")),
  };
}

function hashOf(name: string, text: string | null): BlockHash | null {
  if (text === null) return null;
  if (!/^[0-9a-f]{64}$/i.test(text)) throw badOption(name, "write the 64 hex digits of a block");
  return asBlockHash(text.toLowerCase());
}

const MAXIMA = {
  outpeers: P2P_LIMITS.p2pOutboundMax,
  maxinpeers: P2P_LIMITS.p2pInboundMax,
} as const;

function count(name: keyof typeof MAXIMA, text: string | null, fallback: number): number {
  if (text === null) return fallback;
  const [value, max] = [Number(text), MAXIMA[name]];
  if (!/^\d+$/.test(text) || value > max) throw badOption(name, `write a number from 0 to ${max}`);
  return value;
}

function externalOf(text: string | null): NetAddress | null {
  return text === null ? null : plainAddress("externalip", text);
}

function proxyOf(text: string | null): ProxyAddress | null {
  if (text === null) return null;
  const { host, port } = listenOption("proxy", text);
  if (host === undefined || port === undefined || port === 0)
    throw badOption("proxy", "write HOST:PORT");
  return { host, port };
}

/** Port 0 stands for the network's. */
function plainAddress(name: string, text: string): NetAddress {
  const withPort = parseNetAddress(text, 1);
  if (withPort === undefined)
    throw badOption(name, `${text} is no IP[:PORT]; only a proxy (--proxy) looks names up`);
  return hasPort(text) ? withPort : { ...withPort, port: 0 };
}

/** The same where a proxy dials: a name will do. */
function proxiedAddress(name: string, text: string): NetAddress {
  const named = parseNetAddress(text, 1) === undefined ? parseNamedAddress(text, 1) : undefined;
  if (named === undefined) return plainAddress(name, text);
  return hasPort(text) ? named : { ...named, port: 0 };
}

function hasPort(text: string): boolean {
  return text.startsWith("[") ? /\]:\d+$/.test(text) : /^[^:]+:\d+$/.test(text);
}
