/** The commands `svc node` and `svc local`: start a node, tell the person, wait, stop. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { boundYoungHeap } from "../../platform/thread/youngHeap.ts";
import { builtPages, projectFolder, userFolder } from "../folder/dataFolder.ts";
import { EXIT_STATUS } from "../program/exitStatus.ts";
import { helpText } from "../options/helpText.ts";
import type { NodeCommand } from "../options/flagRow.ts";
import { parseFlags, type NodeFlags } from "../options/flags.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { readCountries } from "./readCountries.ts";
import { restToken } from "./restToken.ts";
import { tellKeys } from "./tellKeys.ts";
import { startEmbeddedWallets, type StartedDaemon } from "./embeddedWallets.ts";
import { startWallets } from "./startWallets.ts";
import { startNode, type NodeOptions, type RunningNode } from "./node.ts";

/** Runs a node until the signal fires. Returns the exit status; rejects with what kept the node from going on. */
export async function runNode(command: NodeCommand, context: CommandContext): Promise<number> {
  const flags = parseFlags(command, context.args, context.environment);
  if (flags.help) {
    context.print(helpText(command));
    return 0;
  }
  const options = nodeOptions(command, flags);
  boundYoungHeap();
  const node = await startNode(options);
  announce(node, options.pages !== null, context.print);
  const wallets = await walletsOf(node, flags, options, context);
  tellKeys(node, context);
  const failure = await Promise.race([untilAborted(context.signal), node.failed]);
  if (failure !== undefined) context.print(`the node cannot go on: ${sentenceOf(failure)}`);
  context.print("stopping …");
  await wallets?.stop();
  await node.stop();
  if (failure !== undefined) throw failure;
  context.print("stopped, the store is clean");
  return EXIT_STATUS.fine;
}

/** Converts command and flags into settings of a node. */
export function nodeOptions(command: NodeCommand, flags: NodeFlags): NodeOptions {
  const local = command === "local";
  return {
    network: flags.profileFile === null ? { name: flags.network } : { file: flags.profileFile },
    appdir: flags.appdir ?? (local ? projectFolder() : userFolder()),
    resetDb: flags.resetDb,
    archival: flags.archival,
    shieldedHistory: flags.shieldedHistory,
    confirmed: flags.confirmed,
    index: flags.index,
    indexDays: flags.indexDays,
    grpc: flags.grpc,
    http: flags.http,
    httpRules: flags.httpRules,
    rest: {
      isPublic: flags.rest.isPublic,
      token: restToken(flags.rest.tokenFile),
      countries: readCountries(flags.rest.geoFile),
    },
    // A network of one's own has peers only when it is told so.
    peers: flags.peers,
    unsafeRpc: flags.unsafeRpc,
    pages: flags.pages ?? (local ? pagesIfBuilt() : null),
    mining:
      local || flags.mine !== null
        ? { address: flags.mine, intervalMs: flags.blockIntervalMs }
        : null,
    allowUnsyncedMining: flags.allowUnsyncedMining,
    proofs: { prover: flags.prover, threads: flags.proofThreads },
    clock: systemClock,
    log: createLog(flags.logLevel, { masksAddresses: flags.masksAddresses }),
  };
}

/** The wallets that the node serves; null for none. What keeps them from being served stops the node. */
async function walletsOf(
  node: RunningNode,
  { walletApi }: NodeFlags,
  { clock, log }: NodeOptions,
  { environment, print }: CommandContext,
): Promise<StartedDaemon | null> {
  if (walletApi === null) return null;
  const { profile } = node.api;
  const parts = { core: await loadCoreFile(), profile, clock, log };
  try {
    return await startEmbeddedWallets({
      flags: walletApi,
      folder: node.folder,
      networkName: networkId(profile),
      grpcAddress: node.grpcAddress,
      environment,
      nowMs: clock.nowMs(),
      start: (daemon) => startWallets(parts, daemon),
      print,
      isTerminal: process.stdout.isTTY,
    });
  } catch (error) {
    await node.stop();
    throw error;
  }
}

function pagesIfBuilt(): string | null {
  const folder = builtPages();
  return existsSync(join(folder, "headers.json")) ? folder : null;
}

function announce(node: RunningNode, pages: boolean, print: (line: string) => void): void {
  const { networkName, digest } = node.api.profile;
  print(`network     ${networkName} (profile ${digest.slice(0, 16)})`);
  if (node.folder !== null) print(`data        ${node.folder}`);
  if (node.httpAddress !== null) {
    if (pages) {
      print(`wallet      ${node.httpAddress}/wallet/`);
      print(`explorer    ${node.httpAddress}/explorer/`);
    } else {
      print("pages       none built; npm run setup builds them");
    }
    print(`browser API ${node.httpAddress}/v1/tip`);
    if (node.api.index !== null) print(`index       ${node.httpAddress}/api/info/index`);
  }
  if (node.grpcAddress !== null) print(`gRPC        ${node.grpcAddress}`);
  if (node.peerPort !== null) print(`peers       port ${node.peerPort}`);
  if (node.miner !== null) print(`mining to   ${node.miner.state().address}`);
}
