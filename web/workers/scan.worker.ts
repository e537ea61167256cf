/** Entry of a scan worker, a web worker that trial-decrypts pages of scan records with the viewing key; no network, no store. */
import "../threads/disposePolyfill.ts";
import { expose } from "comlink";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawScanner } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCore } from "@svc/shared/core/loadCore.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import * as glue from "../../wasm-core/pkg/core/core.js";
import { installRpcErrors } from "../threads/rpcErrors.ts";

installRpcErrors();
let scanner: RawScanner | null = null;

const api = {
  /** Makes the scanner of one wallet. */
  init(core: WebAssembly.Module, profileJson: string, viewingKey: Uint8Array): void {
    const { Scanner } = loadCore(glue, core);
    scanner = callCore(() => new Scanner(profileJson, viewingKey));
  },
  /** Scan facts of `count` records, as JSON. */
  scan(body: Uint8Array, count: number): string {
    const ready = scanner;
    if (ready === null) throw new SvcError("wallet/locked", {});
    return callCore(() => ready.scanRecords(body, count));
  },
};

/** The calls of a scan worker. */
export type ScanWorkerApi = typeof api;

expose(api);
