/** Lifecycle of the prove worker and its shard workers: started when needed, ended when idle, killed to cancel. */
import { transfer } from "comlink";
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isFatal } from "@svc/shared/core/callCore.ts";
import type { ProvedPayment, ProveProgress, ProverPort } from "@svc/shared/wallet/state/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import type { ProveStep, ProveWorkerApi } from "../workers/prove.worker.ts";
import { readDerived, writeDerived } from "./store/derivedStore.ts";
import { workerFault } from "../threads/ownFile.ts";
import { provingWorkers, type ProvingChoice } from "../wallet-api/provingChoice.ts";
import { spawned, type Spawned } from "../threads/spawn.ts";
import { circuitAssets, proverModule, provingTag } from "../node/wasmModules.ts";

/** Implements the prover of `@svc/shared/wallet/state/ports.ts`. */
export class ProverHost implements ProverPort {
  readonly #choice: ProvingChoice;
  #worker: Promise<Spawned<ProveWorkerApi>> | null = null;
  #users = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(choice: ProvingChoice) {
    this.#choice = choice;
  }

  /** Starts the workers, makes their tables and has them practise. Failures show when a payment needs them. */
  warm(): void {
    this.#users += 1;
    this.#start()
      .then(({ api, died }) => Promise.race([practise(api), died]))
      .catch((error: unknown) => this.#discardBroken(error))
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
    } catch (error) {
      this.#discardBroken(error);
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#rest();
    }
  }

  /** Ends the workers and with them whatever they do. */
  stop(): void {
    clearTimeout(this.#idle);
    this.#worker?.then((worker) => worker.stop(), ignore);
    this.#worker = null;
  }

  /** An instance that trapped or computed wrong would fail every later payment, too. */
  #discardBroken(error: unknown): void {
    if (error instanceof SvcError && isFatal(error)) this.stop();
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
    const { prover, threads } = this.#choice;
    const size =
      prover === "upstream" ? 1 : (threads ?? provingWorkers(navigator.hardwareConcurrency));
    const tag = provingTag();
    const [module, assets, cache] = await Promise.all([
      proverModule(),
      circuitAssets(),
      readDerived(tag),
    ]);
    const group = spawnGroup(size - 1);
    const shards = group.ports;
    const setup = { prover, parts: { module, assets, cache }, shards };
    try {
      const made = group.prover.api.init(transfer(setup, [...shards]));
      const fresh = await Promise.race([made, group.prover.died]);
      if (fresh !== null && fresh.length > 0) void writeDerived(tag, fresh);
      return group.prover;
    } catch (error) {
      group.prover.stop();
      throw error;
    }
  }

  /** One user less; the last one arms the idle timer. */
  #rest(): void {
    this.#users -= 1;
    clearTimeout(this.#idle);
    if (this.#users === 0) this.#idle = setTimeout(() => this.stop(), PAGE_LIMITS.proverIdleMs);
  }
}

type Group = {
  /** Stopping it stops the shard workers, and when one of them dies it counts as dead. */
  readonly prover: Spawned<ProveWorkerApi>;
  /** Each leads to a shard worker. */
  readonly ports: readonly MessagePort[];
};

/** The prove worker and as many shard workers as asked for: all live or none. */
function spawnGroup(shardCount: number): Group {
  const prover = spawned<ProveWorkerApi>(
    new Worker(new URL("../workers/prove.worker.ts", import.meta.url), {
      type: "module",
      name: "prove",
    }),
  );
  const lost = Promise.withResolvers<never>();
  const workers: Worker[] = [];
  let stopped = false;
  const ports = Array.from({ length: shardCount }, () => {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(new URL("../workers/shard.worker.ts", import.meta.url), {
      type: "module",
      name: "shard",
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      void workerFault(event, location.href).then(lost.reject);
    });
    worker.postMessage(port2, [port2]);
    workers.push(worker);
    return port1;
  });
  const stop = (): void => {
    for (const worker of workers) worker.terminate();
    // A released proxy cannot be released again.
    if (!stopped) prover.stop();
    stopped = true;
  };
  const died = Promise.race([prover.died, lost.promise]);
  died.catch(stop);
  return { prover: { api: prover.api, died, stop }, ports };
}

async function practise(api: Spawned<ProveWorkerApi>["api"]): Promise<void> {
  await api.warm();
  await api.rehearse();
}

function ignore(): void {
  // The same failure is met, and told, by the payment that needs the prover.
}
