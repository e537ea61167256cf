/** What an error code means to those who meet it, and the few shapes most codes share. */

/** What a peer that causes the error is charged with. */
export type PeerPenalty = "none" | "minor" | "major" | "ban";

/** The level at which the error is logged where it ends. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** One row of the error registry. */
export type ErrorInfo = {
  /** Status of an HTTP answer. */
  readonly http: number;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  readonly penalty: PeerPenalty;
  readonly log: LogLevel;
  /** What a person reads; `{field}` is filled from the error's data. */
  readonly sentence: string;
  /** Text for gRPC clients where it must differ from the sentence; same slots. */
  readonly grpc?: string;
};

/** The caller wrote something wrong: 400 unless said otherwise, nobody is punished. */
export function caller(sentence: string, http = 400): ErrorInfo {
  return { http, retryable: false, penalty: "none", log: "debug", sentence };
}

/** Bytes that do not decode: an honest peer never sends them. */
export function malformed(sentence: string): ErrorInfo {
  return { http: 400, retryable: false, penalty: "major", log: "info", sentence };
}

/** A block or transaction that breaks a rule for ever. */
export function ruleBroken(sentence: string, penalty: PeerPenalty = "ban"): ErrorInfo {
  return { http: 422, retryable: false, penalty, log: "info", sentence };
}

/** Right or wrong depending on the chain of the moment: honest peers run into it. */
export function notNow(sentence: string, retryable = true): ErrorInfo {
  return { http: 409, retryable, penalty: "none", log: "debug", sentence };
}

/** What was asked for is not there. */
export function missing(sentence: string, http = 404): ErrorInfo {
  return { http, retryable: false, penalty: "none", log: "debug", sentence };
}

/** A bound of ours was reached; trying later helps. */
export function busy(sentence: string, http = 503): ErrorInfo {
  return { http, retryable: true, penalty: "none", log: "warn", sentence };
}

/** A peer on a bad line does it now and then, one that means ill again and again: the faults add up. */
export function tooSlow(sentence: string): ErrorInfo {
  return { http: 503, retryable: true, penalty: "minor", log: "debug", sentence };
}

/** The machine or the operator must be helped: disk, ports, files. */
export function operator(sentence: string): ErrorInfo {
  return { http: 500, retryable: false, penalty: "none", log: "error", sentence };
}

/** A defect of ours. */
export function defect(sentence: string): ErrorInfo {
  return { http: 500, retryable: false, penalty: "none", log: "error", sentence };
}
