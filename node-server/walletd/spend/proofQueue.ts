/**
 * Proof queue: a few provers shared by all wallets. Each wallet that waits gets its turn, however many proofs another one asked
 * for before; a wallet that is alone has all provers.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ProverPort, ProveProgress } from "@svc/shared/wallet/state/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import type { HeldPayment, ProverThread } from "../../proving/proverThread.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { ProvingPace } from "./provingPace.ts";

/** A prover of the queue. A thread that dies is replaced with its next call. */
export type QueuedProver = Pick<ProverThread, "prove" | "warm" | "stop">;

/** Dependencies of the queue. */
export type ProofQueueParts = {
  /** One for each proof that may be made at the same time. */
  readonly provers: readonly QueuedProver[];
  readonly clock: Pick<Clock, "steadyMs">;
};

type Waiting = (prover: QueuedProver) => void;

/** The number of provers for a machine with this many cores, unless its owner says otherwise. */
export function proversFor(cores: number): number {
  return Math.max(1, Math.min(WALLETD_LIMITS.spendProofsAtOnce, cores));
}

/** Makes the proofs of all wallets. */
export class ProofQueue {
  /** How fast proofs are made. */
  readonly pace = new ProvingPace();
  readonly #parts: ProofQueueParts;
  readonly #free: QueuedProver[];
  /** Those that wait, by wallet; the first wallet's turn comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;

  constructor(parts: ProofQueueParts) {
    this.#parts = parts;
    this.#free = [...parts.provers];
  }

  /** Proofs that wait for a prover. */
  get waiting(): number {
    return this.#count;
  }

  /** Proofs that are being made. */
  get proving(): number {
    return this.#parts.provers.length - this.#free.length;
  }

  /** The prover as one wallet uses it. It rejects with `queue/full`, `run/aborted`, and like `ProverThread.prove`. */
  proverFor(wallet: string): ProverPort {
    return { prove: (plan, progress, signal) => this.#prove(wallet, { plan, progress }, signal) };
  }

  /** Builds the keys of all provers, so that no payment waits for them. Resolves when those that can have them. */
  async warm(): Promise<void> {
    await Promise.allSettled(this.#parts.provers.map((prover) => prover.warm()));
  }

  /** Ends all provers at once. Harmless when repeated. */
  async stop(): Promise<void> {
    await Promise.all(this.#parts.provers.map((prover) => prover.stop()));
  }

  async #prove(
    wallet: string,
    { plan, progress }: { readonly plan: ProvePlan; readonly progress: ProveProgress },
    signal: AbortSignal,
  ): Promise<HeldPayment> {
    const prover = await this.#turnOf(wallet, signal);
    const { clock } = this.#parts;
    try {
      const startedMs = clock.steadyMs();
      const proved = await prover.prove(plan, progress, signal);
      this.pace.add(plan, clock.steadyMs() - startedMs);
      return proved;
    } catch (error) {
      // The thread may be gone: the one in its place has its keys before the next payment.
      if (!signal.aborted) prover.warm().catch(() => undefined);
      throw error;
    } finally {
      this.#free.push(prover);
      this.#next();
    }
  }

  #turnOf(wallet: string, signal: AbortSignal): Promise<QueuedProver> {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}, signal.reason));
    const limit = WALLETD_LIMITS.spendProofsWaiting;
    if (this.#count >= limit) {
      return Promise.reject(new SvcError("queue/full", { queue: "proofs", limit }));
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(wallet, start);
        reject(new SvcError("run/aborted", {}, signal.reason));
      };
      const start: Waiting = (prover) => {
        signal.removeEventListener("abort", leave);
        resolve(prover);
      };
      signal.addEventListener("abort", leave, { once: true });
      const queue = this.#waiting.get(wallet);
      if (queue === undefined) this.#waiting.set(wallet, [start]);
      else queue.push(start);
      this.#count += 1;
      this.#next();
    });
  }

  #remove(wallet: string, waiting: Waiting): void {
    const queue = this.#waiting.get(wallet);
    const at = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    this.#count -= 1;
    if (queue.length === 0) this.#waiting.delete(wallet);
  }

  #next(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const prover = this.#free.shift();
      if (prover === undefined) return;
      const [wallet, queue] = first;
      const start = queue.shift();
      // Whoever had a turn waits behind all others for the next one.
      this.#waiting.delete(wallet);
      if (queue.length > 0) this.#waiting.set(wallet, queue);
      this.#count -= 1;
      start?.(prover);
    }
  }
}
