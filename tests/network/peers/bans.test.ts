/** A host that is banned is kept out, it and nobody else, over real connections and also after a restart, until the ban is lifted. */
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { MESSAGE_BOUNDS } from "@svc/node-server/p2p/link/messageBounds.ts";
import { lengthDelimited } from "@svc/node-server/p2p/testkit/rawEnvelope.ts";
import { HostilePeer } from "./hostilePeer.ts";
import { nextLinkEnd } from "./linkEnds.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { Scene } from "../testkit/scene.ts";
import { PERFECT_LINE } from "../testkit/tcpProxy.ts";

const NETWORK = "svc-prune";
const SEEN_FROM = fileURLToPath(new URL("seenFrom.ts", import.meta.url));
/** Hosts of this machine, as whom the node sees the bad one, and how the node ends before it starts again. */
const HOSTS = [
  {
    kind: "an IPv4 host",
    bad: ["127.0.113.2"],
    other: "127.0.113.3",
    seen: "203.0.113.2",
    end: async (node: NodeProcess) => node.stop(),
  },
  {
    kind: "an IPv6 host with all of its /64",
    bad: ["127.0.64.2", "127.0.64.3"],
    other: "127.0.65.2",
    seen: "2001:db8:0:64::2",
    end: async (node: NodeProcess) => node.kill(),
  },
] as const;
/** Two are forgiven for a time, the third one is too much. */
const GRAVE_FAULTS = 3;
const BANNED = /"peer":"(203\.0\.113\.2|2001:db8:0:64::2)".*a host is banned for a day/;
const [PING] = MESSAGE_BOUNDS.ping;
const LEFT = new SvcError("p2p/closed", {});

/** Comes to a node from one of this machine's addresses. */
async function visitFrom(scene: Scene, node: NodeProcess, from: string): Promise<HostilePeer> {
  const { port } = await scene.line(node.peerPort, PERFECT_LINE, from);
  return HostilePeer.visit({ port, network: NETWORK });
}

async function expectAdmitted(scene: Scene, node: NodeProcess, from: string): Promise<void> {
  const peer = await visitFrom(scene, node, from);
  expect(await peer.isHeard(), from).toBe(true);
  expect(await node.peerCount(), from).toBe(1);
  const ended = nextLinkEnd(node, PATIENCE_MS);
  peer.link.end(LEFT);
  await ended;
}

/** The node ends the connection of each without a word. Whom it lets in it greets with its HTTP/2 settings, unasked. */
async function expectRefused(
  scene: Scene,
  node: NodeProcess,
  bad: readonly string[],
): Promise<void> {
  const greetingTo = async (from: string): Promise<number> => {
    const { port } = await scene.line(node.peerPort, PERFECT_LINE, from);
    return bytesBeforeEnd(port);
  };
  for (const from of bad) expect(await greetingTo(from), from).toBe(0);
  expect(await greetingTo("127.0.0.1")).toBeGreaterThan(0);
}

/** Connects and says nothing; resolves with the length of the first bytes that come, or 0 where the connection ends before. */
function bytesBeforeEnd(port: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const end = (bytes: number): void => {
      socket.destroy();
      resolve(bytes);
    };
    socket.once("data", (bytes) => end(bytes.length));
    // A reset is an end too.
    socket.on("error", () => undefined).once("close", () => end(0));
  });
}

test.each(HOSTS)(
  "$kind that is banned cannot come in again, also after a restart, and others can",
  async ({ bad, other, seen, end }) => {
    const [first] = bad;
    const scene = new Scene(pruneNetwork());
    const spec = { name: "victim", imports: [SEEN_FROM], watched: [BANNED] };
    const victim = await scene.node(spec);
    const banned = victim.line(BANNED, PATIENCE_MS);
    for (let fault = 1; fault <= GRAVE_FAULTS; fault += 1) {
      const peer = await visitFrom(scene, victim, first);
      const ended = nextLinkEnd(victim, PATIENCE_MS);
      await peer.send(lengthDelimited(PING, new Uint8Array(24).fill(0xff)));
      expect(await ended).toMatchObject({ code: "p2p/bad-message", penalty: "major" });
      await peer.link.ended;
    }
    await banned;
    await expectRefused(scene, victim, bad);
    await expectAdmitted(scene, victim, other);
    await expectAdmitted(scene, victim, "127.0.0.1");
    await end(victim);

    const again = await scene.node(spec);
    await expectRefused(scene, again, bad);
    await expectAdmitted(scene, again, other);
    await again.grpc.call({ $case: "unban", value: { ip: seen } });
    for (const from of bad) await expectAdmitted(scene, again, from);
    await again.stop();
    expect([victim.countOf(BANNED), again.countOf(BANNED)]).toEqual([1, 0]);
  },
);
