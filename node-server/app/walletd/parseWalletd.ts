/** Parser of the command line of `svc walletd`. */
import { availableParallelism } from "node:os";
import ipaddr from "ipaddr.js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
import type { LogLevelName } from "../../platform/log/log.ts";
import { SECRET_VARIABLE, type SecretSource } from "../../walletd/keys/secretSource.ts";
import { asWalletToken, type WalletToken } from "../../walletd/keys/walletToken.ts";
import { APP_LIMITS } from "../appLimits.ts";
import type { HttpRules } from "../../platform/http/accessCheck.ts";
import { readHostFlags } from "../options/httpFlags.ts";
import { levelOption } from "../options/levelOption.ts";
import { listenOption, type Listen } from "../options/listenOption.ts";
import {
  badOption,
  readOptions,
  type Environment,
  type OptionValues,
} from "../options/readOptions.ts";
import type { NetworkChoice } from "../program/network.ts";
import { WALLETD_COMMANDS, WALLETD_FLAGS, type WalletdCommand } from "./walletdFlags.ts";

/** The wallet folder, and what opens it. */
export type FolderFlags = {
  readonly network: NetworkChoice;
  /** As `--network` names it; null for a network of a profile file. */
  readonly networkName: string | null;
  readonly walletDir: string | null;
  readonly secret: SecretSource;
};

/** How phones are served. */
export type PublicFlags = {
  readonly listen: Listen;
  readonly insecure: boolean;
  readonly host: string | null;
  readonly token: string | null;
  readonly renewCertificate: boolean;
};

/** Where feeds are sent. */
export type WebhookFlags = {
  readonly url: string;
  readonly secretFile: string | undefined;
  readonly allowPrivate: boolean;
};

/** The options of the daemon. */
export type WalletdFlags = FolderFlags & {
  /** Null: 127.0.0.1 and the network's gRPC port. */
  readonly rpcServer: Listen | null;
  readonly listen: Listen;
  readonly allowOrigins: readonly string[];
  /** Further names of the server, and the proxies before it. */
  readonly hosts: Pick<HttpRules, "hostNames" | "proxies">;
  readonly allowDefaultToken: boolean;
  readonly allowRemote: boolean;
  readonly noCustodial: boolean;
  readonly servePublic: PublicFlags | null;
  /** 0: never. */
  readonly idleTimeoutMinutes: number;
  /** Null: nothing is merged. */
  readonly autoConsolidate: number | null;
  readonly proofThreads: number;
  readonly maxConcurrentProves: number;
  readonly syncWallets: number;
  readonly loadWallets: number;
  readonly idleEvictSeconds: number;
  /** Null: by free memory. */
  readonly maxResidentWallets: number | null;
  /** Options without effect that were given, with why they have none. */
  readonly idle: readonly { readonly name: string; readonly why: string }[];
  /** Null: nowhere. */
  readonly webhook: WebhookFlags | null;
  readonly diagnose: boolean;
  readonly graft: { readonly token: WalletToken; readonly path: string } | null;
  readonly showTokens: boolean;
  readonly json: boolean;
  readonly logLevel: LogLevelName;
};

/** Options of `svc walletd doctor` beside those of its folder. */
export type DoctorFlags = { readonly json: boolean; readonly removesLostTokens: boolean };

/** What was asked for. */
export type WalletdCall =
  | { readonly command: "help"; readonly of: WalletdCommand }
  | { readonly command: "serve"; readonly flags: WalletdFlags }
  | ({ readonly command: "doctor"; readonly folder: FolderFlags } & DoctorFlags)
  | {
      readonly command: "change-secret";
      readonly folder: FolderFlags;
      readonly newSecretFile: string | undefined;
      readonly plaintext: boolean;
    }
  | {
      readonly command: "backup";
      readonly folder: FolderFlags;
      readonly token: WalletToken;
      readonly passphraseFile: string | undefined;
      readonly out: string | null;
    }
  | {
      readonly command: "restore";
      readonly folder: FolderFlags;
      readonly file: string;
      /** Null: a new one. */
      readonly token: WalletToken | null;
      readonly passphraseFile: string | undefined;
    };

const NETWORKS: Readonly<Record<string, string>> = {
  mainnet: "mainnet",
  testnet: "testnet-10",
  devnet: "devnet",
  simnet: "simnet",
};
const LISTEN: Listen = { host: "127.0.0.1", port: 8501 };
const AUTO_CONSOLIDATE = 500;
const IDLE_EVICT_SECONDS = 1_800;
const API_TOKEN = /^[0-9a-z]{16,128}$/i;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Parses a command line. Throws `node/bad-option`. `cores` are those of this machine. */
export function parseWalletd(
  args: readonly string[],
  environment: Environment,
  cores: number = availableParallelism(),
): WalletdCall {
  const command = commandOf(args);
  const { names, rest } = namesOf(command, args);
  const rows = WALLETD_FLAGS.filter(({ commands }) => commands.includes(command));
  // The secret's own reader knows which of option, file and variable counts.
  const { [SECRET_VARIABLE]: _secret, ...others } = environment;
  const values = readOptions(rows, rest, others);
  if (values.on("help")) return { command: "help", of: command };
  const folder = folderFlags(values, environment);
  const passphraseFile = values.text("passphrase-file") ?? undefined;
  switch (command) {
    case "serve":
      return { command, flags: { ...folder, ...serveFlags(values, cores) } };
    case "doctor":
      return {
        command,
        folder,
        json: values.on("json"),
        removesLostTokens: values.on("remove-lost-tokens"),
      };
    case "change-secret": {
      const newSecretFile = values.text("new-wallet-secret-file") ?? undefined;
      const plaintext = values.on("plaintext");
      if (plaintext && newSecretFile !== undefined) {
        throw badOption("plaintext", "a new secret was given too");
      }
      return { command, folder, newSecretFile, plaintext };
    }
    case "backup": {
      const token = asWalletToken(names[0] ?? "");
      return { command, folder, token, passphraseFile, out: values.text("out") };
    }
    case "restore": {
      const [file = "", token] = names;
      const own = token === undefined ? null : asWalletToken(token);
      return { command, folder, file, token: own, passphraseFile };
    }
  }
}

function commandOf([first = ""]: readonly string[]): WalletdCommand {
  if (first === "" || first.startsWith("-")) return "serve";
  if (isCommand(first)) return first;
  const reason = `write one of ${Object.keys(WALLETD_COMMANDS).join(", ")}`;
  throw new SvcError("node/bad-option", { option: "the command of svc walletd", reason });
}

function isCommand(text: string): text is keyof typeof WALLETD_COMMANDS {
  return Object.hasOwn(WALLETD_COMMANDS, text);
}

/** What stands behind the name of a command, before its options. */
function namesOf(
  command: WalletdCommand,
  args: readonly string[],
): { readonly names: readonly string[]; readonly rest: readonly string[] } {
  if (command === "serve") return { names: [], rest: args };
  const behind = args.slice(1);
  const end = behind.findIndex((arg) => arg.startsWith("-"));
  const names = end < 0 ? behind : behind.slice(0, end);
  const rest = behind.slice(names.length);
  const wanted = WALLETD_COMMANDS[command].args.split(" ").filter((word) => word !== "");
  const least = wanted.filter((word) => !word.startsWith("[")).length;
  const isHelp = rest.includes("--help") || rest.includes("-h");
  const fits = names.length >= least && names.length <= wanted.length;
  if (!fits && !isHelp) {
    const form = `svc walletd ${command} ${wanted.join(" ")}`.trim();
    throw new SvcError("node/bad-option", { option: command, reason: `write ${form}` });
  }
  return { names, rest };
}

function folderFlags({ text }: OptionValues, environment: Environment): FolderFlags {
  const [name, file] = [text("network"), text("profile")];
  if (name !== null && file !== null) throw badOption("profile", "only one network can be chosen");
  const known = NETWORKS[name ?? "mainnet"];
  if (known === undefined || !Object.hasOwn(NETWORKS, name ?? "mainnet")) {
    throw badOption("network", `write one of ${Object.keys(NETWORKS).join(", ")}`);
  }
  return {
    network: file === null ? { name: known } : { file },
    networkName: file === null ? (name ?? "mainnet") : null,
    walletDir: text("wallet-dir"),
    secret: {
      text: text("wallet-secret") ?? undefined,
      file: text("wallet-secret-file") ?? undefined,
      env: environment,
    },
  };
}

function serveFlags(values: OptionValues, cores: number): Omit<WalletdFlags, keyof FolderFlags> {
  const { on, text, texts } = values;
  const numberOf = (name: string, least: number, most: number): number | null =>
    wholeNumber(name, text(name), least, most);
  const { walletdProvesMax, walletdSyncMax, walletdLoadsMax, walletdResidentMax } = APP_LIMITS;
  const proves = numberOf("max-concurrent-proves", 0, walletdProvesMax);
  const proofThreads = numberOf("proof-threads", 1, CORE_LIMITS.proofThreadsMax);
  return {
    rpcServer: rpcServerOf(text("rpc-server")),
    listen: listenOf(text("listen"), on("allow-remote")),
    allowOrigins: texts("allow-origin").map(originOf),
    hosts: readHostFlags({ texts }),
    allowDefaultToken: on("allow-default-token"),
    allowRemote: on("allow-remote"),
    noCustodial: on("no-custodial"),
    servePublic: publicOf(values),
    idleTimeoutMinutes: numberOf("idle-timeout", 0, APP_LIMITS.walletdIdleMinutesMax) ?? 0,
    autoConsolidate: ceilingOf(values),
    proofThreads: proofThreads ?? within(cores, 1, CORE_LIMITS.proofThreadsMax),
    maxConcurrentProves: proves === null || proves === 0 ? within(cores, 1, 2) : proves,
    syncWallets:
      numberOf("sync-wallets", 1, walletdSyncMax) ?? within(cores - 1, 1, walletdSyncMax),
    loadWallets: numberOf("load-wallets", 1, walletdLoadsMax) ?? within(cores - 2, 1, 4),
    idleEvictSeconds:
      numberOf("idle-evict", 1, APP_LIMITS.walletdEvictSecondsMax) ?? IDLE_EVICT_SECONDS,
    maxResidentWallets: numberOf("max-resident-wallets", 1, walletdResidentMax),
    idle: idleOf(values),
    webhook: webhookOf(values),
    diagnose: on("diagnose"),
    graft: graftOf(text("graft")),
    showTokens: on("show-tokens"),
    json: on("json"),
    logLevel: levelOption(text("loglevel") ?? "info"),
  };
}

/** Their values are checked all the same: a start script with an error in it is not taken for one that works. */
function idleOf({ text }: OptionValues): WalletdFlags["idle"] {
  return WALLETD_FLAGS.flatMap(({ name, idle }) => {
    if (idle === undefined || text(name) === null) return [];
    wholeNumber(name, text(name), idle.least, idle.most);
    return [{ name, why: idle.why }];
  });
}

function rpcServerOf(text: string | null): Listen | null {
  if (text === null) return null;
  const { host, port } = listenOption("rpc-server", text);
  if (host === undefined || port === undefined || port === 0) {
    throw badOption("rpc-server", "write HOST:PORT");
  }
  return { host, port };
}

function listenOf(text: string | null, allowsRemote: boolean): Listen {
  const listen = { ...LISTEN, ...listenOption("listen", text) };
  if (allowsRemote || isLoopback(listen.host)) return listen;
  throw badOption(
    "listen",
    `${listen.host} can be reached by others, who could empty the wallets; put a proxy with TLS before 127.0.0.1, or add --allow-remote`,
  );
}

function isLoopback(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback";
}

function originOf(text: string): string {
  const lower = text.toLowerCase();
  if (ORIGIN.test(lower)) return lower;
  throw badOption("allow-origin", "write SCHEME://HOST or SCHEME://HOST:PORT, without a path");
}

function publicOf({ on, text }: OptionValues): PublicFlags | null {
  const address = text("serve-public");
  const alone = ["public-host", "api-token"].find((name) => text(name) !== null);
  const lone = ["insecure", "renew-certificate"].find((name) => on(name));
  const needless = lone ?? alone;
  if (address === null) {
    if (needless === undefined) return null;
    throw badOption(needless, "it goes with --serve-public");
  }
  const { host, port } = listenOption("serve-public", address);
  if (host === undefined || port === undefined) throw badOption("serve-public", "write ADDR:PORT");
  const token = text("api-token");
  if (token !== null && !API_TOKEN.test(token)) {
    throw badOption("api-token", "write 16 to 128 letters and digits");
  }
  const renewCertificate = on("renew-certificate");
  const named = text("public-host");
  return { listen: { host, port }, insecure: on("insecure"), host: named, token, renewCertificate };
}

function webhookOf({ on, text }: OptionValues): WebhookFlags | null {
  const url = text("webhook-url");
  const secretFile = text("webhook-secret-file") ?? undefined;
  const allowPrivate = on("webhook-allow-private");
  if (url !== null) return { url, secretFile, allowPrivate };
  if (secretFile !== undefined)
    throw badOption("webhook-secret-file", "it goes with --webhook-url");
  if (allowPrivate) throw badOption("webhook-allow-private", "it goes with --webhook-url");
  return null;
}

function ceilingOf({ on, text }: OptionValues): number | null {
  const given = wholeNumber(
    "auto-consolidate",
    text("auto-consolidate"),
    2,
    APP_LIMITS.walletdNotesMax,
  );
  if (!on("no-auto-consolidate")) return given ?? AUTO_CONSOLIDATE;
  if (given === null) return null;
  throw badOption("no-auto-consolidate", "--auto-consolidate was given too");
}

function graftOf(text: string | null): WalletdFlags["graft"] {
  if (text === null) return null;
  const colon = text.indexOf(":");
  const path = text.slice(colon + 1);
  if (colon < 1 || path === "") throw badOption("graft", "write TOKEN:FILE");
  return { token: asWalletToken(text.slice(0, colon)), path };
}

function wholeNumber(
  name: string,
  text: string | null,
  least: number,
  most: number,
): number | null {
  if (text === null) return null;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
  throw badOption(name, `write a number from ${least} to ${most}`);
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
