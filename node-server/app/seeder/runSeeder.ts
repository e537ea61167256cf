/** The command `svc seeder`: runs a DNS seeder. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { dialPort } from "@svc/shared/chain/profile.ts";
import { parseNetAddress, type NetAddress } from "../../platform/net/netAddress.ts";
import { createAskSeeders } from "../../p2p/connect/askSeeders.ts";
import { dialPeer } from "../../p2p/link/grpcDialer.ts";
import { userAgent } from "../../p2p/handshake/userAgent.ts";
import { authority } from "../../platform/net/authority.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { startSeeder } from "../../seeder/seeder.ts";
import { holdDataFolder, userFolder } from "../folder/dataFolder.ts";
import { loadNetwork } from "../program/network.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { parseSeederFlags, seederHelpText } from "./seederFlags.ts";
import { VERSION } from "../program/version.ts";

const ID_BYTES = 16;
const ALL_PEERS = 8;

/** Runs a seeder until the signal fires. Returns the exit status. */
export async function runSeeder(context: CommandContext): Promise<number> {
  const { print, signal } = context;
  const flags = parseSeederFlags(context.args, context.environment);
  if (flags === null) {
    print(seederHelpText());
    return 0;
  }
  const profile = loadNetwork(await loadCoreFile(), flags.network);
  const log = createLog(flags.logLevel);
  const port = dialPort(profile);
  const peers = flags.peers.map((text) => peerOf(text, port));
  const name = join(profile.networkName, "seeder");
  const folder = holdDataFolder(flags.appdir ?? userFolder(), name, {
    reset: false,
    archival: false,
  });
  const seeders = profile.seeders.filter((other) => other.toLowerCase() !== flags.host);
  try {
    const seeder = await startSeeder({
      zone: flags,
      listen: flags.listen,
      port,
      publicOnly: flags.isPublic,
      peers,
      askSeeders: createAskSeeders({
        seeders,
        port,
        outbound: ALL_PEERS,
        random: Math.random,
        log,
      }),
      path: join(folder.path, "nodes.json"),
      dial: dialPeer,
      own: {
        services: 0n,
        address: undefined,
        id: randomBytes(ID_BYTES),
        userAgent: userAgent({ version: VERSION, digest: profile.digest, comments: ["seeder"] }),
        disableRelayTx: true,
        subnetworkId: undefined,
        network: profile.networkName,
      },
      digest: profile.digest,
      random: Math.random,
      clock: systemClock,
      log,
    });
    print(`network     ${profile.networkName} (nodes at port ${port})`);
    print(`data        ${folder.path}`);
    print(`${flags.host} is answered at ${authority(flags.listen.host, seeder.port)}`);
    await untilAborted(signal);
    print("stopping …");
    await seeder.stop();
    return 0;
  } finally {
    folder.lock.release();
  }
}

function peerOf(text: string, port: number): NetAddress {
  const address = parseNetAddress(text, port);
  if (address !== undefined) return address;
  throw new SvcError("node/bad-option", { option: "--peer", reason: `${text} is no IP[:PORT]` });
}
