/** Messages between the main thread and a reader thread. */
import type { AskCall } from "../calls/engineMessages.ts";
import type { PlainAnswer } from "../calls/engineQuestions.ts";
import type { RpcReport, RpcRequest } from "../../platform/thread/threadRpc.ts";

/** Messages to the reader thread. */
export type ReaderRequest = RpcRequest<{ readonly call: AskCall }>;

/** Messages from the reader thread. */
export type ReaderReport = RpcReport<{ readonly value: PlainAnswer }>;

/** The start parameters of a reader thread: the folder that holds `consensus/`, and the canonical profile. */
export type ReaderWorkerData = { readonly root: string; readonly profile: string };
