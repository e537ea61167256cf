/**
 * The wallet daemon over lines that are slow, lose and stall, to its node and to its callers: it pays once, says what is wrong, and
 * goes on by itself when the line is well.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { expectApplied } from "./expectApplied.ts";
import { InsistentClient } from "./insistentClient.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { recordedProgram } from "./recordedProofs.ts";
import type { StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE, type LineQuality, type TcpProxy } from "../testkit/tcpProxy.ts";
import { notesChain, options, PAYER, WalletdScene } from "./walletdScene.ts";
import { wantedSend, type WantedCall } from "./wantedCalls.ts";

/** A catch-up takes a second or two here, and each message comes in many pieces. */
const SLOW: LineQuality = {
  delayMs: 40,
  jitterMs: 40,
  lossPerMille: 10,
  resendMs: 200,
  bytesPerSecond: 48_000,
  chunkBytes: 700,
};
/** Blocks that a daemon has to catch up with. */
const MISSED = 60;
/** A payment has more, and no question of a wallet that follows the chain has as many. */
const PAYMENT_BYTES = 4_000;
const NODE = /node/i;

let chain: StoredChain;
beforeAll(async () => {
  chain = await notesChain();
});

/** A daemon that has all of the chain, behind a line to its node. */
async function behindLine(): Promise<{ of: WalletdScene; line: TcpProxy }> {
  const of = await WalletdScene.make({ chain, program: recordedProgram });
  const line = await of.scene.line(portOf(of.nodeAddress), PERFECT_LINE);
  of.nodeAddress = `127.0.0.1:${line.port}`;
  await of.fill();
  return { of, line };
}

function portOf(address: string): number {
  return Number(address.split(":").at(-1));
}

function orderTo(of: WalletdScene, place: number): WantedCall {
  return wantedSend(place, of.addressOf("shop"));
}

/** After blocks all that was answered is paid once, and nothing is held any more. */
async function expectSettled(of: WalletdScene, client: InsistentClient): Promise<void> {
  const applied = new Set(await of.applied());
  const answered = [...client.answers.values()].flatMap(({ txids }) => txids);
  await of.untilWaiting(answered.filter((txid) => !applied.has(txid)));
  await of.settle();
  // A wallet is synced a few blocks before it has the last one.
  await untilSo(async () => (await of.status(PAYER))?.pending_out_sompi === 0n, PATIENCE_MS);
  await expectApplied(of, client);
  expect(await of.status(PAYER)).toMatchObject({ error: null, synced: true });
}

describe("a wallet daemon whose line to the node", () => {
  test("is slow and loses, catches up, says how far it is, and pays once", async () => {
    const { of, line } = await behindLine();
    expect(await of.daemon?.stop()).toBe(0);
    await mineAt(of.node, MISSED, payAddressOf(1));
    line.quality = SLOW;
    await of.start();
    let behind = 0;
    await untilSo(async () => {
      const status = await of.status(PAYER);
      behind = Math.max(behind, status?.blocks_behind ?? 0);
      return status?.synced === true;
    }, PATIENCE_MS);
    expect(behind).toBeGreaterThan(MISSED / 2);
    const client = new InsistentClient(of);
    await client.pay(orderTo(of, 0));
    await of.untilReady(true);
    await expectSettled(of, client);
  });

  test("stalls while it pays and while blocks come, says so, and goes on with what it has", async () => {
    const { of, line } = await behindLine();
    const client = new InsistentClient(of);
    // A stall that ends before anybody has waited long enough goes unnoticed.
    line.fallSilent();
    const paying = client.pay(orderTo(of, 0));
    await untilSo(async () => line.held > PAYMENT_BYTES, PATIENCE_MS);
    line.heal();
    await of.untilWaiting((await paying).txids);
    await of.untilReady(true);
    line.fallSilent();
    const [sent] = await Promise.all([
      client.pay(orderTo(of, 1)),
      untilSo(async () => line.held > PAYMENT_BYTES, PATIENCE_MS),
    ]);
    expect(await of.untilReady(false)).toMatch(NODE);
    expect(await of.status(PAYER)).toMatchObject({ node_connected: false });
    expect(await of.client(PAYER).live(options())).toMatchObject({ ok: true });
    expect(await of.node.waiting()).not.toContain(sent.txids[0]);
    await mineAt(of.node, MISSED, payAddressOf(1));
    // What the line held back comes, and what the daemon has said again on other connections.
    line.heal();
    await of.untilReady(true);
    await of.untilWaiting(sent.txids);
    await of.untilSynced(PAYER);
    await client.pay(orderTo(of, 2));
    await expectSettled(of, client);
  });
});

describe("a caller of the wallet daemon", () => {
  test("whose line dies before each answer has it by the same key, and has paid once", async () => {
    const of = await WalletdScene.make({ chain, program: recordedProgram });
    await of.fill();
    const { address = null } = of.daemon ?? {};
    const line = await of.scene.line(portOf(address ?? ""), PERFECT_LINE);
    of.apiAddress = `http://127.0.0.1:${line.port}`;
    const client = new InsistentClient(of);
    const [first, second, third] = [0, 1, 2].map((place) => orderTo(of, place));
    if (first === undefined || second === undefined || third === undefined) expect.unreachable();
    const batch: WantedCall = { ...third, kind: "payout", isJob: true };
    const many: WantedCall = { ...second, kind: "sendMany" };
    for (const [place, call] of [first, many, batch].entries()) {
      line.fallSilent(["answers"]);
      const lost = client.askOnce(call).catch((thrown: unknown) => SvcError.from(thrown).code);
      // The daemon has paid, and nobody was told.
      await untilSo(async () => (await of.node.waiting()).length > place, PATIENCE_MS);
      line.cut();
      expect(await lost).toBe("api/unreachable");
      line.heal();
      expect(await client.pay(call)).toEqual(await client.pay(call));
      expect(await of.node.waiting()).toHaveLength(place + 1);
    }
    await expectSettled(of, client);
  });
});
