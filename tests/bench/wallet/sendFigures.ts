/** Figures of payments: the phases of a call of `SpendService` that spends so many notes, and what it computes. */
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { ProofQueue, type QueuedProver } from "@svc/node-server/walletd/spend/proofQueue.ts";
import type { SpendService } from "@svc/node-server/walletd/spend/spendService.ts";
import type { OpenWallet } from "@svc/node-server/walletd/wallets/openWallet.ts";
import { feeOf, largestFirst } from "@svc/shared/wallet/plan/settle.ts";
import { notesStanding } from "@svc/shared/wallet/plan/planner.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import type { SignerPort } from "@svc/shared/wallet/state/ports.ts";
import { payAddressOf } from "../../network/testkit/nodeMiner.ts";
import { openedAtTip } from "./benchDaemon.ts";
import { benchSpends } from "./benchSpends.ts";
import { inTurns, type RoundPlan, type Rounds, type Sample } from "../run/rounds.ts";
import type { SceneDaemon, WalletScene } from "./walletScene.ts";

/** Notes of the payments that are measured. */
export const SENT_NOTES = [1, 4, 12, 38] as const;
/** Whose address is paid. */
const PAYEE = 9;

type Plan = Pick<RoundPlan, "rounds" | "longestMs" | "log"> & { readonly signal: AbortSignal };

/** Milliseconds by phase, of sides named `notes N`; `coreMs` is the processor time of this process meanwhile. */
export async function measureSends(scene: WalletScene, plan: Plan): Promise<Rounds> {
  const daemon = await scene.daemon(1);
  const watch = new PhaseWatch();
  const thread = new ProverThread({ prover: "own", proofThreads: null, cacheFolder: null });
  const queue = new ProofQueue({ provers: [watch.prover(thread)], clock: systemClock });
  const service = serviceOf(daemon, queue, watch);
  try {
    daemon.daemon.start();
    const [open] = await openedAtTip(daemon, daemon.tokens);
    if (open === undefined) throw new Error("there is a wallet");
    await queue.warm();
    const sides = SENT_NOTES.map((notes): [string, () => Promise<Sample>] => [
      `notes ${notes}`,
      () => sent({ service, watch, open, daemon }, notes, plan.signal),
    ]);
    // Keys are built and code is compiled with a payment that does not count.
    await sent({ service, watch, open, daemon }, 1, plan.signal);
    return await inTurns(Object.fromEntries(sides), { ...plan, warm: false });
  } finally {
    await service.stop();
    await queue.stop();
    await daemon.stop();
  }
}

function serviceOf(daemon: SceneDaemon, proofs: ProofQueue, watch: PhaseWatch): SpendService {
  return benchSpends(daemon, {
    proofs,
    signer: (signer) => watch.signer(signer),
    submit: (send) => watch.timed("submit", send),
  });
}

type Sending = {
  readonly service: SpendService;
  readonly watch: PhaseWatch;
  readonly open: OpenWallet;
  readonly daemon: SceneDaemon;
};

async function sent(
  { service, watch, open, daemon }: Sending,
  count: number,
  signal: AbortSignal,
): Promise<Sample> {
  const { policy } = daemon.daemon;
  const notes = notesStanding(spendability(open.state, policy), "spendable")
    .toSorted(largestFirst)
    .slice(0, count);
  const sum = notes.reduce((total, { value }) => total + value, 0n);
  const request = { to: payAddressOf(PAYEE), amount: sum - feeOf(count, 1, 0n) };
  watch.begin();
  const spent = process.cpuUsage();
  const reply = await service.send(open, request, { key: null, isAsync: false }, signal);
  const { user, system } = process.cpuUsage(spent);
  const sample = watch.end();
  if (reply.kind !== "answer") throw new Error("a payment was not sent");
  if (watch.spends !== count) throw new Error(`${watch.spends} notes were spent, not ${count}`);
  return { ...sample, coreMs: (user + system) / 1_000 };
}

/** Times the parts of one payment. */
class PhaseWatch {
  spends = 0;
  #begun = 0;
  #proving = 0;
  #phases = new Map<string, number>();

  begin(): void {
    this.#begun = performance.now();
    this.#phases = new Map();
  }

  /** `plan` ends where the prover is called; `rest` is what no phase names. */
  end(): Sample {
    const total = performance.now() - this.#begun;
    const plan = this.#proving - this.#begun;
    const named = [...this.#phases.values()].reduce((sum, ms) => sum + ms, plan);
    return { plan, ...Object.fromEntries(this.#phases), rest: total - named, total };
  }

  async timed<T>(phase: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#phases.set(phase, (this.#phases.get(phase) ?? 0) + performance.now() - begun);
    }
  }

  prover(thread: ProverThread): QueuedProver {
    return {
      prove: (plan, progress, signal) => {
        this.#proving = performance.now();
        this.spends = plan.spends.length;
        return this.timed("prove", () => thread.prove(plan, progress, signal));
      },
      warm: () => thread.warm(),
      stop: () => thread.stop(),
    };
  }

  signer(signer: SignerPort): SignerPort {
    return {
      sign: (intent, proved, signal) =>
        this.timed("sign", () => signer.sign(intent, proved, signal)),
    };
  }
}
