/**
 * A device pays over a wallet daemon that has its viewing key alone: the daemon's own server, a real node that judges the proof, and a
 * real prover. Whatever the daemon changes of its answer is refused by the device, with a code of its own.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as v from "valibot";
import { runVerifyDisclosure } from "@svc/node-server/app/disclosure/runVerifyDisclosure.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcNode } from "@svc/node-server/client/grpcNode.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { ScanThreads } from "@svc/node-server/scanning/scanThreads.ts";
import { prepareWork } from "@svc/node-server/walletd/device/prepareWork.ts";
import { PreparedSessions } from "@svc/node-server/walletd/device/preparedSessions.ts";
import { DaemonWallets, type HandlerParts } from "@svc/node-server/walletd/http/daemonWallets.ts";
import {
  deviceHandlers,
  type DeviceHandlerParts,
} from "@svc/node-server/walletd/http/deviceHandlers.ts";
import { disclosureHandlers } from "@svc/node-server/walletd/http/disclosureHandlers.ts";
import { keyHandlers } from "@svc/node-server/walletd/http/keyHandlers.ts";
import { scanHandlers } from "@svc/node-server/walletd/http/scanHandlers.ts";
import { statusHandlers } from "@svc/node-server/walletd/http/statusHandlers.ts";
import {
  startWalletServer,
  type WalletServer,
} from "@svc/node-server/walletd/http/walletServer.ts";
import { WalletFolder } from "@svc/node-server/walletd/keys/walletFolder.ts";
import { asWalletToken } from "@svc/node-server/walletd/keys/walletToken.ts";
import { LastingJobs } from "@svc/node-server/walletd/spend/lastingJobs.ts";
import { rescanWork } from "@svc/node-server/walletd/spend/rescanWork.ts";
import { SpendLimits } from "@svc/node-server/walletd/spend/tokens/spendLimits.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { exampleHandlers } from "@svc/node-server/walletd/testkit/exampleHandlers.ts";
import { WalletDaemon } from "@svc/node-server/walletd/walletDaemon.ts";
import { asDaaScore, asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { daemonRefusal } from "@svc/shared/signer/daemonRefusal.ts";
import { DeviceSigner } from "@svc/shared/signer/deviceSigner.ts";
import { checkPaymentProof, readPaymentProof } from "@svc/shared/signer/paymentProof.ts";
import type { PayRequest } from "@svc/shared/signer/payOnDevice.ts";
import type { WalletDaemon as DaemonPort } from "@svc/shared/signer/walletDaemon.ts";
import { paymentOf } from "@svc/shared/wallet/reduce/outbox.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import { walletClock } from "../../demo/walletKit.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import type { Answer } from "../../signer/daemonModel.ts";
import { core, recipient, simnet } from "../engine/engineFixture.ts";
import { HOSTILE_ANSWERS } from "./hostileAnswers.ts";
import { mineOn, never, runningClock, startJudgingNode, tipOf } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";

const COIN = 100_000_000n;
const fixture = readPaymentFixture();
const { alice, bob, carol } = fixture.owners;
const TOKEN = "a1".repeat(16);
const token = asWalletToken(TOKEN);
const signer = new DeviceSigner(core, simnet, new Secret(decodeHex(alice.seed)));
const running: (() => unknown)[] = [];

let node: RunningNode;
let daemon: WalletDaemon;
let address: string;
let path: string;
let store: WalletStore;
let jobs: LastingJobs;
const sent = v.looseObject({ txid: v.string() });

beforeAll(async () => {
  const folderOfTest = temporaryFolder();
  running.push(() => folderOfTest.remove());
  ({ path } = folderOfTest);
  node = await startJudgingNode(null);
  running.push(() => node.stop());
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
    await node.api.submitBlock(raw, never);
  }
  await node.keysReady;
  await startDaemon();
});
afterAll(async () => {
  for (const stop of running.toReversed()) await stop();
});

/** The daemon with its server. */
async function startDaemon(): Promise<void> {
  const nowUnix = () => 1_700_000_000;
  const place = { path, network: "simnet", hrp: "svcsim", core, secret: null, nowUnix } as const;
  const folder = await WalletFolder.open(place);
  store = await WalletStore.open(path, null);
  const port = new GrpcNode(node.grpcAddress ?? "");
  const log = createLog("silent");
  const scan = new ScanThreads({ profileJson: simnet, threads: 1, log });
  const settings = { lanes: 2, opening: 2, most: 100, idleMs: 1_800_000n };
  const parts = { core, profileJson: simnet, folder, store };
  daemon = new WalletDaemon({ ...parts, node: port, scan, clock: systemClock, log, settings });
  const prover = new ProverThread({ prover: "own", proofThreads: 2, cacheFolder: null });
  const { wallets, policy } = daemon;
  const clock = { ...walletClock(systemClock), steadyMs: () => runningClock.steadyMs() };
  const newId = () => encodeHex(randomBytes(16));
  const limits = new SpendLimits(store, systemClock);
  const shared = { limits, wallets, policy, node: port, clock, newId };
  const sessions = new PreparedSessions({ ...parts, ...shared, proverFor: () => prover });
  const works = {
    rescan: rescanWork({ wallets, clock: systemClock }),
    prove: prepareWork(sessions),
  };
  jobs = new LastingJobs({ store, wallets, works, clock: systemClock, log, newId });
  const endNews = port.onNews(() => daemon.wake());
  daemon.start();
  const server = await startServer({ ...parts, daemon, clock: systemClock }, { sessions, jobs });
  ({ address } = server);
  running.push(async () => {
    endNews();
    await server.stop();
    await jobs.stop();
    await sessions.stop();
    await daemon.stop();
    await prover.stop();
    await scan.stop();
    port.close();
    await store.close();
    folder.close();
  });
}

/** Rows that nobody wrote handlers for yet answer their examples. */
function startServer(parts: HandlerParts, device: DeviceHandlerParts): Promise<WalletServer> {
  const found = new DaemonWallets(parts);
  const receipts = { make: () => Promise.reject(new Error("no receipt is asked for here")) };
  return startWalletServer({
    handlers: {
      ...exampleHandlers().handlers,
      ...statusHandlers(parts, found),
      ...keyHandlers(parts, found),
      ...scanHandlers(parts, found, device.jobs),
      ...deviceHandlers(device, found),
      ...disclosureHandlers({ ...parts, receipts }, found),
    },
    host: "127.0.0.1",
    port: 0,
    option: "--listen",
    rules: OWN_PAGES,
    credentials: { allowDefaultToken: false, custodial: false },
    bearer: null,
    clock: systemClock,
    log: createLog("silent"),
  });
}

type Reply = { readonly status: number; readonly text: string };

async function reply(path: string, body: object | null, as = TOKEN): Promise<Reply> {
  const response = await fetch(`${address}${path}`, {
    headers: { "X-Wallet-Token": as, "Content-Type": "application/json" },
    ...(body === null ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Asks the server; rejects with status and code of its refusal. */
async function ask(path: string, body: object | null, as = TOKEN): Promise<string> {
  const { status, text } = await reply(path, body, as);
  if (status >= 400) throw new Error(`${status} ${JSON.parse(text).code}`);
  return text;
}

/** Asks the server as a device does. */
async function askAsDevice(path: string, body: object | null): Promise<string> {
  const { status, text } = await reply(path, body);
  if (status >= 400) throw daemonRefusal(status, text);
  return text;
}

const honest: DaemonPort = {
  status: () => askAsDevice("/api/status", null),
  prepare: (body) => askAsDevice("/api/wallet/prepare", body),
  submit: (body) => askAsDevice("/api/wallet/submit", body),
  pause: (ms, signal) => runningClock.sleep(ms, signal),
};

/** The daemon's wallet when it has scanned the node's chain to its end. */
async function atTip() {
  const open = await daemon.wallets.open(token);
  return untilFound(async () => {
    const { sink } = await tipOf(node);
    if (open.isAtTip && cursorOf(open.state).hash === sink) return open;
    daemon.wake();
    return null;
  });
}

/** The answer of a job when it has ended. */
function jobAnswer(id: string): Promise<string> {
  return untilFound(() => {
    const row = jobs.view(token, id);
    if (row?.body !== null && row?.body !== undefined) return row.body;
    if (row?.error !== null && row?.error !== undefined) throw new Error(row.error.code);
    return null;
  });
}

/** Runs `svc verify-disclosure`; gives its status and what it printed. */
async function verify(args: readonly string[]): Promise<readonly [number, string]> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const status = await runVerifyDisclosure({ args, environment: {}, print, signal: never });
  return [status, lines.join("\n")];
}

function request(over: Partial<PayRequest> = {}): PayRequest {
  return {
    to: bob.address,
    amount: asSompi(COIN),
    memo: "order 7",
    fee: null,
    maxFee: null,
    allowChunking: false,
    daaScore: asDaaScore(BigInt(fixture.forkIndex)),
    ...over,
  };
}

function bodyOf({ to, amount, memo }: PayRequest) {
  const fvk_hex = signer.account.fvk;
  return { fvk_hex, to, amount_sompi: String(amount), memo, allow_partial: false };
}

describe("a device over a daemon without its seed", () => {
  beforeAll(async () => {
    await ask("/api/wallet/watch", { fvk_hex: signer.account.fvk, birthday: "0" });
    await atTip();
  });

  it("is refused what needs its seed, and another wallet's key", async () => {
    await expect(ask("/api/wallet/reveal", null)).rejects.toThrow("403 api/no-custody");
    const strange = {
      ...bodyOf(request()),
      fvk_hex: encodeHex(core.fullViewingKey(recipient(3).slice(0, 32))),
    };
    await expect(ask("/api/wallet/prepare", strange)).rejects.toThrow(
      "403 wallet/other-viewing-key",
    );
    const nobody = ask("/api/wallet/prepare", bodyOf(request()), "b2".repeat(16));
    await expect(nobody).rejects.toThrow("404 wallet/no-wallet");
  });

  it("pays, and its payment is applied, shown and provable", async () => {
    const stages: string[] = [];
    const paid = await signer.pay(honest, request(), ({ stage }) => stages.push(stage), never);
    expect(stages).toEqual(["proving", "signing", "broadcasting"]);
    const [part] = paid.parts;
    if (part === undefined) throw new Error("a part was paid");
    expect(node.api.waiting().map(({ txid }) => txid)).toContain(part.txid);
    const before = JSON.parse(await ask("/api/wallet/history", null));
    expect(before.pendingOutgoing).toMatchObject([{ txid: part.txid, amountSompi: String(COIN) }]);
    await mineOn(node, recipient(7));
    await mineOn(node, recipient(7));
    const open = await atTip();
    const payment = open.state.outbox.find(({ txid }) => txid === part.txid);
    expect(payment).toMatchObject({ status: { state: "accepted" } });
    const history = JSON.parse(await ask("/api/wallet/history", null));
    expect(history.rows[0]).toMatchObject({
      kind: "sent",
      txid: part.txid,
      recipient: bob.address,
      memo: "order 7",
      amountSompi: String(COIN),
      amountKind: "paid",
      feeKnown: true,
    });
    expect(history.pendingOutgoing).toEqual([]);
    const kept = JSON.parse(await ask(`/api/wallet/disclosure?txid=${part.txid}`, null));
    const proof = readPaymentProof(JSON.stringify(kept.payments[0].proof));
    const carried = {
      raw: decodeHex(payment?.raw ?? ""),
      daaScore: asDaaScore(BigInt(fixture.forkIndex)),
    };
    const proven = checkPaymentProof(core, simnet, carried, proof);
    expect(kept.payments).toMatchObject([{ recipient: bob.address, amount_sompi: String(COIN) }]);
    expect(proven).toEqual({ recipient: bob.recipient, value: COIN, memo: "6f726465722037" });
    const { acceptingBlock } = history.rows[0];
    const file = join(path, "proof.json");
    writeFileSync(file, JSON.stringify(kept.payments[0].proof));
    const asking = ["--simnet", "--json", `--proof=${file}`, `--rpc-server=${node.grpcAddress}`];
    const [status, line] = await verify([...asking, `--block=${acceptingBlock}`]);
    expect(JSON.parse(line)).toMatchObject({
      txid: part.txid,
      recipient: bob.address,
      amount: String(COIN),
      memo: "6f726465722037",
      node: { applied: true, block: acceptingBlock },
    });
    expect(status).toBe(0);
    const sink = await mineOn(node, recipient(7));
    const raw = join(path, "payment.hex");
    writeFileSync(raw, payment?.raw ?? "");
    const [other, text] = await verify([...asking, `--block=${sink}`, `--transaction=${raw}`]);
    expect([other, JSON.parse(text).node.applied]).toEqual([1, false]);
    expect(await verify([`--proof=${file}`, `--transaction=${raw}`, "--simnet"])).toEqual([
      0,
      expect.stringContaining('memo         "order 7"\napplied      no node was asked'),
    ]);
    writeFileSync(file, JSON.stringify({ ...kept.payments[0].proof, value: "1" }));
    const forged = verify([`--proof=${file}`, `--transaction=${raw}`, "--simnet"]);
    expect(await rejectionCode(forged)).toBe("signer/note-differs");
    const nowhere = verify([...asking, `--block=${"ab".repeat(32)}`]);
    expect(await rejectionCode(nowhere)).toBe("chain/unknown-block");
  });

  it("may have its payment prepared as a job", async () => {
    const begun = JSON.parse(await ask("/api/wallet/prepare?job=1", bodyOf(request())));
    const again = ask("/api/wallet/prepare", bodyOf(request()));
    await expect(again).rejects.toThrow("429 wallet/preparing");
    const answer = await jobAnswer(begun.job);
    expect(JSON.parse(answer)).toMatchObject({ remaining_sompi: "0", fast_path: true });
    expect(JSON.parse(await ask("/api/wallet/discard", {}))).toEqual({ discarded: 1 });
  });

  it("signs nothing of what a hostile daemon answers; then the honest answer, once", async () => {
    await atTip();
    const asked = request({ memo: "order 8" });
    const mine = await honest.prepare(bodyOf(asked), never);
    const others = await honest.prepare(bodyOf(request({ to: carol.address })), never);
    for (const [name, spoil, code, changes] of HOSTILE_ANSWERS) {
      const answer: Answer = JSON.parse(mine);
      spoil(answer, JSON.parse(others));
      const submits: unknown[] = [];
      const liar: DaemonPort = {
        ...honest,
        prepare: async () => JSON.stringify(answer),
        submit: async (body) => `${submits.push(body)}`,
      };
      const refused = signer.pay(liar, { ...asked, ...changes }, () => undefined, never);
      expect([name, await rejectionCode(refused)]).toEqual([name, code]);
      expect(submits).toEqual([]);
    }
    // Signatures of one session are no signatures of the other, and use nothing up.
    const replay: DaemonPort = {
      ...honest,
      prepare: async () => mine,
      submit: ({ sigs }) =>
        askAsDevice("/api/wallet/submit", { session: JSON.parse(others).session, sigs }),
    };
    const swapped = signer.pay(replay, asked, () => undefined, never);
    expect(await rejectionCode(swapped)).toMatch(/^wallet\/(bad-signature|wrong-signatures)$/);
    // The first answers get lost on the line, after the daemon sent the payment.
    const calls: Promise<string>[] = [];
    let lost = 0;
    const eager: DaemonPort = {
      ...honest,
      prepare: async () => mine,
      submit: (body) => {
        calls.push(honest.submit(body, never), honest.submit(body, never));
        const answer = honest.submit(body, never);
        lost += 1;
        return lost > 2 ? answer : answer.then(() => Promise.reject(new TypeError("reset")));
      },
    };
    const { parts } = await signer.pay(eager, asked, () => undefined, never);
    const txids = (await Promise.all(calls)).map((text) => v.parse(sent, JSON.parse(text)).txid);
    expect(new Set([...txids, ...parts.map(({ txid }) => txid)]).size).toBe(1);
    const open = await atTip();
    expect(JSON.parse(await ask("/api/wallet/discard", {}))).toEqual({ discarded: 1 });
    await expect(ask("/api/wallet/disclosure?txid=" + "00".repeat(32), null)).rejects.toThrow(
      "404 wallet/no-disclosure",
    );
    const { session } = JSON.parse(mine);
    expect(paymentOf(open.state, `prepared:${session}`).txid).toBe(txids[0]);
  });
});
