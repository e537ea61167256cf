/** The prove worker: makes one proof at a time; holds viewing keys only and has no network. */
import "./disposePolyfill.ts";
import { expose, transfer } from "comlink";
import { callCore } from "@svc/shared/core/callCore.ts";
import { loadProver } from "@svc/shared/core/loadCore.ts";
import type { ProverGlue, RawPayment, RawProver } from "@svc/shared/core/proverGlue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import * as glue from "../../wasm-core/pkg/prover/prover.js";
import type { ProvedParts } from "../keyring/keyringApi.ts";
import { installRpcErrors } from "./rpcErrors.ts";

installRpcErrors();
let core: ProverGlue | null = null;
let prover: RawProver | null = null;
let payment: RawPayment | null = null;

const api = {
  /** Loads the build. */
  init(module: WebAssembly.Module): void {
    core = loadProver(glue, module);
  },
  /** Builds the keys, which takes seconds; once. */
  warm(): void {
    const loaded = core;
    if (loaded === null) throw new SvcError("wallet/worker-failed", { reason: "no module" });
    prover ??= callCore(() => new loaded.Prover());
  },
  /** Proves a plan. Progress goes to the port while the call runs. */
  prove(planJson: string, progress: MessagePort): ProvedParts {
    api.warm();
    const ready = prover;
    if (ready === null) throw new SvcError("wallet/worker-failed", { reason: "no prover" });
    payment?.free();
    const proved = callCore(() =>
      ready.prove(planJson, (stage, fraction) => progress.postMessage({ stage, fraction })),
    );
    progress.close();
    payment = proved;
    const bundle = proved.bundle();
    const parts = { bundle, disclosure: proved.disclosure(), alphas: proved.alphas() };
    return transfer(parts, [bundle.buffer]);
  },
  /** Adds signatures to the last proof and gives the raw transaction. */
  finalize(signatures: string): Uint8Array {
    const proved = payment;
    if (proved === null) throw new SvcError("wallet/worker-failed", { reason: "no payment" });
    const raw = callCore(() => proved.finalize(signatures));
    proved.free();
    payment = null;
    return transfer(raw, [raw.buffer]);
  },
};

/** One step of a proof: the stage's name and how much of it is done. */
export type ProveStep = { readonly stage: string; readonly fraction: number };

/** The calls of the prove worker. */
export type ProveWorkerApi = typeof api;

expose(api);
