/**
 * The wallet daemon while its node, its line, its disk or its folder fails: it says so, loses nothing, and goes on by itself or
 * as the design says.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { SmallDisk, smallDiskRefusal } from "../../testkit/smallDisk.ts";
import { expectApplied } from "./expectApplied.ts";
import { InsistentClient, sendBody } from "./insistentClient.ts";
import { NodeSwitch } from "../testkit/nodeSwitch.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { recordedProgram } from "./recordedProofs.ts";
import type { StoredChain } from "../testkit/scene.ts";
import { WalletdProcess } from "./walletdProcess.ts";
import { notesChain, options, PAYER, SHOP, WalletdScene } from "./walletdScene.ts";
import { wantedSend, type WantedCall } from "./wantedCalls.ts";

const MIB = 1024 * 1024;
/** Enough for a folder with two wallets. */
const ROOMY = 2_048 * MIB;
const refusal = smallDiskRefusal();
/** What callers are told of a full disk; the operator finds the rest in the log. */
const STORE = /cannot use its database/;
const skipped = refusal === null ? "" : ` (skipped: ${refusal})`;

let chain: StoredChain;
beforeAll(async () => {
  chain = await notesChain();
});

function orderTo(of: WalletdScene, place: number): WantedCall {
  return wantedSend(place, of.addressOf("shop"));
}

/** Makes the call once. */
function sendOnce(of: WalletdScene, wanted: WantedCall): ReturnType<WalletClient["send"]> {
  const call = { ...options(), idempotencyKey: wanted.key };
  return of.client(PAYER).send(sendBody(wanted), call);
}

function portOf(node: NodeProcess): number {
  return Number(node.grpcAddress.split(":").at(-1));
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "answered";
  } catch (thrown) {
    return SvcError.from(thrown).code;
  }
}

describe("a wallet daemon whose node fails", () => {
  async function throughSwitch(): Promise<{ of: WalletdScene; line: NodeSwitch }> {
    const of = await WalletdScene.make({ chain, program: recordedProgram });
    const line = await NodeSwitch.start(portOf(of.node));
    of.nodeAddress = line.address;
    await of.fill();
    return { of, line };
  }

  test("says so when it is killed, keeps what it signs, and hands it to the next one", async () => {
    const { of, line } = await throughSwitch();
    const client = new InsistentClient(of);
    await client.pay(orderTo(of, 0));
    await of.node.kill();
    line.cut();
    // The node is away, and the wallet has all of its chain: what is signed now waits.
    const sent = await sendOnce(of, orderTo(of, 1));
    client.answers.set("order-1", { txids: sent.txids, fee: sent.fee_sompi, whole: sent });
    expect(await of.untilReady(false)).toMatch(/node/i);
    expect(await of.status(PAYER)).toMatchObject({ error: expect.stringMatching(/node/i) });
    expect(await of.client(PAYER).live(options())).toMatchObject({ ok: true });
    of.node = await of.scene.node({ name: "node" });
    await of.node.keysReady(PATIENCE_MS);
    line.lead(portOf(of.node));
    await of.untilReady(true);
    await of.untilWaiting([sent.txid]);
    await of.settle();
    await expectApplied(of, client);
    expect(await of.status(PAYER)).toMatchObject({ error: null, pending_out_sompi: 0n });
  });

  test("goes on when the line to it is cut again and again while it pays", async () => {
    const { of, line } = await throughSwitch();
    const client = new InsistentClient(of);
    for (const place of [0, 1, 2]) {
      const paying = client.pay(orderTo(of, place));
      await new Promise((resolve) => setTimeout(resolve, of.scene.random.below(200)));
      line.cut();
      await new Promise((resolve) => setTimeout(resolve, of.scene.random.below(200)));
      line.lead(portOf(of.node));
      await paying;
    }
    await of.untilReady(true);
    const all = [...client.answers.values()].flatMap(({ txids }) => txids);
    await of.untilWaiting(all);
    await of.settle();
    await expectApplied(of, client);
  });
});

describe.skipIf(refusal !== null)(`a wallet daemon whose disk is full${skipped}`, () => {
  test("refuses what it cannot store, and pays once when there is room", async () => {
    const disk = await SmallDisk.make(ROOMY);
    onTestFinished(() => disk.remove());
    const walletDir = join(disk.path, "wallets");
    const of = await WalletdScene.make({ chain, program: recordedProgram, walletDir });
    await of.fill();
    const client = new InsistentClient(of);
    await client.pay(orderTo(of, 0));
    await disk.whileFull(async () => {
      const code = await codeOf(sendOnce(of, orderTo(of, 1)));
      expect(code).toMatch(/^store\/(?:no-room|commit-failed)$/);
      expect(await of.status(PAYER)).toMatchObject({
        spend_ready: false,
        error: expect.stringMatching(STORE),
      });
      expect(await of.untilReady(false)).toMatch(STORE);
      expect(await of.client(PAYER).live(options())).toMatchObject({ ok: true });
    });
    disk.leave(ROOMY);
    await of.untilReady(true);
    await client.pay(orderTo(of, 1));
    await of.settle();
    await expectApplied(of, client);
    expect(await of.daemon?.stop()).toBe(0);
    expect(of.unfinished()).toEqual([]);
    expect(await of.doctor()).toEqual([]);
  });
});

describe("a wallet folder", () => {
  async function paidOnce(): Promise<{ of: WalletdScene; client: InsistentClient }> {
    const of = await WalletdScene.make({ chain, program: recordedProgram });
    await of.fill();
    const client = new InsistentClient(of);
    await client.pay(orderTo(of, 0));
    return { of, client };
  }

  test("belongs to one daemon, and the second says whose it is", async () => {
    const { of, client } = await paidOnce();
    const { program: _, ...spec } = of.spec();
    const second = WalletdProcess.begin(spec);
    await expect(second.listening()).rejects.toThrow("ended before it listened");
    expect(await second.ended()).not.toBe(0);
    expect(of.log.join("\n")).toMatch(/Process \d+ uses/);
    await client.pay(orderTo(of, 1));
  });

  test("copied while it is in use opens elsewhere and repeats what it has promised", async () => {
    const { of, client } = await paidOnce();
    const copy = of.scene.appdir("copy");
    const paying = client.pay(orderTo(of, 1));
    cpSync(of.walletDir, copy, { recursive: true });
    await paying;
    await of.daemon?.kill();
    rmSync(join(copy, ".lock"), { force: true });
    of.daemon = await WalletdProcess.start(of.spec(copy));
    await of.untilSynced(PAYER);
    expect(await client.pay(orderTo(of, 0))).toEqual(client.answers.get("order-0"));
    await of.settle();
    await expectApplied(of, client);
    expect(await of.daemon.stop()).toBe(0);
    expect(await of.doctor(copy)).toEqual([]);
  });

  test("with an older database pays nothing, and says which command accepts the loss", async () => {
    const { of, client } = await paidOnce();
    expect(await of.daemon?.stop()).toBe(0);
    const [now, before] = [join(of.walletDir, "walletd"), of.scene.appdir("before")];
    cpSync(now, before, { recursive: true });
    await of.start();
    await client.pay(orderTo(of, 1));
    await of.settle();
    await of.untilSynced(SHOP);
    const { next } = await of.client(SHOP).events({}, options());
    expect(await of.daemon?.stop()).toBe(0);
    rmSync(now, { recursive: true });
    cpSync(before, now, { recursive: true });
    expect((await of.doctor()).join("\n")).toMatch(/damage/);
    await of.start();
    await of.untilSynced(PAYER);
    expect(await codeOf(sendOnce(of, orderTo(of, 1)))).toBe("wallet/rows-lost");
    expect(await of.status(PAYER)).toMatchObject({
      spend_ready: false,
      error: expect.stringMatching(/database/),
    });
    const behind = of.client(SHOP).events({ after: BigInt(next) }, options());
    expect(await codeOf(behind)).toBe("wallet/cursor-ahead");
    // Its owner accepts the loss: a scan finds what the chain has.
    await of.client(PAYER).rescan({}, options());
    await untilSo(async () => (await of.status(PAYER))?.spend_ready === true, PATIENCE_MS);
    await client.pay(orderTo(of, 2));
    await of.settle();
    await expectApplied(of, client);
  });

  test("with an older snapshot scans what is missing, and knows what it has paid", async () => {
    const { of, client } = await paidOnce();
    expect(await of.daemon?.stop()).toBe(0);
    const [now, before] = [join(of.walletDir, `${PAYER}.scan`), of.scene.appdir("payer.scan")];
    cpSync(now, before);
    await of.start();
    await client.pay(orderTo(of, 1));
    await of.settle();
    const { balance_sompi: balance } = (await of.status(PAYER)) ?? expect.unreachable();
    expect(await of.daemon?.stop()).toBe(0);
    cpSync(before, now);
    await of.start();
    await of.untilSynced(PAYER);
    expect(await of.status(PAYER)).toMatchObject({ balance_sompi: balance, error: null });
    expect(await client.pay(orderTo(of, 1))).toEqual(client.answers.get("order-1"));
    await client.pay(orderTo(of, 2));
    await of.settle();
    await expectApplied(of, client);
  });
});
