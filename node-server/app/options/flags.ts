/**
 * Command-line options of the node's commands: one table for parsing, `--help`, environment variables
 * and the reference page `docs/programs/svc.md`.
 */
import { ENGINE_LIMITS } from "../../engine/engineLimits.ts";
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
import { APP_LIMITS } from "../appLimits.ts";
import { isProverKind, PROVER_KINDS, type ProverKind } from "@svc/shared/core/planProver.ts";
import { LOG_LEVELS, type LogLevelName } from "../../platform/log/log.ts";
import type { HttpRules } from "../../platform/http/accessCheck.ts";
import type { FlagRow, NodeCommand } from "./flagRow.ts";
import { HTTP_FLAGS, readHttpFlags } from "./httpFlags.ts";
import { levelOption } from "./levelOption.ts";
import { LISTEN_VALUE, listenOption, type Listen } from "./listenOption.ts";
import { PEER_FLAGS, readPeerFlags, type PeerFlags } from "./peerFlags.ts";
import { readRestFlags, REST_FLAGS, type RestFlags } from "./restFlags.ts";
import { readWalletApiFlags, WALLET_API_FLAGS, type WalletApiFlags } from "./walletApiFlags.ts";
import { badOption, readOptions, type Environment } from "./readOptions.ts";

const BOTH: readonly NodeCommand[] = ["node", "local"];
const CHAINS: readonly NodeCommand[] = ["node", "verify"];
const ALL: readonly NodeCommand[] = ["node", "local", "verify"];
const same = (text: string): FlagRow["fallback"] => ({ node: text, local: text, verify: text });

/** The option table, in the order of the help text. */
export const FLAGS: readonly FlagRow[] = [
  {
    name: "testnet",
    commands: CHAINS,
    fallback: same("mainnet"),
    text: "The test network. Excludes --devnet, --simnet and --profile.",
  },
  {
    name: "devnet",
    commands: CHAINS,
    fallback: same("mainnet"),
    text: "The development network.",
  },
  {
    name: "simnet",
    commands: CHAINS,
    fallback: same("mainnet"),
    text: "The simulation network.",
  },
  {
    name: "profile",
    value: "FILE",
    commands: ALL,
    fallback: { node: "built in", local: "built in (simnet)", verify: "built in" },
    text: "The private network described in a profile file.",
  },
  {
    name: "appdir",
    short: "b",
    value: "FOLDER",
    commands: ALL,
    fallback: { node: "~/.svc", local: ".data in the project", verify: "~/.svc" },
    text: "Where data lies: FOLDER/<network>/{consensus,meta}.",
  },
  {
    name: "reset-db",
    commands: BOTH,
    fallback: same("off"),
    text: "Deletes the network's data before starting.",
  },
  {
    name: "archival",
    commands: BOTH,
    fallback: same("off"),
    text: "Keeps the bodies of blocks below the pruning point from now on. Without it they are deleted.",
  },
  {
    name: "shielded-history",
    value: "on|off",
    commands: BOTH,
    fallback: same("on with --archival"),
    text: "Whether a node that began at a pruning point wants the note history from before it. Newer history is always kept.",
  },
  {
    name: "index",
    commands: ["node"],
    fallback: same("off"),
    text: "Keeps an index of blocks, transactions and their history beside the chain, for the public REST interface.",
  },
  {
    name: "noindex",
    commands: ["local"],
    fallback: same("off"),
    text: "Keeps no index of blocks and transactions.",
  },
  {
    name: "rebuild-index",
    commands: BOTH,
    fallback: same("off"),
    text: "Makes the tables of the index anew from the chain, while the node serves. What it observed stays. Implies --index.",
  },
  {
    name: "index-days",
    value: "N",
    commands: BOTH,
    fallback: same("all days"),
    text: "Days back from the newest block that the index keeps: it deletes what is older, but for what it observed.",
  },
  {
    name: "yes",
    commands: BOTH,
    fallback: same("off"),
    text: "Confirms that a start without --archival deletes the bodies that an archival node kept.",
  },
  {
    name: "rpclisten",
    value: LISTEN_VALUE,
    commands: BOTH,
    fallback: same("127.0.0.1 and the network's gRPC port"),
    text: "Where gRPC listens. Port 0 lets the system choose.",
  },
  { name: "nogrpc", commands: BOTH, fallback: same("off"), text: "Starts no gRPC server." },
  {
    name: "httplisten",
    value: LISTEN_VALUE,
    commands: BOTH,
    fallback: same("127.0.0.1 and the network's HTTP port"),
    text: "Where /v1 and the pages are served. Port 0 lets the system choose.",
  },
  ...HTTP_FLAGS,
  ...REST_FLAGS,
  ...WALLET_API_FLAGS,
  { name: "nohttp", commands: ["node"], fallback: same("off"), text: "Starts no HTTP server." },
  {
    name: "pages",
    value: "FOLDER",
    commands: BOTH,
    fallback: { ...same("none"), local: "web/dist in the project" },
    text: "Serves the built pages of wallet and explorer from a folder; it runs the explorer's module in there.",
  },
  ...PEER_FLAGS,
  {
    name: "mine",
    value: "ADDRESS",
    commands: BOTH,
    fallback: { ...same("off"), local: "the address used last, else the network's own" },
    text: "Mines in this process and pays ADDRESS. Only on networks without proof of work.",
  },
  {
    name: "block-interval",
    value: "MS",
    commands: BOTH,
    fallback: same("the network's block time"),
    text: "Milliseconds between blocks mined in this process.",
  },
  {
    name: "enable-unsynced-mining",
    commands: ["node"],
    fallback: same("off"),
    text: "Accepts submitted blocks while the node is not synced.",
  },
  {
    name: "proof-threads",
    value: "N",
    commands: ALL,
    fallback: same(`one less than the cores, at most ${ENGINE_LIMITS.verifyWorkersMax}`),
    text: `Threads that check proofs, 1 to ${CORE_LIMITS.proofThreadsMax}. They start as they are needed.`,
  },
  {
    name: "prover",
    value: "NAME",
    commands: ALL,
    fallback: same("own"),
    text: "What checks proofs: own (this project's), or upstream (the library that it is measured against): the same verdicts, slower.",
  },
  {
    name: "assume-proofs",
    commands: ["verify"],
    fallback: same("off"),
    text: "Takes the verdicts on proofs from the database instead of verifying every proof again.",
  },
  {
    name: "json",
    commands: ["verify"],
    fallback: same("off"),
    text: "Prints the result as one line of JSON, and nothing else.",
  },
  {
    name: "loglevel",
    short: "d",
    value: "LEVEL",
    commands: ALL,
    fallback: { ...same("warn"), node: "info" },
    text: `What is logged: ${LOG_LEVELS.join(", ")}.`,
  },
  {
    name: "mask-addresses",
    commands: BOTH,
    fallback: same("off"),
    text: "Cuts the addresses of others in the log down to their network: 1.2.x.x, 2001:db8:x.",
  },
  { name: "help", short: "h", commands: ALL, fallback: same(""), text: "Prints this text." },
];

/** Whether the node keeps an index, and whether its derived tables are made anew first. */
export type IndexMode = "off" | "on" | "rebuild";

/** The parsed options of a start; `null` means the default. */
export type NodeFlags = {
  readonly help: boolean;
  readonly network: "mainnet" | "testnet-10" | "devnet" | "simnet";
  readonly profileFile: string | null;
  readonly appdir: string | null;
  readonly resetDb: boolean;
  readonly archival: boolean;
  readonly shieldedHistory: boolean;
  readonly confirmed: boolean;
  readonly index: IndexMode;
  /** Days that the index keeps; null: all of them. */
  readonly indexDays: number | null;
  readonly grpc: Partial<Listen> | null;
  readonly http: Partial<Listen> | null;
  readonly httpRules: HttpRules;
  readonly rest: RestFlags;
  /** Null for a node without wallets. */
  readonly walletApi: WalletApiFlags | null;
  readonly pages: string | null;
  readonly peers: PeerFlags;
  readonly unsafeRpc: boolean;
  readonly mine: string | null;
  readonly blockIntervalMs: number | null;
  readonly allowUnsyncedMining: boolean;
  readonly proofThreads: number | null;
  readonly prover: ProverKind;
  readonly logLevel: LogLevelName;
  readonly masksAddresses: boolean;
  readonly assumeProofs: boolean;
  readonly json: boolean;
};

/** Parses the options of a command. Errors: `node/bad-option`. */
export function parseFlags(
  command: NodeCommand,
  args: readonly string[],
  environment: Environment,
): NodeFlags {
  const rows = FLAGS.filter((row) => row.commands.includes(command));
  const { on, text, texts } = readOptions(rows, args, environment);
  return {
    help: on("help"),
    network: networkOf(command, on, text("profile")),
    profileFile: text("profile"),
    appdir: text("appdir"),
    resetDb: on("reset-db"),
    archival: on("archival"),
    shieldedHistory: historyOf(text("shielded-history"), on("archival")),
    confirmed: on("yes"),
    index: indexOf(command, on),
    indexDays: numberOf("index-days", text("index-days"), APP_LIMITS.indexDaysMax),
    grpc: on("nogrpc") ? null : listenOption("rpclisten", text("rpclisten")),
    http: on("nohttp") ? null : listenOption("httplisten", text("httplisten")),
    httpRules: readHttpFlags({ texts }),
    rest: readRestFlags({ on, text }),
    walletApi: readWalletApiFlags({ on, text }),
    pages: text("pages"),
    peers: readPeerFlags(command, { on, text, texts }),
    unsafeRpc: on("unsaferpc"),
    mine: text("mine"),
    blockIntervalMs: numberOf(
      "block-interval",
      text("block-interval"),
      APP_LIMITS.blockIntervalMaxMs,
    ),
    allowUnsyncedMining: on("enable-unsynced-mining"),
    proofThreads: numberOf("proof-threads", text("proof-threads"), CORE_LIMITS.proofThreadsMax),
    prover: proverOf(text("prover") ?? "own"),
    logLevel: levelOption(text("loglevel") ?? (command === "node" ? "info" : "warn")),
    masksAddresses: on("mask-addresses"),
    assumeProofs: on("assume-proofs"),
    json: on("json"),
  };
}

function indexOf(command: NodeCommand, on: (name: string) => boolean): IndexMode {
  if (on("rebuild-index")) return "rebuild";
  const isOn = command === "local" ? !on("noindex") : on("index");
  return isOn ? "on" : "off";
}

function networkOf(
  command: NodeCommand,
  on: (name: string) => boolean,
  profile: string | null,
): NodeFlags["network"] {
  const named = ["testnet", "devnet", "simnet"].filter(on);
  if (named.length + (profile === null ? 0 : 1) > 1) {
    throw badOption(named[0] ?? "profile", "only one network can be chosen");
  }
  if (command === "local" || named[0] === "simnet") return "simnet";
  if (named[0] === "testnet") return "testnet-10";
  return named[0] === "devnet" ? "devnet" : "mainnet";
}

function numberOf(name: string, text: string | null, max: number): number | null {
  if (text === null) return null;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max) {
    throw badOption(name, `write a number from 1 to ${max}`);
  }
  return value;
}

function historyOf(text: string | null, archival: boolean): boolean {
  if (text === null) return archival;
  if (text !== "on" && text !== "off") throw badOption("shielded-history", "write on or off");
  return text === "on";
}

function proverOf(text: string): ProverKind {
  if (!isProverKind(text)) throw badOption("prover", `write one of ${PROVER_KINDS.join(", ")}`);
  return text;
}
