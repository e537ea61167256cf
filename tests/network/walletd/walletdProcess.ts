/** Wallet daemon as a process, run as an operator runs it and ended by signals. */
import { ListeningProgram } from "../testkit/listeningProgram.ts";

const LISTENS = /^wallet API +(http:\/\/\S+)/;

/** How a daemon is started. */
export type WalletdSpec = {
  readonly profile: string;
  readonly walletDir: string;
  /** `host:port` of the node's gRPC API. */
  readonly node: string;
  /** Home of its user, where it keeps the tables of its prover. */
  readonly home: string;
  /** Further options. */
  readonly more?: readonly string[];
  /** A program of the tests in place of `svc walletd`, below the root, with what it is told beside the options. */
  readonly program?: { readonly file: string; readonly environment: Record<string, string> };
  /** The last lines of all daemons of the test. */
  readonly log: string[];
};

/** A running daemon. */
export class WalletdProcess extends ListeningProgram {
  private constructor({ log, program, home, ...spec }: WalletdSpec) {
    const start = program === undefined ? ["node-server/bin/svc.ts", "walletd"] : [program.file];
    const command = [...start, ...optionsOf(spec)];
    const environment = program?.environment ?? {};
    super({ name: "walletd", command, home, listens: LISTENS, environment, log });
  }

  /** Starts one and does not wait for it. */
  static begin(spec: WalletdSpec): WalletdProcess {
    return new WalletdProcess(spec);
  }

  /** Starts one; resolves when it listens. */
  static async start(spec: WalletdSpec): Promise<WalletdProcess> {
    const daemon = new WalletdProcess(spec);
    await daemon.listening();
    return daemon;
  }
}

function optionsOf({
  profile,
  walletDir,
  node,
  more = [],
}: Pick<WalletdSpec, "profile" | "walletDir" | "node" | "more">): readonly string[] {
  return [
    `--profile=${profile}`,
    `--wallet-dir=${walletDir}`,
    `--rpc-server=${node}`,
    "--listen=127.0.0.1:0",
    "--no-auto-consolidate",
    "--max-concurrent-proves=1",
    ...more,
  ];
}
