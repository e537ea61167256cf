/**
 * End-to-end run of one private payment with real parts only: node on disk, blocks, proof, pool, browser protocol, two
 * wallets.
 */
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { randomUUID } from "node:crypto";
import { startNode, type RunningNode } from "@svc/node-server/app/node/node.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import type { Payee, Payment } from "@svc/shared/wallet/state/payment.ts";
import { planPayment } from "@svc/shared/wallet/plan/planner.ts";
import type { ProveProgress } from "@svc/shared/wallet/state/ports.ts";
import { sendPayment } from "@svc/shared/wallet/send/sendPayment.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import type { WalletSync } from "@svc/shared/wallet/sync/walletSync.ts";
import type { HistoryRow } from "@svc/shared/wallet/state/walletState.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { bundleFormat } from "./bundleFormat.ts";
import type { DemoOptions } from "./demoOptions.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { WalletKit, walletClock } from "./walletKit.ts";

const PROFILE = "simnet";
const LOOPBACK = "127.0.0.1";
/** Blocks after which something that must happen is not going to. */
const MOST_BLOCKS = 200;

/** What the demo prints. Amounts are sompi in decimal. */
export type DemoResult = {
  readonly txid: string;
  readonly amount_sompi: string;
  readonly received_sompi: string;
  readonly fee_sompi: string;
  readonly memo: string;
  /** Milliseconds of the proof alone, without the building of keys. */
  readonly proveMs: number;
  /** Milliseconds of verifying it once. */
  readonly verifyMs: number;
  /** Blocks of the chain at the end. */
  readonly blocks: number;
};

/** Arguments of the demo. */
export type DemoRun = {
  readonly options: DemoOptions;
  /** Gets a sentence for each step. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
};

type Stage = {
  readonly run: DemoRun;
  readonly core: CoreGlue;
  readonly profileJson: string;
  readonly prover: ProverThread;
  /** Mines and pays. */
  readonly alice: WalletKit;
  /** Is paid. */
  readonly bob: WalletKit;
};

/** Runs the demo and cleans up after it. Rejects with the code of whatever stands in its way. */
export async function runDemo(run: DemoRun): Promise<DemoResult> {
  const core = await loadCoreFile();
  const profileJson = callCore(() => core.builtInProfile(PROFILE));
  const prover = new ProverThread({ ...run.options, cacheFolder: null });
  const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
  const owner = () => new WalletKit(parts, new Secret(callCore(() => core.generateSeed())));
  const stage: Stage = { run, core, profileJson, prover, alice: owner(), bob: owner() };
  try {
    // What was typed is checked before anything is started, as a wallet's form does.
    const { amount, memo } = run.options;
    const payee = stage.alice.readPayee({ address: stage.bob.address, amount, memo });
    return await withNode(run, (node) => play(stage, node, payee));
  } finally {
    await Promise.all([stage.alice.close(), stage.bob.close(), prover.stop()]);
  }
}

/** Runs a node in a folder that is gone afterwards. */
function withNode<T>(run: DemoRun, use: (node: RunningNode) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    run.say("starting a node on a network of its own");
    const node = await startNode({
      network: { name: PROFILE },
      appdir: folder,
      resetDb: false,
      archival: false,
      shieldedHistory: false,
      confirmed: false,
      index: "off",
      indexDays: null,
      grpc: null,
      http: { host: LOOPBACK, port: 0 },
      httpRules: OWN_PAGES,
      peers: null,
      unsafeRpc: false,
      pages: null,
      mining: null,
      allowUnsyncedMining: true,
      proofs: { prover: run.options.prover, threads: run.options.proofThreads },
      clock: systemClock,
      log: createLog("warn"),
    });
    try {
      return await use(node);
    } finally {
      await node.stop();
    }
  });
}

async function play(stage: Stage, node: RunningNode, payee: Payee): Promise<DemoResult> {
  const { run, prover, alice, bob } = stage;
  const { signal } = run;
  const warm = prover.warm();
  // If something else fails first, that is the error to report.
  warm.catch(() => undefined);
  const http = new HttpNode(node.httpAddress ?? "");
  const payer = await alice.open(http, signal);
  const receiver = await bob.open(http, signal);
  const mine = () => mineBlock(node, decodeHex(alice.recipient), signal);
  run.say("mining until the first coins can be spent");
  await mineUntilSpendable(alice, payer, mine, signal);
  planPayment(payer.state, alice.policy, [payee]);
  run.say("building the proving and verifying keys");
  await abortable(Promise.all([warm, node.keysReady]), signal);
  const request = { id: randomUUID(), payees: [payee], maxFee: null, recoverable: false };
  run.say(`proving a payment of ${formatCoins(payee.value)} coins`);
  const payment = await sendPayment(alice.sendParts(), request, progressIn(run), signal);
  if (payment.status.state !== "mempool") throw refusal(payment);
  run.say("mining it");
  const row = await mineUntilReceived(receiver, payment, mine, signal);
  await payer.catchUp(signal);
  const { daaScore, chainIndex } = await http.tip(signal);
  const format = bundleFormat(stage.profileJson, daaScore);
  await prover.verify(stage.profileJson, decodeHex(payment.raw ?? ""), format);
  const result = {
    txid: row.txid,
    amount_sompi: String(payee.value),
    received_sompi: String(row.amount),
    fee_sompi: String(payment.fee),
    memo: memoText(row),
    proveMs: prover.proveMs,
    verifyMs: prover.verifyMs,
    blocks: Number(chainIndex),
  };
  checkResult(result, run.options.memo);
  return result;
}

async function mineBlock(
  { api }: RunningNode,
  payScript: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const block = await api.template({ payScript, extraData: new Uint8Array() }, signal);
  const outcome = await api.submitBlock(block, signal);
  if (outcome.kind !== "accepted") throw unexpected(`a block was ${outcome.kind}`);
}

async function mineUntilSpendable(
  wallet: WalletKit,
  sync: WalletSync,
  mine: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let mined = 0; mined < MOST_BLOCKS; mined += 1) {
    throwIfAborted(signal);
    await mine();
    await sync.catchUp(signal);
    const { notes } = spendability(sync.state, wallet.policy);
    if (notes.some(({ standing }) => standing === "spendable")) return;
  }
  throw unexpected("no mined note became spendable");
}

/** A payment is applied by the block after the one that carries it. */
async function mineUntilReceived(
  sync: WalletSync,
  payment: Payment,
  mine: () => Promise<void>,
  signal: AbortSignal,
): Promise<HistoryRow> {
  for (let mined = 0; mined < MOST_BLOCKS; mined += 1) {
    throwIfAborted(signal);
    await mine();
    await sync.catchUp(signal);
    const row = sync.state.history.find(({ txid }) => txid === payment.txid);
    if (row !== undefined) return row;
  }
  throw unexpected("the payment did not reach the second wallet");
}

/** Says each tenth of a stage once. */
function progressIn({ say }: DemoRun): ProveProgress {
  let said = "";
  return (stage, fraction) => {
    const text = `${stage} ${Math.floor(Math.min(fraction, 1) * 10) * 10} %`;
    if (text !== said) say(text);
    said = text;
  };
}

function memoText({ memo }: HistoryRow): string {
  const read = readMemo(memo);
  return read.kind === "text" ? read.text : read.kind === "empty" ? "" : read.hex;
}

function checkResult(result: DemoResult, memo: string): void {
  if (result.received_sompi !== result.amount_sompi) {
    throw unexpected(`${result.received_sompi} arrived instead of ${result.amount_sompi}`);
  }
  if (result.memo !== memo) throw unexpected("another memo arrived");
}

function refusal(payment: Payment): SvcError {
  const { status } = payment;
  const error = "lastError" in status ? status.lastError : null;
  return error === null ? unexpected(`the payment is ${status.state}`) : SvcError.fromJson(error);
}

function unexpected(message: string): SvcError {
  return new SvcError("internal/unexpected", { message });
}
