/** The log volume that strangers can cause at the usual level is limited: some lines of each kind, however often they come. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import * as v from "valibot";
import { expect, test } from "vitest";
import { lengthDelimited } from "@svc/node-server/p2p/testkit/rawEnvelope.ts";
import { MESSAGE_BOUNDS } from "@svc/node-server/p2p/link/messageBounds.ts";
import { PLATFORM_LIMITS } from "@svc/node-server/platform/platformLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { HostilePeer } from "./hostilePeer.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { Scene } from "../testkit/scene.ts";

const NETWORK = "svc-prune";
const LOOPBACK = "127.0.0.1";
/** Times that a peer comes, says nonsense and goes; and requests, each of them wrong. */
const VISITS = IS_FULL ? 2_000 : 200;
const REQUESTS = IS_FULL ? 20_000 : 1_000;
/** Bytes of a line of the log, on average; and messages that strangers can cause. */
const LINE_BYTES = 400;
const MESSAGES = 4;
const MINUTE_MS = 60_000;
const CAME = '"a peer came"';
const LEFT_OUT = /"leftOut":(\d+).*"a peer came"/;
const timed = v.object({ time: v.string() });
const [PING] = MESSAGE_BOUNDS.ping;
const LEFT = new SvcError("p2p/closed", {});

async function visit(node: NodeProcess): Promise<void> {
  const peer = await admitted(node);
  await peer.send(lengthDelimited(PING, new Uint8Array(24).fill(0xff)));
  await peer.leave(LEFT);
}

/** Minutes that a log is of, those begun counted, by the times that its lines bear: so many shares the node had to write. */
function minutesOf(lines: readonly string[]): number {
  const times = lines.map((line) => Date.parse(v.parse(timed, JSON.parse(line)).time));
  return Math.max(1, Math.ceil((Math.max(...times) - Math.min(...times)) / MINUTE_MS));
}

/** It tries again where a dial took longer than a node waits for one. */
async function admitted(node: NodeProcess): Promise<HostilePeer> {
  const peers: HostilePeer[] = [];
  await untilSo(async () => {
    const visiting = HostilePeer.visit({ port: node.peerPort, network: NETWORK });
    await visiting.then(
      (peer) => peers.push(peer),
      (error: unknown) => expect(error).toMatchObject({ code: "p2p/unreachable" }),
    );
    return peers.length > 0;
  }, PATIENCE_MS);
  const [peer] = peers;
  if (peer === undefined) throw new Error("nobody was let in");
  return peer;
}

/** Bytes that are nothing, to a port; waits until the node has ended the connection. */
async function garbage(port: number): Promise<void> {
  const socket = connect({ port, host: LOOPBACK });
  socket.on("error", () => undefined);
  socket.resume();
  socket.end(randomBytes(64));
  await once(socket, "close");
}

test("a flood of peers, requests and garbage costs the log a bounded number of lines", async () => {
  const scene = new Scene(pruneNetwork());
  const node = await scene.node({ name: "node", more: ["--loglevel=info"] });
  await node.keysReady(PATIENCE_MS);
  const logged = node.gather(/^\{/);
  const port = Number(new URL(node.http).port);
  for (let count = 0; count < VISITS; count += 1) await visit(node);
  for (let count = 0; count < REQUESTS; count += 1) {
    if (count % 10 === 0) await garbage(count % 20 === 0 ? port : node.peerPort);
    else await fetch(`${node.http}/v1/blocks?after=${count}`).then((answer) => answer.text());
  }
  const bytes = logged.join("\n").length;
  const came = logged.filter((line) => line.includes(CAME)).length;
  console.info(`${VISITS} visits and ${REQUESTS} requests: ${logged.length} lines, ${bytes} bytes`);
  const minutes = minutesOf(logged);
  const lines = PLATFORM_LIMITS.logSameBurst + PLATFORM_LIMITS.logSamePerMinute * minutes;
  expect(came).toBeLessThanOrEqual(lines);
  expect(bytes).toBeLessThan(LINE_BYTES * MESSAGES * lines);
  // It was a flood: the node itself says how many lines it left out, with the next one that it writes.
  const told = node.gather(LEFT_OUT);
  await untilSo(async () => {
    await visit(node);
    return told.length > 0;
  }, PATIENCE_MS);
  const leftOut = logged.map((line) => Number(LEFT_OUT.exec(line)?.[1] ?? 0));
  const sum = leftOut.reduce((total, count) => total + count, 0);
  const written = logged.filter((line) => line.includes(CAME)).length;
  expect(sum + written).toBeGreaterThanOrEqual(VISITS);
  await node.stop();
});
