/** A node that dials through a SOCKS5 proxy: peers by name, seeders by name, and nothing looked up on this machine. */
import { createHook } from "node:async_hooks";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parseFlags } from "@svc/node-server/app/options/flags.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { startSocksServer, type SocksServer } from "@svc/node-server/p2p/testkit/socksServer.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { recipient } from "../engine/engineFixture.ts";
import { mineOn, runningClock, startTestNode, tipOf, untilSink } from "./nodeFixture.ts";
import { smallNetwork } from "./smallNetwork.ts";

const SEEDER = "seeder.example";
const PEER = "peer.example.onion";
const nodes: RunningNode[] = [];
let proxy: SocksServer | null = null;
const { path: folder, remove } = temporaryFolder();
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  await proxy?.stop();
  remove();
});

/** A network whose seeder has a name that nobody but the proxy knows. */
function network(): { readonly file: string } {
  const file = join(folder, "network.json");
  const profile: Record<string, unknown> = JSON.parse(smallNetwork());
  writeFileSync(file, JSON.stringify({ ...profile, seeders: [SEEDER] }));
  return { file };
}

async function start(name: string, ...args: string[]): Promise<RunningNode> {
  const { peers } = parseFlags("node", args, {});
  const node = await startTestNode(join(folder, name), {
    network: network(),
    peers,
    clock: runningClock,
  });
  nodes.push(node);
  return node;
}

test("a node finds peers by names that only its proxy looks up", async () => {
  const open = await start("open", "--listen=127.0.0.1:0", "--nodnsseed");
  await mineOn(open, recipient(1));
  const port = open.peerPort ?? 0;
  proxy = await startSocksServer({ [SEEDER]: port, [PEER]: port });
  const lookups: string[] = [];
  const hook = createHook({
    init: (_id, type) => {
      if (/ADDRINFO|NAMEINFO|QUERYWRAP|CARES/.test(type)) lookups.push(type);
    },
  });
  hook.enable();
  const through = `--proxy=${proxy.host}:${proxy.port}`;
  const named = await start("named", through, `--connect=${PEER}:4321`);
  await untilSink(named, (await tipOf(open)).sink);
  expect(proxy.asked).toEqual([`name ${PEER}:4321`]);
  expect(named.peerPort).toBeNull();
  expect(named.api.network?.peers().map(({ address }) => address)).toEqual([`${PEER}:4321`]);
  // Without any peer of its own a node dials a seeder by its name.
  const seeded = await start("seeded", through);
  await untilSink(seeded, await mineOn(open, recipient(1)));
  hook.disable();
  expect(proxy.asked.filter((asked) => asked.startsWith(`name ${SEEDER}:`))).toHaveLength(1);
  expect(lookups).toEqual([]);
  // Nobody is told where the machines behind the proxy are.
  expect(open.api.network?.addresses()).toEqual([]);
});
