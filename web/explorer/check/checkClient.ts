/** Client of the check worker: the worker and the core are loaded when the first check is asked for, and kept for the next. */
import { proxy, type Remote } from "comlink";
import { coreModule } from "../../node/wasmModules.ts";
import { installRpcErrors } from "../../threads/rpcErrors.ts";
import { spawned, type Spawned } from "../../threads/spawn.ts";
import type { CheckApi } from "./checkCalls.ts";
import { restSource } from "./checkSource.ts";

/** Workers by the address that they check. */
const running = new Map<string, Promise<Spawned<CheckApi>>>();
let isInstalled = false;

/**
 * Runs one check in the worker for the REST interface at `apiBase`. Rejects as the check does, and with `wallet/worker-failed`; the
 * next check starts anew then.
 */
export async function runCheck<R>(
  apiBase: string,
  check: (api: Remote<CheckApi>) => Promise<R>,
): Promise<R> {
  const { api, died } = await workerOf(new URL(apiBase, location.href).href);
  return Promise.race([check(api), died]);
}

function workerOf(apiBase: string): Promise<Spawned<CheckApi>> {
  const known = running.get(apiBase);
  if (known !== undefined) return known;
  const starting = start(apiBase);
  running.set(apiBase, starting);
  const forget = () => {
    if (running.get(apiBase) === starting) running.delete(apiBase);
  };
  starting.then(({ died }) => died).catch(forget);
  return starting;
}

async function start(apiBase: string): Promise<Spawned<CheckApi>> {
  if (!isInstalled) installRpcErrors();
  isInstalled = true;
  const module = await coreModule();
  const worker = spawned<CheckApi>(
    new Worker(new URL("./check.worker.ts", import.meta.url), { type: "module", name: "check" }),
  );
  try {
    await Promise.race([worker.api.open(module, proxy(restSource(apiBase))), worker.died]);
  } catch (error) {
    worker.stop();
    throw error;
  }
  return worker;
}
