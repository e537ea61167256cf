/** Node fixture: whole nodes on simnet, with ports chosen by the system and a manual clock. */
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { startNode, type NodeOptions, type RunningNode } from "@svc/node-server/app/node/node.ts";
import type { VerifyReport, VerifyRequest } from "@svc/node-server/engine/verify/verifyMessages.ts";
import { ManualClock, systemClock, type Clock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import type { Thread } from "@svc/node-server/platform/thread/thread.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { readTipFacts, type TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { NOW_MS } from "../engine/engineFixture.ts";

/**
 * A verifying thread that finds every proof valid, at once. For tests of everything but proofs: the recorded payments are
 * judged for real in `payments.test.ts`.
 */
export function trustingVerifier(): Thread<VerifyRequest, VerifyReport> {
  const exit = Promise.withResolvers<void>();
  let hear: (report: VerifyReport) => void = () => {};
  return {
    post: (request) => {
      if ("stop" in request) exit.resolve();
      else {
        const errors = request.jobs.map(() => null);
        queueMicrotask(() => hear({ kind: "verdicts", id: request.id, errors }));
      }
    },
    onMessage: (listener) => {
      hear = listener;
      queueMicrotask(() => listener({ kind: "ready" }));
    },
    onExit: () => {},
    end: () => exit.promise,
  };
}

/** Options of a quiet simnet node in `appdir`. */
export function testOptions(appdir: string | null, over: Partial<NodeOptions> = {}): NodeOptions {
  return {
    network: { name: "simnet" },
    appdir,
    resetDb: false,
    archival: false,
    shieldedHistory: false,
    confirmed: false,
    index: "off",
    indexDays: null,
    grpc: { port: 0 },
    http: { port: 0 },
    httpRules: OWN_PAGES,
    peers: null,
    unsafeRpc: false,
    pages: null,
    mining: null,
    allowUnsyncedMining: false,
    proofs: { prover: "own", threads: null },
    clock: new ManualClock(NOW_MS),
    log: createLog("silent"),
    // At full size every proof is judged for real.
    ...(IS_FULL ? {} : { spawnVerifier: trustingVerifier }),
    ...over,
  };
}

/** Starts a node with these options. */
export function startTestNode(
  appdir: string | null,
  over: Partial<NodeOptions> = {},
): Promise<RunningNode> {
  return startNode(testOptions(appdir, over));
}

/** Starts a node that judges every proof for real. */
export function startJudgingNode(
  appdir: string | null,
  over: Partial<NodeOptions> = {},
): Promise<RunningNode> {
  const { spawnVerifier: _, ...options } = testOptions(appdir, over);
  return startNode(options);
}

/** A signal that never fires. */
export const never: AbortSignal = new AbortController().signal;

/** The answer of `/v1/tip`. */
export async function fetchTip(node: RunningNode): Promise<Record<string, unknown>> {
  const response = await fetch(`${node.httpAddress}/v1/tip`);
  return { status: response.status, ...(await response.json()) };
}

/** Builds the next block on the node's own tip and hands it in; returns its hash. */
export async function mineOn(node: RunningNode, payScript: Uint8Array): Promise<string> {
  const block = await node.api.template({ payScript, extraData: new Uint8Array() }, never);
  const outcome = await node.api.submitBlock(block, never);
  if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
  return outcome.hash;
}

/** A clock that goes as fast as the machine's, from the time at which blocks are made here. */
export const runningClock: Clock = {
  nowMs: () => NOW_MS + BigInt(Math.floor(performance.now())),
  steadyMs: () => systemClock.steadyMs(),
  bootMs: () => systemClock.bootMs(),
  sleep: (ms, signal) => systemClock.sleep(ms, signal),
};

/** Where a node stands. */
export async function tipOf(node: RunningNode): Promise<TipFacts> {
  return readTipFacts(await node.api.ask("tip", []));
}

/** Resolves when a node's sink is this block. */
export async function untilSink(node: RunningNode, sink: string): Promise<void> {
  let news = Promise.withResolvers<void>();
  const end = node.api.onEvent(() => news.resolve());
  try {
    for (;;) {
      news = Promise.withResolvers();
      if ((await tipOf(node)).sink === sink) return;
      await news.promise;
    }
  } finally {
    end();
  }
}
