/** Fixture of the staged import: engines in threads of their own on the small network, and the steps of an import. */
import { EngineHost } from "@svc/node-server/engine/host/engineHost.ts";
import type {
  EngineReport,
  EngineRequest,
  ProofJob,
} from "@svc/node-server/engine/calls/engineMessages.ts";
import type { EngineWorkerData } from "@svc/node-server/engine/host/engineWorker.ts";
import { StagedImport } from "@svc/node-server/engine/import/stagedImport.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { startBatchedThread } from "@svc/node-server/platform/thread/batchedThread.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawHeaders } from "@svc/shared/protocol/raw/rawHeaders.ts";
import { core, NOW_MS } from "./engineFixture.ts";
import type { ImportStep } from "./importFixture.ts";
import { smallNetwork } from "../node/smallNetwork.ts";

const profile = core.canonicalProfile(smallNetwork());
const never: AbortSignal = new AbortController().signal;

/** Proofs that were asked for, all of them taken as valid. */
export type Judged = ProofJob[];

/** Makes an engine over a folder, or in memory. */
export function smallEngine(
  root: string | null,
  judged: Judged = [],
  onFatal: (error: SvcError) => void = () => {},
): EngineHost {
  return new EngineHost({
    setBatchDelay: () => undefined,
    spawn: () =>
      startBatchedThread<EngineRequest, EngineReport>(
        new URL("../../../node-server/engine/host/engineWorker.ts", import.meta.url),
        { root, profile, archival: false } satisfies EngineWorkerData,
      ),
    judge: async (job) => {
      judged.push(job);
      return true;
    },
    log: createLog("silent"),
    onFatal,
  });
}

/** An import below a network's folder, started. */
export async function startStaged(
  root: string,
  { judged = [], clock = new ManualClock(NOW_MS) }: { judged?: Judged; clock?: ManualClock } = {},
): Promise<StagedImport> {
  const staged = new StagedImport({
    root,
    createEngine: (folder, onFatal) => smallEngine(folder, judged, onFatal),
    clock,
    log: createLog("silent"),
  });
  await staged.start();
  return staged;
}

/** Makes the calls of these steps. Blocks above the pruning point come as headers. */
export async function runStaged(
  staged: StagedImport,
  steps: readonly ImportStep[],
  signal: AbortSignal = never,
): Promise<void> {
  for (const { call, bytes: served } of steps) {
    // Buffers are handed over, and the fixture is used again.
    const bytes = served.slice();
    switch (call) {
      case "beginImport":
        await staged.proof(bytes, signal);
        break;
      case "importPoints":
        await staged.points(bytes, signal);
        break;
      case "importTrusted":
        await staged.trusted(bytes, signal);
        break;
      case "linkTrusted":
        await staged.link(signal);
        break;
      case "importBody":
        await staged.body(bytes, signal);
        break;
      case "above":
        await staged.insertHeaders(headerOf(bytes), NOW_MS, signal);
        break;
      case "bindingChild":
        await staged.bindingChild(signal);
        break;
      case "importBinding":
        await staged.binding(bytes, signal);
        break;
      case "importLanes":
        await staged.lanes(bytes, signal);
        break;
      case "importLanePage":
        await staged.lanePage(bytes, signal);
        break;
      case "importState":
        await staged.state(bytes, signal);
        break;
      case "importNullifiers":
        await staged.nullifiers(bytes, signal);
        break;
      case "finishImport":
        await staged.finish(signal);
        break;
      default:
        // Part of `proof`.
        if (call !== "importProof") throw new Error(`no call ${call}`);
    }
  }
}

function headerOf(raw: Uint8Array): Uint8Array {
  return encodeRawHeaders([{ header: decodeRawBlock(raw).header }]);
}
