/** Messages between a program and its scan threads. */
import type { RpcReport, RpcRequest } from "../platform/thread/threadRpc.ts";

/** A kind of viewing keys: full ones of 96 bytes, or incoming ones of 64. */
export type KeyKind = "full" | "incoming";

/** One page for one set of viewing keys. */
export type ScanCall = {
  /** Names the keys among those of their kind: a thread prepares them once and uses them for every page that names them. */
  readonly set: number;
  readonly kind: KeyKind;
  /** The viewing keys, one behind the other; at most `keysPerSetMost`. */
  readonly keys: Uint8Array;
  /** Body of a container of records (formats 2), and how many there are. */
  readonly body: Uint8Array;
  readonly count: number;
};

/** Messages to a scan thread. */
export type ScanRequest = RpcRequest<{ readonly call: ScanCall }>;

/** Messages from a scan thread: the facts of the scan as JSON (formats 5). */
export type ScanReport = RpcReport<{ readonly json: string }>;

/** The start parameters of a scan thread: the network profile as canonical JSON. */
export type ScanWorkerData = { readonly profileJson: string };
