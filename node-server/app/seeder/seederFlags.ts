/**
 * Command-line options of `svc seeder`: one table for parsing, `--help`, environment variables and the reference page
 * `docs/programs/seeder.md`.
 */
import { LOG_LEVELS, type LogLevelName } from "../../platform/log/log.ts";
import { levelOption } from "../options/levelOption.ts";
import { NETWORK_ROWS } from "../options/networkRows.ts";
import { optionLines } from "../options/optionLines.ts";
import { ipListenOption, LISTEN_VALUE, type Listen } from "../options/listenOption.ts";
import type { NetworkChoice } from "../program/network.ts";
import {
  badOption,
  readOptions,
  type Environment,
  type OptionRow,
} from "../options/readOptions.ts";

/** One command-line option. */
export type SeederFlagRow = OptionRow & {
  /** Text of the default for people. */
  readonly fallback: string;
  readonly text: string;
};

/** The option table, in the order of the help text. */
export const SEEDER_FLAGS: readonly SeederFlagRow[] = [
  {
    name: "host",
    value: "NAME",
    fallback: "must be given",
    text: "The name whose addresses are those of nodes, such as seed.example.org.",
  },
  {
    name: "nameserver",
    value: "NAME",
    fallback: "must be given",
    text: "The name of this machine, as the zone above names it.",
  },
  {
    name: "listen",
    value: LISTEN_VALUE,
    fallback: "0.0.0.0:53",
    text: "Where questions come to, over UDP and TCP. Port 0 lets the system choose.",
  },
  {
    name: "peer",
    value: "IP[:PORT]",
    repeats: true,
    fallback: "none",
    text: "A node to begin with. May be given several times.",
  },
  ...NETWORK_ROWS,
  {
    name: "appdir",
    short: "b",
    value: "FOLDER",
    fallback: "~/.svc",
    text: "What it learns lies in FOLDER/NETWORK/seeder.",
  },
  {
    name: "loglevel",
    short: "d",
    value: "LEVEL",
    fallback: "info",
    text: `What is logged: ${LOG_LEVELS.join(", ")}.`,
  },
  { name: "help", short: "h", fallback: "", text: "Prints this text." },
];

/** The parsed options of a start. */
export type SeederFlags = {
  /** Lower case, without a last dot. */
  readonly host: string;
  readonly nameserver: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly peers: readonly string[];
  readonly network: NetworkChoice;
  /** Whether the network is one that anybody may join; the others are made of neighbours. */
  readonly isPublic: boolean;
  readonly appdir: string | null;
  readonly logLevel: LogLevelName;
};

const NETWORKS = { testnet: "testnet-10", devnet: "devnet", simnet: "simnet" } as const;
const PRIVATE = ["devnet", "simnet"] as const;
const HOST_NAME =
  /^(?=.{1,240}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
const EVERYWHERE: Listen = { host: "0.0.0.0", port: 53 };

/** Parses the options; null when help is asked for. Errors: `node/bad-option`. */
export function parseSeederFlags(
  args: readonly string[],
  environment: Environment,
): SeederFlags | null {
  const { on, text, texts } = readOptions(SEEDER_FLAGS, args, environment);
  if (on("help")) return null;
  return {
    host: nameOf("host", text("host")),
    nameserver: nameOf("nameserver", text("nameserver")),
    listen: { ...EVERYWHERE, ...ipListenOption("listen", text("listen")) },
    peers: texts("peer"),
    network: networkOf(on, text("profile")),
    isPublic: !PRIVATE.some(on) && text("profile") === null,
    appdir: text("appdir"),
    logLevel: levelOption(text("loglevel") ?? "info"),
  };
}

/** Renders what `svc seeder --help` prints. */
export function seederHelpText(): string {
  return `svc seeder: answers questions over DNS for addresses of nodes that it has visited\n\n${optionLines(SEEDER_FLAGS)}\n`;
}

function nameOf(option: string, text: string | null): string {
  if (text === null) throw badOption(option, "it must be given");
  const name = text.toLowerCase().replace(/\.$/, "");
  if (!HOST_NAME.test(name)) throw badOption(option, "write a host name with a dot in it");
  return name;
}

function networkOf(on: (name: string) => boolean, file: string | null): NetworkChoice {
  const named = Object.entries(NETWORKS).filter(([name]) => on(name));
  if (named.length + (file === null ? 0 : 1) > 1) {
    throw badOption(named[0]?.[0] ?? "profile", "only one network can be chosen");
  }
  return file === null ? { name: named[0]?.[1] ?? "mainnet" } : { file };
}
