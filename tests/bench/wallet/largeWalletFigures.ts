/** Figures of a wallet with 62,000 notes: opening, a payment of 88 notes planned in one call, witnesses, status. */
import { randomBytes } from "node:crypto";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { statusOf } from "@svc/node-server/walletd/http/statusHandlers.ts";
import { asWalletToken } from "@svc/node-server/walletd/keys/walletToken.ts";
import { ProofQueue, type QueuedProver } from "@svc/node-server/walletd/spend/proofQueue.ts";
import { SpendService } from "@svc/node-server/walletd/spend/spendService.ts";
import type { OpenWallet } from "@svc/node-server/walletd/wallets/openWallet.ts";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { feeOf } from "@svc/shared/wallet/plan/settle.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import { writeLargeWallet } from "../../fixtures/wallets/largeWallet.ts";
import { StillNode } from "../../fixtures/wallets/stillNode.ts";
import { payAddressOf } from "../../network/testkit/nodeMiner.ts";
import { openBenchDaemon, openedAtTip, type BenchDaemon } from "./benchDaemon.ts";
import type { BenchOptions } from "../run/bench.ts";
import type { WalletScene } from "./walletScene.ts";

const NOTES = 62_000;
const WITNESSES = 38;
const PAID_NOTES = 88;
const PAYEE = 9;
const TOKEN = asWalletToken("large");

/** All samples, in milliseconds. */
export type LargeWalletFigures = {
  readonly openMs: readonly number[];
  readonly witnessMs: readonly number[];
  readonly planMs: readonly number[];
  readonly statusMs: readonly number[];
  /** Notes of each transaction that the payment was planned over. */
  readonly planned: readonly number[];
};

/** Measures in rounds, each over a daemon that has just opened the wallet. */
export async function measureLargeWallet(
  scene: WalletScene,
  { rounds }: Pick<BenchOptions, "rounds">,
): Promise<LargeWalletFigures> {
  const { core, profile } = scene;
  const path = scene.newFolder();
  const large = await writeLargeWallet({ core, profile, path, token: TOKEN, notes: NOTES });
  const node = new StillNode(core, large);
  const daemon = await openBenchDaemon({ core, profile, path, node, most: 10 });
  const figures = { openMs: times(), witnessMs: times(), planMs: times(), statusMs: times() };
  let planned: readonly number[] = [];
  try {
    daemon.daemon.start();
    for (let round = 0; round < rounds; round += 1) {
      figures.openMs.push(await timed(() => daemon.daemon.wallets.open(TOKEN)));
      const [open] = await openedAtTip(daemon, [TOKEN]);
      if (open === undefined) throw new Error("there is a wallet");
      figures.statusMs.push(await timed(async () => statusOf(daemon.daemon, open)));
      figures.witnessMs.push(await timed(async () => witnesses(daemon, open, round)));
      const plan = await plannedPayment(daemon, open);
      figures.planMs.push(plan.ms);
      planned = plan.notes;
      await daemon.daemon.wallets.drop(TOKEN);
    }
    return { ...figures, planned };
  } finally {
    await daemon.stop();
  }
}

function times(): number[] {
  return [];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The root, and the paths of notes from all over the tree, other ones in each round. */
function witnesses({ daemon }: BenchDaemon, open: OpenWallet, round: number): void {
  const { preferred } = spendability(open.state, daemon.policy);
  if (preferred === null) throw new Error("there is an anchor");
  const step = Math.floor(NOTES / WITNESSES);
  const { tree } = open;
  tree.root(preferred.leafEnd);
  for (let number = 0; number < WITNESSES; number += 1) {
    const note = open.state.notes[number * step + round];
    if (note !== undefined) tree.path(note.position, preferred.leafEnd);
  }
}

/** From the call to the notes of all transactions being held; nothing is proved, and the notes are free again. */
async function plannedPayment(
  { core, folder, store, node, profileJson, daemon }: BenchDaemon,
  open: OpenWallet,
): Promise<{ readonly ms: number; readonly notes: readonly number[] }> {
  const proofs = new ProofQueue({ provers: [new StandingProver()], clock: systemClock });
  const { wallets, policy } = daemon;
  const service = new SpendService({
    ...{ core, folder, store, wallets, policy, proofs, node },
    signerFor: () => ({ sign: () => Promise.reject(new SvcError("wallet/cancelled", {})) }),
    profile: JSON.parse(profileJson),
    clock: systemClock,
    log: createLog("warn"),
    newId: () => encodeHex(randomBytes(16)),
    consolidateAbove: null,
  });
  const value = open.state.notes[0]?.value ?? 0n;
  // The fees of three transactions take a part of the last note.
  const amount = BigInt(PAID_NOTES) * value - 3n * feeOf(policy.maxSpends, 2, 0n);
  const held = Promise.withResolvers<void>();
  const end = open.subscribe(({ outbox }) => {
    if (outbox.length > 0 && outbox.every(({ reserved }) => reserved.length > 0)) held.resolve();
  });
  const begun = performance.now();
  const request = { to: payAddressOf(PAYEE), amount };
  const call = { key: null, isAsync: true };
  const reply = await service.send(open, request, call, new AbortController().signal);
  await held.promise;
  const ms = performance.now() - begun;
  end();
  const notes = open.state.outbox.map(({ reserved }) => reserved.length);
  if (reply.kind === "job") await service.cancel(open.token, reply.id);
  await service.stop();
  return { ms, notes };
}

/** Proves nothing, and waits. */
class StandingProver implements QueuedProver {
  async prove(...[, , signal]: Parameters<QueuedProver["prove"]>): Promise<never> {
    await untilAborted(signal);
    throw new SvcError("run/aborted", {});
  }

  async warm(): Promise<void> {}

  async stop(): Promise<void> {}
}
