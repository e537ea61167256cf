/** A node that may open few files, while strangers take every connection they get: it goes on with its work and its peers. */
import { existsSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { APP_LIMITS } from "@svc/node-server/app/appLimits.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { ProgramRun } from "../testkit/programRun.ts";
import { Scene } from "../testkit/scene.ts";

const PRLIMIT = "/usr/bin/prlimit";
/** What a node with all servers needs, and a little for its shares of connections. */
const LIMIT = 500;
/** Connections that one stranger tries to hold at each port. */
const GREEDY = 500;
const LOOPBACK = "127.0.0.1";
const WARNED = /few open files are allowed \(ulimit -n\)/;
/** Files that a node at rest opens and closes. */
const OTHERS = 5;
/** Bytes of log that the flood may cost. */
const LOG_BYTES = 64_000;

/** Connections to one port that say nothing. */
class Crowd {
  readonly #sockets: Socket[] = [];

  constructor(port: number, count: number) {
    for (let index = 0; index < count; index += 1) {
      const socket = connect({ port, host: LOOPBACK, localAddress: "127.0.0.9" });
      socket.on("error", () => undefined);
      // Whoever does not read never hears that it was turned away.
      socket.resume();
      this.#sockets.push(socket);
    }
    onTestFinished(() => this.leave());
  }

  /** Those that are still open. */
  get open(): number {
    return this.#sockets.filter((socket) => !socket.connecting && !socket.destroyed).length;
  }

  /** Resolves when each has been taken in or turned away. */
  async settled(): Promise<void> {
    await untilSo(async () => this.#sockets.every(({ connecting }) => !connecting), PATIENCE_MS);
  }

  /** How many were turned away. */
  get refused(): number {
    return this.#sockets.filter(({ destroyed }) => destroyed).length;
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const portOf = (address: string): number => Number(address.split(":").at(-1));

test.skipIf(!existsSync(PRLIMIT))(
  "a node with few descriptors keeps its work and its peers while strangers take all connections, and recovers",
  async () => {
    const scene = new Scene(pruneNetwork());
    const few = await scene.node({ name: "few", nofile: LIMIT, watched: [WARNED] });
    expect(few.countOf(WARNED)).toBe(1);
    const friend = await scene.node({ name: "friend", peers: [few.peerPort] });
    await untilSo(async () => (await few.peerCount()) === 1, PATIENCE_MS);
    const logged = few.gather(/./);
    const atRest = openFiles(few.pid);
    const crowds = [few.peerPort, portOf(few.http), portOf(few.grpcAddress)].map(
      (port) => new Crowd(port, GREEDY),
    );
    for (const crowd of crowds) await crowd.settled();
    await untilSo(async () => crowds.every(({ refused }) => refused > GREEDY / 2), PATIENCE_MS);
    // Peers that say nothing have few places; the other servers give all of theirs.
    for (const { open } of crowds) expect(open).toBeGreaterThan(0);
    expect(openFiles(few.pid)).toBeLessThan(LIMIT);
    await mineAt(few, 3, payAddressOf(1));
    const { sink } = await few.tip();
    await friend.untilTip("the new blocks", (tip) => tip.sink === sink, PATIENCE_MS);
    expect(logged.join("\n").length).toBeLessThan(LOG_BYTES);
    for (const crowd of crowds) crowd.leave();
    await untilSo(async () => openFiles(few.pid) <= atRest + OTHERS, PATIENCE_MS);
    const late = new Crowd(portOf(few.http), 8);
    await late.settled();
    await mineAt(friend, 2, payAddressOf(2));
    const next = await friend.tip();
    await few.untilTip("blocks of the friend", (tip) => tip.sink === next.sink, PATIENCE_MS);
    expect(late.open).toBe(8);
    await friend.stop();
    await few.stop();
  },
);

test.skipIf(!existsSync(PRLIMIT))("a limit that is too low is refused in words", async () => {
  const args = ["node", "--simnet", `--appdir=${folderOfTest()}`, "--listen=127.0.0.1:0"];
  const run = new ProgramRun([PRLIMIT, "--nofile=200:200", ...svcCommand(args)]);
  const { status, err } = await run.ended();
  expect([status, err]).toEqual([
    1,
    expect.stringMatching(
      /^svc node: Option ulimit -n is wrong: the system allows 200 open files, and this node needs \d+\. \[node\/bad-option\]\n$/,
    ),
  ]);
  expect(APP_LIMITS.descriptorsOwn).toBeGreaterThan(200);
});
