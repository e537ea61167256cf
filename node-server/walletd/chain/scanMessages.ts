/** Messages between the daemon and a scan thread. */
import type { RpcReport, RpcRequest } from "../../platform/thread/threadRpc.ts";

/** One page for one set of viewing keys. */
export type ScanCall = {
  /** Names the keys: a thread prepares them once and uses them for every page that names them. */
  readonly set: number;
  /** The full viewing keys, 96 bytes each, one behind the other; at most `scanKeysPerSet`. */
  readonly keys: Uint8Array;
  /** Body of a container of records (formats 2), and how many there are. */
  readonly body: Uint8Array;
  readonly count: number;
};

/** Messages to a scan thread. */
export type ScanRequest = RpcRequest<{ readonly call: ScanCall }>;

/** Messages from a scan thread: the scan's facts as JSON (formats 5). */
export type ScanReport = RpcReport<{ readonly json: string }>;

/** The start parameters of a scan thread: the network profile as canonical JSON. */
export type ScanWorkerData = { readonly profileJson: string };
