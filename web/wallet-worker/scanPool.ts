/** Worker pool for trial decryption: a page is split at record boundaries, scanned in parallel, and the results are joined. */
import { transfer } from "comlink";
import { abortable } from "@svc/shared/base/abort.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { recordHeads } from "@svc/shared/protocol/http/recordHeads.ts";
import type { RecordPage, ScanPort } from "@svc/shared/wallet/state/ports.ts";
import { readScanFacts, type ScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import type { ScanWorkerApi } from "../workers/scan.worker.ts";
import { spawned, type Spawned } from "../threads/spawn.ts";

/** What each scan worker is initialised with. */
export type ScanKeys = {
  readonly core: WebAssembly.Module;
  readonly profileJson: string;
  readonly viewingKey: Uint8Array;
};

/** Implements the scanner of `@svc/shared/wallet/state/ports.ts`. Workers start when they are needed. */
export class ScanPool implements ScanPort {
  readonly #keys: ScanKeys;
  readonly #workers: (Promise<Spawned<ScanWorkerApi>> | undefined)[] = [];
  readonly #size: number;

  constructor(keys: ScanKeys, cores: number) {
    this.#keys = keys;
    this.#size = Math.min(Math.max(1, cores - 1), PAGE_LIMITS.scanWorkersMax);
  }

  async scan(page: RecordPage, signal: AbortSignal): Promise<ScanFacts> {
    const jobs = cut(page, this.#size);
    const scans = jobs.map(({ body, count }, index) => this.#scanOn(index, body, count));
    return joinFacts(await abortable(Promise.all(scans), signal));
  }

  /** Ends every worker; the next scan starts new ones. */
  stop(): void {
    for (const worker of this.#workers.splice(0)) {
      worker?.then(
        (running) => running.stop(),
        () => undefined,
      );
    }
  }

  async #scanOn(index: number, body: Uint8Array<ArrayBuffer>, count: number): Promise<ScanFacts> {
    const { api, died } = await (this.#workers[index] ?? this.#begin(index));
    const json = await Promise.race([api.scan(transfer(body, [body.buffer]), count), died]);
    return readScanFacts(json);
  }

  /** Starts the worker of a place and forgets it when it dies: a record it refuses does not end it. */
  #begin(index: number): Promise<Spawned<ScanWorkerApi>> {
    const starting = this.#start();
    this.#workers[index] = starting;
    starting
      .then(({ died }) => died)
      .catch(() => {
        if (this.#workers[index] === starting) this.#workers[index] = undefined;
      });
    return starting;
  }

  async #start(): Promise<Spawned<ScanWorkerApi>> {
    const worker = spawned<ScanWorkerApi>(
      new Worker(new URL("../workers/scan.worker.ts", import.meta.url), {
        type: "module",
        name: "scan",
      }),
    );
    const { core, profileJson, viewingKey } = this.#keys;
    await Promise.race([worker.api.init(core, profileJson, viewingKey), worker.died]);
    return worker;
  }
}

type Job = { readonly body: Uint8Array<ArrayBuffer>; readonly count: number };

/** At most `workers` jobs of consecutive records, about equal in number. */
function cut(page: RecordPage, workers: number): readonly Job[] {
  const jobs = Math.min(workers, Math.ceil(page.count / PAGE_LIMITS.scanRecordsPerJob));
  if (jobs <= 1) return [{ body: page.body.slice(), count: page.count }];
  const lengths = recordHeads(page.body, page.count).map(({ length }) => length);
  const share = Math.ceil(page.count / jobs);
  const parts: Job[] = [];
  let offset = 0;
  for (let from = 0; from < lengths.length; from += share) {
    const part = lengths.slice(from, from + share);
    const end = part.reduce((sum, length) => sum + length, offset);
    parts.push({ body: page.body.slice(offset, end), count: part.length });
    offset = end;
  }
  return parts;
}

function joinFacts(parts: readonly ScanFacts[]): ScanFacts {
  return {
    blocks: parts.flatMap(({ blocks }) => blocks),
    cmx: parts.map(({ cmx }) => cmx).join(""),
  };
}
