/** Command-line options of the wallet daemon inside a node: their rows of the table, and their parser. */
import type { FlagRow, NodeCommand } from "./flagRow.ts";
import { listenOption, type Listen } from "./listenOption.ts";
import { badOption, type OptionValues } from "./readOptions.ts";

const BOTH: readonly NodeCommand[] = ["node", "local"];
const same = (text: string): FlagRow["fallback"] => ({ node: text, local: text, verify: text });

/** The rows, in the order of the help text. */
export const WALLET_API_FLAGS: readonly FlagRow[] = [
  {
    name: "wallet-api",
    value: "ADDR:PORT",
    commands: BOTH,
    fallback: same("off"),
    text: "Serves wallets to phones and servers there, with a certificate and a bearer token of its own; prints the code to pair with. Wallets lie in FOLDER/<network>/wallets; their secret comes from SVC_WALLET_SECRET alone.",
  },
  {
    name: "wallet-api-host",
    value: "HOST",
    commands: BOTH,
    fallback: same("the address of --wallet-api"),
    text: "The address or name under which others reach the wallets.",
  },
  {
    name: "wallet-api-insecure",
    commands: BOTH,
    fallback: same("off"),
    text: "Serves wallets without TLS, within a VPN: viewing keys and tokens cross it readable.",
  },
  {
    name: "renew-certificate",
    commands: BOTH,
    fallback: same("off"),
    text: "Makes a new certificate for the wallets: every phone has to be paired again.",
  },
  {
    name: "allow-default-token",
    commands: BOTH,
    fallback: same("off"),
    text: "Lets requests without a wallet token use the wallet named default, where --wallet-api listens on this machine alone.",
  },
];

/** The parsed options. */
export type WalletApiFlags = {
  readonly listen: Listen;
  /** As the operator wrote it. */
  readonly host: string | null;
  readonly insecure: boolean;
  readonly renewCertificate: boolean;
  readonly allowDefaultToken: boolean;
};

/** Parses the options; null for a node without wallets. Throws `node/bad-option`. */
export function readWalletApiFlags({
  on,
  text,
}: Pick<OptionValues, "on" | "text">): WalletApiFlags | null {
  const address = text("wallet-api");
  const needless = WALLET_API_FLAGS.find(({ name }) => on(name) || text(name) !== null);
  if (address === null) {
    if (needless === undefined) return null;
    throw badOption(needless.name, "it goes with --wallet-api");
  }
  const { host, port } = listenOption("wallet-api", address);
  if (host === undefined || port === undefined) throw badOption("wallet-api", "write ADDR:PORT");
  return {
    listen: { host, port },
    host: text("wallet-api-host"),
    insecure: on("wallet-api-insecure"),
    renewCertificate: on("renew-certificate"),
    allowDefaultToken: on("allow-default-token"),
  };
}
