/** A stranger hands in payments under the ids that an honest peer is about to bring: the peer is neither charged nor banned. */
import { Agent, request } from "node:http";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { callCore } from "@svc/shared/core/callCore.ts";
import { PATIENCE_MS, SHORT } from "../testkit/networkSizes.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { core, Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE } from "../testkit/tcpProxy.ts";

/** Another host of this machine than the peers'; only Linux has it without being told. */
const STRANGER = "127.0.0.2";
/** Where the honest peer comes from: a host that can be banned. */
const PEER = "127.0.113.4";
const SEEN_FROM = fileURLToPath(new URL("seenFrom.ts", import.meta.url));
/** Requests that the stranger has under way, so that its payment is in admission all the time. */
const AT_ONCE = 4;
const BANNED = /is banned/;
const BLAMED = /storage-mass-not-zero.*a link ended/;
/** Storage mass is the last field of a transaction, and the id does not cover it. */
const STORAGE_MASS_BYTES = 8;

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(SHORT);
});

/** The same payment with a storage mass: the same id, refused for a reason that bans a peer. */
function altered(raw: Uint8Array): Uint8Array {
  const changed = raw.slice();
  changed[changed.length - STORAGE_MASS_BYTES] = 1;
  return changed;
}

/** Posts a payment to a node from a host of this machine; resolves with the status. */
async function post(node: NodeProcess, raw: Uint8Array, agent?: Agent): Promise<number> {
  const url = new URL(`${node.http}/v1/tx`);
  const asked = request(url, { method: "POST", ...(agent && { agent, localAddress: STRANGER }) });
  asked.end(raw);
  const [response] = await once(asked, "response");
  response.resume();
  await once(response, "end");
  return Number(response.statusCode);
}

/** Posts a payment again and again; the returned call ends it and resolves with the statuses that came, each with its number. */
function flood(node: NodeProcess, raw: Uint8Array): () => Promise<ReadonlyMap<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses = new Map<number, number>();
  const over = new AbortController();
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const status = await post(node, raw, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const loops = Array.from({ length: AT_ONCE }, loop);
  return async () => {
    over.abort();
    await Promise.all(loops);
    agent.destroy();
    return statuses;
  };
}

test.runIf(process.platform === "linux")(
  "a joined admission: other bytes with the same id cost an honest peer nothing",
  async () => {
    const scene = new Scene(SHORT.profile);
    for (const name of ["victim", "honest"]) scene.copyStore({ from: chain.path, name });
    const watched = [BANNED, BLAMED];
    const victim = await scene.node({ name: "victim", watched, imports: [SEEN_FROM] });
    const line = await scene.line(victim.peerPort, PERFECT_LINE, PEER);
    const honest = await scene.node({ name: "honest", peers: [line.port] });
    await untilSo(async () => (await victim.peerCount()) === 1, PATIENCE_MS);
    for (const node of [victim, honest]) await node.keysReady(PATIENCE_MS);
    for (const raw of chain.waiting) {
      const txid = callCore(() => core.transactionId(raw));
      const end = flood(victim, altered(raw));
      onTestFinished(async () => void (await end()));
      expect(await post(honest, raw)).toBe(200);
      await untilSo(async () => {
        if (victim.countOf(BANNED) > 0) throw new Error("the honest peer was banned");
        return (await victim.waiting()).includes(txid);
      }, PATIENCE_MS);
      const statuses = await end();
      console.info(`answers to the stranger by status: ${JSON.stringify([...statuses])}`);
      // Refused for its bytes, for being too fast, and for being there once the good one is.
      expect([...statuses.keys()].filter((status) => ![422, 429, 409].includes(status))).toEqual(
        [],
      );
    }
    expect(await victim.peerCount()).toBe(1);
    await victim.stop();
    expect([victim.countOf(BANNED), victim.countOf(BLAMED)]).toEqual([0, 0]);
  },
);
