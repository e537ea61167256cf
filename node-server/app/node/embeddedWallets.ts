/** The wallet daemon inside a node: the same program as `svc walletd`, at the gRPC address of its own node. */
import { join } from "node:path";
import type { Secret } from "@svc/shared/base/secret.ts";
import { authority } from "../../platform/net/authority.ts";
import { parseNetAddress } from "../../platform/net/netAddress.ts";
import { readWalletSecret } from "../../walletd/keys/secretSource.ts";
import { PublicAccess } from "../../walletd/public/publicAccess.ts";
import type { Listen } from "../options/listenOption.ts";
import { badOption, type Environment } from "../options/readOptions.ts";
import type { WalletApiFlags } from "../options/walletApiFlags.ts";

/** What a daemon inside a node is started with. */
export type EmbeddedDaemon = {
  /** The node, `HOST:PORT`. */
  readonly rpcServer: string;
  readonly walletDir: string;
  /** Belongs to the starter, which erases it; null for wallets in plaintext. */
  readonly secret: Secret | null;
  readonly listen: Listen;
  readonly access: PublicAccess;
  readonly allowDefaultToken: boolean;
};

/** A daemon that was started. */
export type StartedDaemon = {
  /** The port at which it listens. */
  readonly port: number;
  stop(): Promise<void>;
};

/** Dependencies. */
export type EmbeddedWalletsParts = {
  readonly flags: WalletApiFlags;
  /** Folder of the node's network; null for a node in memory. */
  readonly folder: string | null;
  readonly networkName: string;
  /** The node's own gRPC server, `HOST:PORT`; null for a node without. */
  readonly grpcAddress: string | null;
  readonly environment: Environment;
  /** Unix time in ms. */
  readonly nowMs: bigint;
  readonly start: (daemon: EmbeddedDaemon) => Promise<StartedDaemon>;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
};

/** Stands for all addresses of a machine, of which its own programs use loopback. */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);
const ANY_PORT = 1;

/**
 * Starts the daemon and prints the code to pair with. Rejects with `node/bad-option` for a node without gRPC or folder, and like
 * `PublicAccess.open` and the starter.
 */
export async function startEmbeddedWallets(parts: EmbeddedWalletsParts): Promise<StartedDaemon> {
  const { flags, folder, grpcAddress, environment, print } = parts;
  if (grpcAddress === null) throw badOption("wallet-api", "wallets need the node's gRPC server");
  if (folder === null) throw badOption("wallet-api", "wallets need a folder");
  const access = await PublicAccess.open({
    folder: join(folder, "wallet-api"),
    listen: flags.listen.host,
    host: flags.host,
    hostOption: "--wallet-api-host",
    insecure: flags.insecure,
    apiToken: null,
    renewCertificate: flags.renewCertificate,
    network: parts.networkName,
    nowMs: parts.nowMs,
  });
  const daemon = await parts.start({
    rpcServer: reachable(grpcAddress),
    walletDir: join(folder, "wallets"),
    secret: readWalletSecret({ text: undefined, file: undefined, env: environment }),
    listen: flags.listen,
    access,
    allowDefaultToken: flags.allowDefaultToken,
  });
  try {
    const shown = { port: daemon.port, draws: parts.isTerminal, wallet: null };
    for (const line of access.lines(shown)) print(line);
    return daemon;
  } catch (error) {
    await daemon.stop();
    throw error;
  }
}

/** Where this machine's own programs find what listens at an address. */
function reachable(address: string): string {
  const listened = parseNetAddress(address, ANY_PORT);
  const loopback = LOOPBACK_OF.get(listened?.ip ?? "");
  return listened === undefined || loopback === undefined
    ? address
    : authority(loopback, listened.port);
}
