/** Lifecycle of the web workers that the wallet worker starts. */
import { releaseProxy, wrap, type Remote } from "comlink";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { workerFault } from "./ownFile.ts";

/** A running worker and its calls. */
export type Spawned<Api> = {
  readonly api: Remote<Api>;
  /** Rejects when the worker dies by itself or is stopped: nothing that races with it waits on. */
  readonly died: Promise<never>;
  stop(): void;
};

/** Wraps a worker just made by another worker. */
export function spawned<Api>(worker: Worker): Spawned<Api> {
  const api = wrap<Api>(worker);
  let fail: (error: SvcError) => void = () => undefined;
  const died = new Promise<never>((_, reject) => {
    fail = reject;
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      void workerFault(event, location.href).then(reject);
    });
  });
  // Whoever waits for an answer races with it; nobody waiting is no fault.
  died.catch(() => undefined);
  return {
    api,
    died,
    stop() {
      api[releaseProxy]();
      worker.terminate();
      fail(new SvcError("wallet/worker-failed", { reason: "stopped" }));
    },
  };
}
