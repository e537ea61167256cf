/** Parser of the command line of `svc gateway`. */
import type { MerchantPayout } from "../../gateway/access/merchantTable.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readCheckpoints, type Checkpoints } from "@svc/shared/light/checkpointOf.ts";
import { frameOriginsOf } from "@svc/shared/gateway/page/pageHeaders.ts";
import { KEY_SCOPES, type KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import type { HttpRules } from "../../platform/http/accessCheck.ts";
import type { LogLevelName } from "../../platform/log/log.ts";
import { isLoopback } from "../../platform/net/netAddress.ts";
import { safeUrl } from "../../platform/net/safeUrl.ts";
import { DRILL_SCENES, type Scene } from "../../gateway/drill/drillScenes.ts";
import { fixedRateOf, type FixedRate } from "../../gateway/prices/coinRates.ts";
import { readHostFlags } from "../options/httpFlags.ts";
import { levelOption } from "../options/levelOption.ts";
import { listenOption, type Listen } from "../options/listenOption.ts";
import {
  badOption,
  readOptions,
  type Environment,
  type OptionValues,
} from "../options/readOptions.ts";
import { parseTill, type TillRun } from "./parseTill.ts";
import type { GatewayPlace } from "./gatewayPlace.ts";
import { GATEWAY_COMMANDS, GATEWAY_FLAGS, type GatewayCommand } from "./gatewayFlags.ts";

/** The options of the gateway itself. */
export type GatewayServeFlags = GatewayPlace & {
  /** Null: 127.0.0.1 and the network's gRPC port. */
  readonly rpcServer: Listen | null;
  /** Asks the node for no evidence. */
  readonly trustsNode: boolean;
  /** Work of networks that the operator knows. */
  readonly checkpoints: Checkpoints;
  readonly listen: Listen;
  /** Null: where it listens. */
  readonly publicUrl: string | null;
  readonly hosts: Pick<HttpRules, "hostNames" | "proxies">;
  readonly webhookAllowPrivate: boolean;
  readonly rates: readonly FixedRate[];
  readonly ratesFile: string | null;
  readonly rateMaxAgeS: number;
  readonly logLevel: LogLevelName;
};

/** The options of a scan for a hosted gateway. */
export type GatewayScanFlags = GatewayPlace & {
  /** Null: 127.0.0.1 and the network's gRPC port. */
  readonly rpcServer: Listen | null;
  /** Asks the node for no evidence. */
  readonly trustsNode: boolean;
  /** Work of networks that the operator knows. */
  readonly checkpoints: Checkpoints;
  /** The hosted gateway, without a slash at its end. */
  readonly push: string;
  /** Null: the environment has the secret. */
  readonly secretFile: string | null;
  readonly scanner: string;
  /** Names the wallets that pay refunds; null for none. */
  readonly payoutsFile: string | null;
  readonly rates: readonly FixedRate[];
  readonly ratesFile: string | null;
  readonly logLevel: LogLevelName;
};

/** The options of a drill. */
export type GatewayDrillFlags = Omit<
  GatewayServeFlags,
  "rpcServer" | "trustsNode" | "checkpoints" | "folder"
> & {
  /** Where the shop hears of its invoices. */
  readonly webhookUrl: string;
  /** Null: a person places the orders. */
  readonly orderCommand: string | null;
  /** Null: a person is asked. */
  readonly handedOverCommand: string | null;
  readonly scenes: readonly Scene[];
  readonly json: boolean;
};

/** A hosted gateway, at which something is done in place of the one in the folder. */
export type HostedPlace = {
  /** Without a slash at its end. */
  readonly url: string;
  /** Null: the environment has the secret. */
  readonly secretFile: string | null;
};

/** What was asked for. */
export type GatewayRun =
  | { readonly command: "help"; readonly of: GatewayCommand }
  | { readonly command: "serve"; readonly flags: GatewayServeFlags }
  | { readonly command: "scan"; readonly flags: GatewayScanFlags }
  | {
      readonly command: "scanner";
      readonly place: GatewayPlace;
      readonly json: boolean;
      readonly hosted: HostedPlace;
    }
  | {
      readonly command: "merchants add";
      readonly place: GatewayPlace;
      readonly merchant: string;
      readonly keyFile: string | null;
      /** Where the seed of a new wallet goes; null for the viewing key of `keyFile`, or the only one. */
      readonly newWallet: string | null;
      readonly storeName: string | null;
      readonly frameOrigins: readonly string[];
      readonly hosted: HostedPlace | null;
    }
  | {
      readonly command: "merchants list";
      readonly place: GatewayPlace;
      readonly json: boolean;
      readonly hosted: HostedPlace | null;
    }
  | {
      readonly command: "merchants payout";
      readonly place: GatewayPlace;
      readonly merchant: string;
      /** Null for no wallet. */
      readonly payout: MerchantPayout | null;
    }
  | {
      readonly command: "keys issue";
      readonly place: GatewayPlace;
      readonly merchant: string;
      readonly scopes: readonly KeyScope[];
      readonly label: string;
      readonly json: boolean;
      readonly hosted: HostedPlace | null;
    }
  | {
      readonly command: "keys list";
      readonly place: GatewayPlace;
      readonly merchant: string;
      readonly json: boolean;
      readonly hosted: HostedPlace | null;
    }
  | {
      readonly command: "keys revoke";
      readonly place: GatewayPlace;
      readonly merchant: string;
      readonly key: string;
      readonly hosted: HostedPlace | null;
    }
  | { readonly command: "drill"; readonly flags: GatewayDrillFlags }
  | TillRun;

const NETWORKS: Readonly<Record<string, string>> = {
  mainnet: "mainnet",
  testnet: "testnet-10",
  devnet: "devnet",
  simnet: "simnet",
};
const LISTEN: Listen = { host: "127.0.0.1", port: 8510 };
const RATE_MAX_AGE_S = 900;
const SECONDS = /^[1-9]\d{0,6}$/;
const DEFAULT_SCANNER = "scanner";
const SCANNER = /^[a-z0-9-]{1,64}$/;
const DEFAULT_SCOPES: readonly KeyScope[] = ["invoices:read", "invoices:write"];

/** Parses a command line. Throws `node/bad-option`. */
export function parseGateway(args: readonly string[], environment: Environment): GatewayRun {
  const { command, names, rest } = commandOf(args);
  const rows = GATEWAY_FLAGS.filter(({ commands }) => commands.includes(command));
  const values = readOptions(rows, rest, environment);
  if (values.on("help")) return { command: "help", of: command };
  requireNames(command, names);
  const place = placeOf(values, command === "drill" ? "testnet" : "mainnet");
  const [merchant = "", key = ""] = names;
  const json = values.on("json");
  switch (command) {
    case "serve":
      return { command, flags: { ...place, ...serveFlags(values, "info") } };
    case "scan":
      return { command, flags: { ...place, ...scanFlags(values) } };
    case "scanner": {
      const hosted = hostedOf(values);
      if (hosted === null) throw badOption("hosted", "name the hosted gateway");
      return { command, place, json, hosted };
    }
    case "drill":
      return { command, flags: { ...place, ...serveFlags(values, "warn"), ...drillFlags(values) } };
    case "merchants add": {
      const storeName = values.text("store-name");
      const frameOrigins = frameOriginsIn(values.texts("frame-origin"));
      const hosted = hostedOf(values);
      const keys = merchantKeysOf(values);
      return { command, place, merchant, ...keys, storeName, frameOrigins, hosted };
    }
    case "merchants list":
      return { command, place, json, hosted: hostedOf(values) };
    case "merchants payout":
      return { command, place, merchant, payout: payoutOf(values) };
    case "keys issue": {
      const scopes = scopesOf(values.texts("scope"));
      const label = values.text("label") ?? "";
      return { command, place, merchant, scopes, label, json, hosted: hostedOf(values) };
    }
    case "keys list":
      return { command, place, merchant, json, hosted: hostedOf(values) };
    case "keys revoke":
      return { command, place, merchant, key, hosted: hostedOf(values) };
    case "pos add":
    case "pos list":
    case "pos set":
    case "pos password":
    case "pos remove":
      return parseTill(command, { place, names, values });
  }
}

type Called = {
  readonly command: GatewayCommand;
  /** What stands between the name of the command and its options. */
  readonly names: readonly string[];
  readonly rest: readonly string[];
};

function commandOf(args: readonly string[]): Called {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  const words = end < 0 ? args : args.slice(0, end);
  const rest = args.slice(words.length);
  if (words.length === 0) return { command: "serve", names: [], rest };
  for (const length of [1, 2]) {
    const name = words.slice(0, length).join(" ");
    if (isCommand(name)) return { command: name, names: words.slice(length), rest };
  }
  const reason = `write one of ${Object.keys(GATEWAY_COMMANDS).join(", ")}`;
  throw new SvcError("node/bad-option", { option: "the command of svc gateway", reason });
}

function checkpointsOf(texts: readonly string[]): Checkpoints {
  try {
    return readCheckpoints(texts.join(" "));
  } catch (error) {
    throw badOption("checkpoint", error instanceof Error ? error.message : String(error));
  }
}

function isCommand(text: string): text is keyof typeof GATEWAY_COMMANDS {
  return Object.hasOwn(GATEWAY_COMMANDS, text);
}

function requireNames(command: GatewayCommand, names: readonly string[]): void {
  if (command === "serve") return;
  const wanted = GATEWAY_COMMANDS[command].args.split(" ").filter((word) => word !== "");
  if (names.length === wanted.length) return;
  const form = `svc gateway ${command} ${wanted.join(" ")}`.trim();
  throw new SvcError("node/bad-option", { option: command, reason: `write ${form}` });
}

function placeOf({ text }: OptionValues, otherwise: string): GatewayPlace {
  const [name, file] = [text("network"), text("profile")];
  if (name !== null && file !== null) throw badOption("profile", "only one network can be chosen");
  const known = Object.hasOwn(NETWORKS, name ?? otherwise)
    ? NETWORKS[name ?? otherwise]
    : undefined;
  if (known === undefined) {
    throw badOption("network", `write one of ${Object.keys(NETWORKS).join(", ")}`);
  }
  return {
    network: file === null ? { name: known } : { file },
    networkName: file === null ? (name ?? otherwise) : null,
    folder: text("gateway-dir"),
  };
}

function serveFlags(
  values: OptionValues,
  level: LogLevelName,
): Omit<GatewayServeFlags, keyof GatewayPlace> {
  const { text, texts, on } = values;
  const listen = { ...LISTEN, ...listenOption("gateway-listen", text("gateway-listen")) };
  const isOpen = !(isLoopback(listen.host) || listen.host === "localhost");
  if (isOpen && !on("allow-remote")) {
    throw badOption("gateway-listen", "others can reach this address; write --allow-remote too");
  }
  const publicUrl = publicUrlOf(text("gateway-public-url"));
  const { hostNames, proxies } = readHostFlags(values);
  const own = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  return {
    rpcServer: rpcOf(text("rpc-server")),
    trustsNode: on("trust-node"),
    checkpoints: checkpointsOf(texts("checkpoint")),
    listen,
    publicUrl,
    hosts: { hostNames: [...hostNames, ...own], proxies },
    webhookAllowPrivate: on("webhook-allow-private"),
    rates: texts("rate").map(fixedRateOf),
    ratesFile: text("rates-file"),
    rateMaxAgeS: secondsOf("rate-max-age", text("rate-max-age"), RATE_MAX_AGE_S),
    logLevel: levelOption(text("loglevel") ?? level),
  };
}

function scanFlags({ text, texts, on }: OptionValues): Omit<GatewayScanFlags, keyof GatewayPlace> {
  const url = text("push");
  if (url === null) throw badOption("push", "name the hosted gateway that is told facts");
  const scanner = text("scanner") ?? DEFAULT_SCANNER;
  if (!SCANNER.test(scanner)) {
    throw badOption("scanner", "write 1 to 64 small letters, digits and dashes");
  }
  return {
    rpcServer: rpcOf(text("rpc-server")),
    trustsNode: on("trust-node"),
    checkpoints: checkpointsOf(texts("checkpoint")),
    push: safeUrlOf("push", url),
    secretFile: text("ingest-secret-file"),
    scanner,
    payoutsFile: text("payouts-file"),
    rates: texts("rate").map(fixedRateOf),
    ratesFile: text("rates-file"),
    logLevel: levelOption(text("loglevel") ?? "info"),
  };
}

function drillFlags({ text, texts, on }: OptionValues) {
  const webhookUrl = text("webhook-url");
  if (webhookUrl === null)
    throw badOption("webhook-url", "say where the shop hears of its invoices");
  const names = texts("scene");
  const scenes = DRILL_SCENES.filter(({ name }) => names.length === 0 || names.includes(name));
  if (names.length > 0 && scenes.length !== new Set(names).size) {
    throw badOption("scene", `write some of ${DRILL_SCENES.map(({ name }) => name).join(", ")}`);
  }
  const [orderCommand, handedOverCommand] = [text("order-command"), text("handed-over-command")];
  return { webhookUrl, orderCommand, handedOverCommand, scenes, json: on("json") };
}

function hostedOf({ text }: OptionValues): HostedPlace | null {
  const [url, secretFile] = [text("hosted"), text("admin-secret-file")];
  if (url !== null) return { url: safeUrlOf("hosted", url), secretFile };
  if (secretFile === null) return null;
  throw badOption("admin-secret-file", "it goes with --hosted");
}

function merchantKeysOf({ text }: OptionValues) {
  const [keyFile, newWallet] = [text("viewing-key-file"), text("new-wallet")];
  if (newWallet !== null && keyFile !== null) {
    throw badOption("new-wallet", "it goes in place of --viewing-key-file");
  }
  if (newWallet !== null && text("hosted") !== null) {
    throw badOption("new-wallet", "it goes without --hosted, which takes --viewing-key-file");
  }
  return { keyFile, newWallet };
}

function payoutOf({ text, on }: OptionValues) {
  const [url, tokenFile] = [text("walletd-url"), text("wallet-token-file")];
  const bearerFile = text("wallet-bearer-file");
  if (on("off")) {
    if (url === null && tokenFile === null && bearerFile === null) return null;
    throw badOption("off", "it goes without --walletd-url and the files of tokens");
  }
  if (tokenFile === null) throw badOption("wallet-token-file", "name the file, or write --off");
  return { walletdUrl: safeUrlOf("walletd-url", url), tokenFile, bearerFile };
}

/** A token, and what others may learn from, goes over no network in the clear. */
function safeUrlOf(option: string, text: string | null): string {
  const url = safeUrl(text);
  if (url === null) throw badOption(option, "write an https address, or one of this machine");
  return url;
}

function rpcOf(text: string | null): Listen | null {
  const { host, port } = listenOption("rpc-server", text);
  if (text === null) return null;
  if (host === undefined || port === undefined || port === 0) {
    throw badOption("rpc-server", "write HOST:PORT");
  }
  return { host, port };
}

function publicUrlOf(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null &&
    ["http:", "https:"].includes(url.protocol) &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "";
  if (!isPlain)
    throw badOption("gateway-public-url", "write an address such as https://pay.example");
  return text.replace(/\/+$/, "");
}

function secondsOf(name: string, text: string | null, otherwise: number): number {
  if (text === null) return otherwise;
  if (SECONDS.test(text)) return Number(text);
  throw badOption(name, "write a number of seconds");
}

function frameOriginsIn(texts: readonly string[]): readonly string[] {
  const origins = frameOriginsOf(texts);
  if (origins.length === texts.length) return origins;
  throw badOption("frame-origin", "write an origin such as https://shop.example");
}

function scopesOf(words: readonly string[]): readonly KeyScope[] {
  if (words.length === 0) return DEFAULT_SCOPES;
  const scopes = KEY_SCOPES.filter((scope) => words.includes(scope));
  if (scopes.length === new Set(words).size) return scopes;
  throw badOption("scope", `write some of ${KEY_SCOPES.join(", ")}`);
}
