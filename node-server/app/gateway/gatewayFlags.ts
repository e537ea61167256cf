/**
 * Command-line options of `svc gateway` and its commands: one table for parsing, `--help`, environment variables and the reference page
 * `docs/programs/gateway.md`.
 */
import { LOG_LEVELS } from "../../platform/log/log.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { DRILL_SCENES } from "../../gateway/drill/drillScenes.ts";
import { commandHelp } from "../options/commandHelp.ts";
import { LISTEN_VALUE } from "../options/listenOption.ts";
import type { OptionRow } from "../options/readOptions.ts";

/** What `svc gateway` can be asked for. `serve` is the gateway: no word stands for it. */
export type GatewayCommand =
  | "serve"
  | "scan"
  | "scanner"
  | "drill"
  | "merchants add"
  | "merchants list"
  | "merchants payout"
  | "keys issue"
  | "keys list"
  | "keys revoke"
  | "pos add"
  | "pos list"
  | "pos set"
  | "pos password"
  | "pos remove";

/** One command-line option. */
export type GatewayFlagRow = OptionRow & {
  /** The commands that take it. */
  readonly commands: readonly GatewayCommand[];
  /** Text of the default for people. */
  readonly fallback: string;
  readonly text: string;
};

/** The commands beside the gateway, with what stands behind their names, and what they do. */
export const GATEWAY_COMMANDS: Readonly<
  Record<Exclude<GatewayCommand, "serve">, { readonly args: string; readonly text: string }>
> = {
  scan: {
    args: "",
    text: "scans beside your own node for a hosted gateway, and tells it facts (--push); it holds the viewing keys",
  },
  scanner: {
    args: "",
    text: "says what a hosted gateway was told by its scanner last (--hosted), and why it is not ready",
  },
  drill: {
    args: "",
    text: "plays every state of an invoice against your own shop on a test network, and prints what passed",
  },
  "merchants add": {
    args: "MERCHANT",
    text: "adds a merchant with a viewing key of its own; a name of small letters, digits and dashes",
  },
  "merchants list": { args: "", text: "lists the merchants" },
  "merchants payout": {
    args: "MERCHANT",
    text: "names the wallet that pays a merchant's refunds, behind a wallet daemon; at once",
  },
  "keys issue": { args: "MERCHANT", text: "makes an API key for a merchant, and prints it once" },
  "keys list": { args: "MERCHANT", text: "lists the API keys of a merchant by their names" },
  "keys revoke": { args: "MERCHANT KEY", text: "revokes an API key by its name, at once" },
  "pos add": {
    args: "MERCHANT TILL",
    text: "adds a till for a merchant, and asks for its password; a name of small letters, digits and dashes",
  },
  "pos list": { args: "MERCHANT", text: "lists the tills of a merchant" },
  "pos set": {
    args: "TILL",
    text: "changes what a till rings up in, its day and its tips; what is left out stays",
  },
  "pos password": {
    args: "TILL",
    text: "gives a till another password; whoever is signed in at it is signed out, at once",
  },
  "pos remove": { args: "TILL", text: "removes a till, at once; its sales stay" },
};

const DRILL: readonly GatewayCommand[] = ["drill"];
/** Both answer shops. */
const SERVE: readonly GatewayCommand[] = ["serve", "drill"];
const SCANNING: readonly GatewayCommand[] = ["serve", "scan"];
const ANSWERING: readonly GatewayCommand[] = [...SCANNING, "drill"];
/** What an operator can do with a hosted gateway, too. */
const HOSTED: readonly GatewayCommand[] = [
  "scanner",
  "merchants add",
  "merchants list",
  "keys issue",
  "keys list",
  "keys revoke",
];
const AT_FOLDER: readonly GatewayCommand[] = [
  "serve",
  "scan",
  "scanner",
  "merchants add",
  "merchants list",
  "merchants payout",
  "keys issue",
  "keys list",
  "keys revoke",
  "pos add",
  "pos list",
  "pos set",
  "pos password",
  "pos remove",
];

const ALL: readonly GatewayCommand[] = [...AT_FOLDER, "drill"];

const PLACE: readonly GatewayFlagRow[] = [
  {
    name: "network",
    value: "NAME",
    commands: ALL,
    fallback: "mainnet; testnet for the drill, which does not run on mainnet",
    text: "The network: mainnet, testnet, devnet or simnet.",
  },
  {
    name: "profile",
    value: "FILE",
    commands: ALL,
    fallback: "built in",
    text: "The private network described in a profile file, in place of --network.",
  },
  {
    name: "gateway-dir",
    value: "FOLDER",
    commands: AT_FOLDER,
    fallback: "~/.svc/gateway; ~/.svc/NETWORK/gateway for another network than mainnet",
    text: "The gateway's folder: merchants, viewing keys, invoices. It belongs to one network.",
  },
];

const SERVING: readonly GatewayFlagRow[] = [
  {
    name: "rpc-server",
    short: "s",
    value: "HOST:PORT",
    commands: SCANNING,
    fallback: "127.0.0.1 and the network's gRPC port",
    text: "The gRPC address of a node. It may be somebody else's: an invoice is confirmed on evidence alone.",
  },
  {
    name: "trust-node",
    commands: SCANNING,
    fallback: "off",
    text: "Believes the node and asks it for no evidence: depth by its word confirms an invoice. For a node of your own, and needed for one of the parent network, which shows none.",
  },
  {
    name: "checkpoint",
    value: "DIGEST:BITS:TIMESTAMP",
    repeats: true,
    commands: SCANNING,
    fallback: "those of this release",
    text: "The work of a network, as `scripts/checkpoint.ts` prints it. Without one for its network a gateway that does not trust its node confirms no invoice.",
  },
  {
    name: "gateway-listen",
    short: "l",
    value: LISTEN_VALUE,
    commands: SERVE,
    fallback: "127.0.0.1:8510",
    text: "Where HTTP listens. An address that others can reach needs --allow-remote. Port 0 lets the system choose.",
  },
  {
    name: "gateway-public-url",
    value: "URL",
    commands: SERVE,
    fallback: "the address at which it listens",
    text: "Where payers reach the gateway: checkout links begin with it.",
  },
  {
    name: "http-host",
    value: "NAME",
    repeats: true,
    commands: SERVE,
    fallback: "the host of --gateway-public-url",
    text: "A further name or address under which the API is served, such as the one that a proxy passes on. May be given several times.",
  },
  {
    name: "trusted-proxy",
    value: "IP[/BITS]",
    repeats: true,
    commands: SERVE,
    fallback: "none",
    text: "A proxy in front of the API: the address of a caller is taken from its X-Forwarded-For, and from nobody else's. May be given several times.",
  },
  {
    name: "allow-remote",
    commands: SERVE,
    fallback: "off",
    text: "Lets --gateway-listen name an address that others can reach. HTTP is not encrypted: put a proxy with TLS in front.",
  },
  {
    name: "webhook-allow-private",
    commands: SERVE,
    fallback: "off",
    text: "Lets webhooks go to addresses of private networks, over http too.",
  },
];

const PRICES: readonly GatewayFlagRow[] = [
  {
    name: "rate",
    value: "CUR=PRICE",
    repeats: true,
    commands: ANSWERING,
    fallback: "none",
    text: "The price of one coin in a currency, such as EUR=8.00. May be given several times.",
  },
  {
    name: "rates-file",
    value: "FILE",
    commands: ANSWERING,
    fallback: "none",
    text: "A JSON file of prices that a program of yours writes: currency, rate, time, source. It is read whenever it changes.",
  },
  {
    name: "rate-max-age",
    value: "SECONDS",
    commands: SERVE,
    fallback: "900",
    text: "Age from which on a price of that file makes no invoice.",
  },
];

const PUSHING: readonly GatewayFlagRow[] = [
  {
    name: "push",
    value: "URL",
    commands: ["scan"],
    fallback: "none",
    text: "The hosted gateway that is told facts: https, or http on this machine.",
  },
  {
    name: "ingest-secret-file",
    value: "FILE",
    commands: ["scan"],
    fallback: "the variable SVC_INGEST_SECRET",
    text: "A file with the secret that signs facts, as the hosted gateway has it (SVC_INGEST_SECRET).",
  },
  {
    name: "scanner",
    value: "NAME",
    commands: ["scan"],
    fallback: "scanner",
    text: "The name under which facts are told, as the hosted gateway has it (SVC_SCANNER). A new name begins anew.",
  },
  {
    name: "payouts-file",
    value: "FILE",
    commands: ["scan"],
    fallback: "none: refunds that are approved wait",
    text: "A JSON file that names, by viewing key, the wallets that pay refunds of the hosted gateway.",
  },
  {
    name: "hosted",
    value: "URL",
    commands: HOSTED,
    fallback: "off",
    text: "Does it at a hosted gateway in place of the one in the folder: https, or http on this machine.",
  },
  {
    name: "admin-secret-file",
    value: "FILE",
    commands: HOSTED,
    fallback: "the variable SVC_ADMIN_SECRET",
    text: "A file with the secret that signs what is done at a hosted gateway, as that has it (SVC_ADMIN_SECRET).",
  },
];

const DRILLING: readonly GatewayFlagRow[] = [
  {
    name: "webhook-url",
    value: "URL",
    commands: DRILL,
    fallback: "none",
    text: "Where the shop hears of its invoices.",
  },
  {
    name: "order-command",
    value: "COMMAND",
    commands: DRILL,
    fallback: "a person places the order",
    text: "Places an order in the shop, so that it makes an invoice at the drill. It runs through sh; SVC_DRILL_SCENE names the scene.",
  },
  {
    name: "handed-over-command",
    value: "COMMAND",
    commands: DRILL,
    fallback: "asked for at the terminal",
    text: "Prints how often goods were handed over for the order SVC_DRILL_ORDER, as a whole number. It runs through sh.",
  },
  {
    name: "scene",
    value: "SCENE",
    repeats: true,
    commands: DRILL,
    fallback: "all",
    text: `What is played: ${DRILL_SCENES.map(({ name }) => name).join(", ")}. May be given several times.`,
  },
];

const MERCHANTS: readonly GatewayFlagRow[] = [
  {
    name: "viewing-key-file",
    value: "FILE",
    commands: ["merchants add"],
    fallback: "the key of the only other merchant",
    text: "A file with the merchant's viewing key in hex: a full one of 96 bytes, or an incoming one of 64. The gateway keeps the incoming part alone.",
  },
  {
    name: "new-wallet",
    value: "FILE",
    commands: ["merchants add"],
    fallback: "off",
    text: "Makes a new wallet in place of --viewing-key-file. Its seed, which spends, goes into this new file and nowhere else; the gateway keeps the incoming viewing key alone. Not with --hosted.",
  },
  {
    name: "store-name",
    value: "TEXT",
    commands: ["merchants add"],
    fallback: "the merchant's name",
    text: "What payers read on the checkout page.",
  },
  {
    name: "frame-origin",
    value: "ORIGIN",
    repeats: true,
    commands: ["merchants add"],
    fallback: "none",
    text: "An origin, such as https://shop.example, whose pages may show the merchant's checkout in a frame. May be given several times.",
  },
  {
    name: "walletd-url",
    value: "URL",
    commands: ["merchants payout"],
    fallback: "none",
    text: "Where the wallet daemon answers: https, or http on this machine.",
  },
  {
    name: "wallet-token-file",
    value: "FILE",
    commands: ["merchants payout"],
    fallback: "none",
    text: "A file with a scoped token of the wallet that may view and spend. The gateway reads it whenever it asks the wallet.",
  },
  {
    name: "wallet-bearer-file",
    value: "FILE",
    commands: ["merchants payout"],
    fallback: "none",
    text: "A file with the bearer token of a wallet daemon that serves the public. The gateway reads it whenever it asks the wallet.",
  },
  {
    name: "off",
    commands: ["merchants payout"],
    fallback: "off",
    text: "No wallet pays refunds any more; those that are approved wait.",
  },
  {
    name: "scope",
    value: "SCOPE",
    repeats: true,
    commands: ["keys issue"],
    fallback: "invoices:read and invoices:write",
    text: `What the key may be used for: ${KEY_SCOPES.join(", ")}. May be given several times.`,
  },
  {
    name: "label",
    value: "TEXT",
    commands: ["keys issue"],
    fallback: "none",
    text: "What the key is for.",
  },
  {
    name: "currency",
    value: "CUR",
    commands: ["pos add", "pos set"],
    fallback: "none: coins alone",
    text: "What the till rings up in beside coins, as three letters. The gateway needs a price for it (--rate, --rates-file).",
  },
  {
    name: "time-zone",
    value: "ZONE",
    commands: ["pos add", "pos set"],
    fallback: "that of this machine",
    text: "By it the till's day begins and ends, such as Europe/Berlin.",
  },
  {
    name: "tip",
    value: "PERCENT",
    repeats: true,
    commands: ["pos add", "pos set"],
    fallback: "5, 10 and 15",
    text: `A tip that the till offers beside an amount of its own. May be given ${MERCHANT_LIMITS.tillTips} times.`,
  },
  {
    name: "password-file",
    value: "FILE",
    commands: ["pos add", "pos password"],
    fallback: "asked for at the terminal",
    text: `A file with the till's password, ${MERCHANT_LIMITS.tillPasswordCharsMin} to ${MERCHANT_LIMITS.tillPasswordChars} characters; /dev/stdin for standard input.`,
  },
  {
    name: "json",
    commands: ["merchants list", "scanner", "keys issue", "keys list", "pos list", "drill"],
    fallback: "off",
    text: "Prints JSON, one object a line.",
  },
];

/** The option table, in the order of the help text. */
export const GATEWAY_FLAGS: readonly GatewayFlagRow[] = [
  ...PLACE,
  ...SERVING,
  ...PRICES,
  ...PUSHING,
  ...DRILLING,
  ...MERCHANTS,
  {
    name: "loglevel",
    short: "d",
    value: "LEVEL",
    commands: ANSWERING,
    fallback: "info for the gateway and its scan, warn for the drill",
    text: `What is logged: ${LOG_LEVELS.join(", ")}.`,
  },
  { name: "help", short: "h", commands: ALL, fallback: "", text: "Prints this text." },
];

/** Renders what `svc gateway --help` prints, or that of one of its commands. */
export function gatewayHelpText(command: GatewayCommand): string {
  const program = {
    name: "svc gateway",
    about: "invoices for merchants, over HTTP",
    commands: GATEWAY_COMMANDS,
    flags: GATEWAY_FLAGS,
  };
  return commandHelp(program, command);
}
