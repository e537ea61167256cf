/** Runs the prove worker: started when needed, ended when idle, killed to cancel. */
import { transfer } from "comlink";
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import type { ProvedPayment, ProveProgress, ProverPort } from "@svc/shared/wallet/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/provePlan.ts";
import type { ProveStep, ProveWorkerApi } from "../workers/prove.worker.ts";
import { spawned, type Spawned } from "./spawn.ts";
import { proverModule } from "./wasmModules.ts";

/** Implements the prover of `@svc/shared/wallet/ports.ts`. */
export class ProverHost implements ProverPort {
  #worker: Promise<Spawned<ProveWorkerApi>> | null = null;
  #users = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** Begins to build the keys. Failures show when a payment needs them. */
  warm(): void {
    this.#users += 1;
    this.#start()
      .then(({ api, died }) => Promise.race([api.warm(), died]))
      .catch(ignore)
      .finally(() => this.#rest());
  }

  async prove(
    plan: ProvePlan,
    progress: ProveProgress,
    signal: AbortSignal,
  ): Promise<ProvedPayment> {
    throwIfAborted(signal);
    const onAbort = () => this.stop();
    signal.addEventListener("abort", onAbort, { once: true });
    this.#users += 1;
    try {
      const worker = await abortable(this.#start(), signal);
      return await this.#proveOn(worker, JSON.stringify(plan), progress, signal);
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#rest();
    }
  }

  /** Ends the worker and with it whatever it does. */
  stop(): void {
    clearTimeout(this.#idle);
    this.#worker?.then((worker) => worker.stop(), ignore);
    this.#worker = null;
  }

  async #proveOn(
    { api, died }: Spawned<ProveWorkerApi>,
    plan: string,
    progress: ProveProgress,
    signal: AbortSignal,
  ): Promise<ProvedPayment> {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", ({ data }: MessageEvent<ProveStep>) =>
      progress(data.stage, data.fraction),
    );
    port1.start();
    const proving = api.prove(plan, transfer(port2, [port2]));
    const parts = await abortable(Promise.race([proving, died]), signal);
    port1.close();
    return { ...parts, finalize: (signatures) => Promise.race([api.finalize(signatures), died]) };
  }

  #start(): Promise<Spawned<ProveWorkerApi>> {
    clearTimeout(this.#idle);
    if (this.#worker !== null) return this.#worker;
    const starting = this.#spawn();
    this.#worker = starting;
    const forget = () => {
      if (this.#worker === starting) this.#worker = null;
    };
    starting.then(({ died }) => died, ignore).catch(forget);
    starting.catch(forget);
    return starting;
  }

  async #spawn(): Promise<Spawned<ProveWorkerApi>> {
    const module = await proverModule();
    const worker = spawned<ProveWorkerApi>(
      new Worker(new URL("../workers/prove.worker.ts", import.meta.url), {
        type: "module",
        name: "prove",
      }),
    );
    await Promise.race([worker.api.init(module), worker.died]);
    return worker;
  }

  /** One user less; the last one arms the idle timer. */
  #rest(): void {
    this.#users -= 1;
    clearTimeout(this.#idle);
    if (this.#users === 0) this.#idle = setTimeout(() => this.stop(), LIMITS.proverIdleMs);
  }
}

function ignore(): void {
  // The same failure is met, and told, by the payment that needs the prover.
}
