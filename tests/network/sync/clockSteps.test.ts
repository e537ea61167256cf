/** A node whose machine's clock is set by days both ways while it runs, beside a node with the right time. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { mineAt, payAddressOf, templateAt } from "../testkit/nodeMiner.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { Scene } from "../testkit/scene.ts";

const STEPPED = fileURLToPath(new URL("steppedClock.ts", import.meta.url));
const PAYEE = payAddressOf(1);
const MINUTE_MS = 60_000;
/** ms. The stepped node looks for another step as often. */
const LOOK_MS = 5;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A month: addresses that were not reached for so long are forgotten. */
const MONTHS_MS = 70 * DAY_MS;
const STRANGER = "203.0.113.9";
const TOO_FAR = /header\/time-too-far-ahead/;
const DEFECTS = [/"code":"internal\//, /a fault/, /is banned/];

let scene: Scene;
let right: NodeProcess;
let stepped: NodeProcess;

beforeEach(async () => {
  scene = new Scene(pruneNetwork());
  right = await scene.node({ name: "right", watched: DEFECTS });
  setClock(0);
  const watched = [...DEFECTS, TOO_FAR];
  stepped = await scene.node({ name: "stepped", imports: [STEPPED], watched });
});

/** Sets the clock of the stepped node ahead of the right time, or behind it. */
function setClock(aheadMs: number): void {
  writeFileSync(`${scene.appdir("stepped")}.clock`, String(aheadMs));
}

/** The time of day as a node says it. */
async function timeOf(node: NodeProcess): Promise<number> {
  const { serverTime } = await node.grpc.call({ $case: "getMetrics", value: {} });
  return Number(serverTime);
}

/** Waits until the stepped node's time is that of the right one, asked before and after it, and so much more. */
async function expectAhead(wantedMs: number): Promise<void> {
  await untilSo(async () => {
    const before = await timeOf(right);
    const ahead = (await timeOf(stepped)) - wantedMs;
    return ahead >= before - LOOK_MS && ahead <= (await timeOf(right)) + LOOK_MS;
  }, PATIENCE_MS);
}

async function expectSameTip(): Promise<void> {
  const { sink } = await right.tip();
  await stepped.untilTip("the sink of the right node", (tip) => tip.sink === sink, PATIENCE_MS);
}

/** What the stepped node says of its only peer. */
async function peerOf(): Promise<{ readonly timeConnected: bigint } | undefined> {
  const { infos } = await stepped.grpc.call({ $case: "getConnectedPeerInfo", value: {} });
  return infos[0];
}

async function banned(): Promise<readonly string[]> {
  const { bannedAddresses } = await stepped.grpc.call({ $case: "getPeerAddresses", value: {} });
  return bannedAddresses.map(({ addr }) => addr);
}

/** Nothing honest was banned, and nothing went wrong inside. */
async function expectSound(): Promise<void> {
  for (const node of [right, stepped]) {
    expect(node.hasEnded).toBe(false);
    expect(
      DEFECTS.map((form) => node.countOf(form)),
      node.spec.name,
    ).toEqual([0, 0, 0]);
  }
  expect(await banned()).toEqual([STRANGER]);
}

test(
  "keeps bans, links and rates as they are, takes no block of its future, and goes on when the clock is right again",
  { timeout: 2 * PATIENCE_MS },
  async () => {
    await stepped.grpc.call({ $case: "ban", value: { ip: STRANGER } });
    await stepped.addPeer(right.peerPort);
    await mineAt(right, 3, PAYEE);
    await expectSameTip();

    // Days and months ahead: blocks of the past are taken, bans last, the link stays.
    for (const ms of [2 * MINUTE_MS, 3 * DAY_MS, MONTHS_MS]) {
      setClock(ms);
      await expectAhead(ms);
      await mineAt(right, 2, PAYEE);
      await expectSameTip();
      expect(await banned()).toEqual([STRANGER]);
      const peer = await peerOf();
      expect(peer?.timeConnected).toBeGreaterThanOrEqual(0n);
      expect(Number(peer?.timeConnected)).toBeLessThan(DAY_MS);
      const before = await timeOf(stepped);
      const template = await templateAt(stepped, PAYEE);
      const timestamp = Number(template?.header?.timestamp);
      expect(timestamp).toBeGreaterThanOrEqual(before);
      expect(timestamp).toBeLessThanOrEqual(await timeOf(stepped));
    }
    // Back within the tolerance: nothing is refused.
    setClock(-MINUTE_MS);
    await expectAhead(-MINUTE_MS);
    await mineAt(right, 2, PAYEE);
    await expectSameTip();
    expect(stepped.countOf(TOO_FAR)).toBe(0);

    // Days back: what the others find is of the future, and nobody's fault.
    setClock(-3 * DAY_MS);
    await expectAhead(-3 * DAY_MS);
    const { sink: before } = await stepped.tip();
    await mineAt(right, 3, PAYEE);
    await untilSo(async () => stepped.countOf(TOO_FAR) > 0, PATIENCE_MS);
    expect((await stepped.tip()).sink).toBe(before);
    expect(await banned()).toEqual([STRANGER]);

    setClock(0);
    await expectAhead(0);
    await stepped.addPeer(right.peerPort);
    await expectSameTip();
    await mineAt(stepped, 2, PAYEE);
    const { sink } = await stepped.tip();
    await right.untilTip("the sink of the stepped node", (tip) => tip.sink === sink, PATIENCE_MS);
    await expectSound();
  },
);
