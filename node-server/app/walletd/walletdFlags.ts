/**
 * Command-line options of `svc walletd` and its commands: one table for parsing, `--help`, environment variables and the
 * reference page `docs/programs/walletd.md`.
 */
import { LOG_LEVELS } from "../../platform/log/log.ts";
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
import { commandHelp } from "../options/commandHelp.ts";
import { LISTEN_VALUE } from "../options/listenOption.ts";
import type { OptionRow } from "../options/readOptions.ts";
import { WALLETD_LIMITS } from "../../walletd/walletdLimits.ts";
import { APP_LIMITS } from "../appLimits.ts";

/** What `svc walletd` can be asked for. `serve` is the daemon: no word stands for it. */
export type WalletdCommand = "serve" | "doctor" | "change-secret" | "backup" | "restore";

/** One command-line option. */
export type WalletdFlagRow = OptionRow & {
  /** The commands that take it. */
  readonly commands: readonly WalletdCommand[];
  /** Text of the default for people. */
  readonly fallback: string;
  readonly text: string;
  /** For an option of the reference that this program takes, so that start scripts go on working, and does nothing with: its bounds, and why. */
  readonly idle?: { readonly least: number; readonly most: number; readonly why: string };
};

/** The commands beside the daemon, with what stands behind their names, and what they do. */
export const WALLETD_COMMANDS: Readonly<
  Record<Exclude<WalletdCommand, "serve">, { readonly args: string; readonly text: string }>
> = {
  doctor: {
    args: "",
    text: "examines a wallet folder: files, wallets, scans, database, disk",
  },
  "change-secret": {
    args: "",
    text: "changes the wallet secret, or seals a folder that is in plaintext",
  },
  backup: { args: "TOKEN", text: "prints a backup of a wallet, under a passphrase of its own" },
  restore: {
    args: "FILE [TOKEN]",
    text: "makes a wallet of a backup, under a new token unless one is given",
  },
};

const { residentLeast, residentMost, residentUnknown, residentShareBytes } = WALLETD_LIMITS;
const FREE_MEMORY = `one for each ${residentShareBytes / 1024 ** 2} MiB of free memory, ${residentLeast} to ${residentMost}; ${residentUnknown} where the system does not tell`;

const SERVE: readonly WalletdCommand[] = ["serve"];
const ALL: readonly WalletdCommand[] = ["serve", "doctor", "change-secret", "backup", "restore"];

const NODE_AND_FOLDER: readonly WalletdFlagRow[] = [
  {
    name: "rpc-server",
    short: "s",
    value: "HOST:PORT",
    commands: SERVE,
    fallback: "127.0.0.1 and the network's gRPC port",
    text: "The node's gRPC address. A node of your own is best: it learns which payments are yours.",
  },
  {
    name: "listen",
    short: "l",
    value: LISTEN_VALUE,
    commands: SERVE,
    fallback: "127.0.0.1:8501",
    text: "Where HTTP listens. An address that others can reach needs --allow-remote. Port 0 lets the system choose.",
  },
  {
    name: "network",
    value: "NAME",
    commands: ALL,
    fallback: "mainnet",
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
    name: "wallet-dir",
    value: "FOLDER",
    commands: ALL,
    fallback: "~/.svc/wallets; ~/.svc/NETWORK/wallets for another network than mainnet",
    text: "The wallet folder. It belongs to one network.",
  },
  {
    name: "wallet-secret",
    value: "SECRET",
    commands: ALL,
    fallback: "none",
    text: "Seals wallets at rest. Other users of the machine can see it on a command line: a file is better.",
  },
  {
    name: "wallet-secret-file",
    value: "FILE",
    commands: ALL,
    fallback: "none",
    text: "A file that holds the wallet secret. One line break at its end does not count.",
  },
];

const CALLERS: readonly WalletdFlagRow[] = [
  {
    name: "allow-origin",
    value: "ORIGIN",
    repeats: true,
    commands: SERVE,
    fallback: "none",
    text: "An origin such as https://shop.example whose pages may call. May be given several times.",
  },
  {
    name: "http-host",
    value: "NAME",
    repeats: true,
    commands: SERVE,
    fallback: "none",
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
    name: "allow-default-token",
    commands: SERVE,
    fallback: "off",
    text: "Calls without a token use the wallet `default`. For a machine with one user alone.",
  },
  {
    name: "allow-remote",
    commands: SERVE,
    fallback: "off",
    text: "Lets --listen name an address that others can reach. A proxy with TLS is better.",
  },
  {
    name: "no-custodial",
    commands: SERVE,
    fallback: "off",
    text: "Refuses whatever needs a seed here: wallets are watched, and devices sign.",
  },
  {
    name: "serve-public",
    value: "ADDR:PORT",
    commands: SERVE,
    fallback: "none",
    text: "Serves phones over TLS with a certificate of its own, a bearer token and a pairing code.",
  },
  {
    name: "insecure",
    commands: SERVE,
    fallback: "off",
    text: "With --serve-public: no TLS. For a VPN alone, since viewing keys cross the wire in clear.",
  },
  {
    name: "public-host",
    value: "HOST",
    commands: SERVE,
    fallback: "none",
    text: "With --serve-public: the name or address that the pairing code tells phones.",
  },
  {
    name: "renew-certificate",
    commands: SERVE,
    fallback: "off",
    text: "With --serve-public: makes a new certificate; every phone has to be paired again.",
  },
  {
    name: "api-token",
    value: "TOKEN",
    commands: SERVE,
    fallback: "made at the first start",
    text: "With --serve-public: the bearer token, 16 to 128 letters and digits.",
  },
];

const WORK: readonly WalletdFlagRow[] = [
  {
    name: "idle-timeout",
    value: "MINUTES",
    commands: SERVE,
    fallback: "0: never",
    text: "Ends the daemon when nobody has called for so long.",
  },
  {
    name: "auto-consolidate",
    value: "N",
    commands: SERVE,
    fallback: "500",
    text: "Keeps wallets with a seed under N notes by merging the oldest in the background.",
  },
  {
    name: "no-auto-consolidate",
    commands: SERVE,
    fallback: "off",
    text: "Merges no notes in the background.",
  },
  {
    name: "proof-threads",
    value: "N",
    commands: SERVE,
    fallback: "every core",
    text: `Threads that prove, 1 to ${CORE_LIMITS.proofThreadsMax}.`,
  },
  {
    name: "max-concurrent-proves",
    value: "N",
    commands: SERVE,
    fallback: "2, or the number of cores where that is less",
    text: `Proofs that are made at once, for all wallets together, 1 to ${APP_LIMITS.walletdProvesMax}. 0 is the default.`,
  },
  {
    name: "sync-wallets",
    value: "N",
    commands: SERVE,
    fallback: `one less than the cores, 1 to ${APP_LIMITS.walletdSyncMax}`,
    text: `Stretches of the chain that are scanned at once for wallets that are behind, 1 to ${APP_LIMITS.walletdSyncMax}.`,
  },
  {
    name: "load-wallets",
    value: "N",
    commands: SERVE,
    fallback: "two less than the cores, 1 to 4",
    text: `Wallets that are opened at once, 1 to ${APP_LIMITS.walletdLoadsMax}.`,
  },
  {
    name: "idle-evict",
    value: "SECONDS",
    commands: SERVE,
    fallback: "1800",
    text: "A wallet that nobody asked for in so long is written to disk and leaves memory.",
  },
  {
    name: "max-resident-wallets",
    value: "N",
    commands: SERVE,
    fallback: FREE_MEMORY,
    text: "Wallets in memory; one more waits until the one asked for longest ago has left. One that is paying or asked for a rescan stays.",
  },
];

/** Largest number that an option without effect takes. */
const IDLE_MOST = 999_999_999;

function idleRow(name: string, value: string, fallback: string, why: string): WalletdFlagRow {
  const text = `Taken for start scripts of the reference, and without effect: ${why}.`;
  const least = name === "sync-wallet-memory-mb" ? 64 : 0;
  return { name, value, commands: SERVE, fallback, text, idle: { least, most: IDLE_MOST, why } };
}

const IDLE: readonly WalletdFlagRow[] = [
  idleRow("runtime-threads", "N", "two for each core", "one thread serves HTTP and the node's RPC"),
  idleRow("sync-wallet-memory-mb", "MB", "512", "one scan serves all wallets"),
  idleRow("warm-wallets", "N", "1", "witnesses are kept up with each block, so nothing is warmed"),
  idleRow(
    "page-decode-threads",
    "N",
    "two less than the cores, 1 to 8",
    "pages are decoded by the threads that scan them, one less than the cores",
  ),
  idleRow("page-cache-entries", "N", "64", "a page is fetched and scanned once for all wallets"),
  idleRow("page-cache-ttl", "SECONDS", "10", "a page is fetched and scanned once for all wallets"),
  idleRow("active-sync-window", "SECONDS", "90", "an open wallet is scanned until --idle-evict"),
  idleRow("subtree-free-floor-mb", "MB", "1200", "no subtree cache is built in the background"),
];

const WEBHOOK: readonly WalletdFlagRow[] = [
  {
    name: "webhook-url",
    value: "URL",
    commands: SERVE,
    fallback: "none",
    text: "Where the deposit feeds of all wallets are sent, signed: https, or http to this machine.",
  },
  {
    name: "webhook-secret-file",
    value: "FILE",
    commands: SERVE,
    fallback: "none",
    text: "A file that holds the secret of the signatures. The variable SVC_WEBHOOK_SECRET may hold it too.",
  },
  {
    name: "webhook-allow-private",
    commands: SERVE,
    fallback: "off",
    text: "Lets webhooks go to addresses of private networks, over http too.",
  },
];

const OFFLINE: readonly WalletdFlagRow[] = [
  {
    name: "diagnose",
    commands: SERVE,
    fallback: "off",
    text: "Prints a line for each wallet's scan, and ends. No daemon may have the folder.",
  },
  {
    name: "graft",
    value: "TOKEN:FILE",
    commands: SERVE,
    fallback: "none",
    text: "Repairs a wallet from an older scan file of itself, and ends. Before --diagnose where both are given.",
  },
  {
    name: "show-tokens",
    commands: SERVE,
    fallback: "off",
    text: "With --diagnose: names wallets by their tokens, which are credentials.",
  },
  {
    name: "json",
    commands: ["serve", "doctor"],
    fallback: "off",
    text: "With --diagnose, --graft and doctor: prints JSON, one object a line.",
  },
  {
    name: "remove-lost-tokens",
    commands: ["doctor"],
    fallback: "off",
    text: "Removes scoped tokens that nobody can open any more, because their key is gone or they are damaged.",
  },
  {
    name: "new-wallet-secret-file",
    value: "FILE",
    commands: ["change-secret"],
    fallback: "asked for",
    text: "A file that holds the new secret. The variable SVC_NEW_WALLET_SECRET may hold it too.",
  },
  {
    name: "plaintext",
    commands: ["change-secret"],
    fallback: "off",
    text: "Takes the sealing away, in place of a new secret.",
  },
  {
    name: "passphrase-file",
    value: "FILE",
    commands: ["backup", "restore"],
    fallback: "asked for",
    text: "A file that holds the backup's passphrase. The variable SVC_BACKUP_PASSPHRASE may hold it too.",
  },
  {
    name: "out",
    value: "FILE",
    commands: ["backup"],
    fallback: "standard output",
    text: "Writes the backup to a file that is not there yet.",
  },
];

/** The option table, in the order of the help text. */
export const WALLETD_FLAGS: readonly WalletdFlagRow[] = [
  ...NODE_AND_FOLDER,
  ...CALLERS,
  ...WORK,
  ...IDLE,
  ...WEBHOOK,
  ...OFFLINE,
  {
    name: "loglevel",
    short: "d",
    value: "LEVEL",
    commands: SERVE,
    fallback: "info",
    text: `What is logged: ${LOG_LEVELS.join(", ")}.`,
  },
  { name: "help", short: "h", commands: ALL, fallback: "", text: "Prints this text." },
];

/** Renders what `svc walletd --help` prints, or that of one of its commands. */
export function walletdHelpText(command: WalletdCommand): string {
  const program = {
    name: "svc walletd",
    about: "serves wallets over HTTP",
    commands: WALLETD_COMMANDS,
    flags: WALLETD_FLAGS,
  };
  return commandHelp(program, command);
}
