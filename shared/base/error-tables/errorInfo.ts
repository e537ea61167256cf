/** The row type of the error registry, and constructors for the few shapes most codes share. */

/** The penalty of a peer that causes the error. */
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
  /** The reason that ends a link, where the reference knows one by name and takes it for no fault. */
  readonly peer?: string;
};

/** An error of the caller: 400 unless said otherwise, nobody is punished. */
export function caller(sentence: string, http = 400): ErrorInfo {
  return { http, retryable: false, penalty: "none", log: "debug", sentence };
}

/** An error of bytes that do not decode: an honest peer never sends them. */
export function malformed(sentence: string): ErrorInfo {
  return { http: 400, retryable: false, penalty: "major", log: "info", sentence };
}

/** An error of a block or transaction that breaks a rule for ever. */
export function ruleBroken(sentence: string, penalty: PeerPenalty = "ban"): ErrorInfo {
  return { http: 422, retryable: false, penalty, log: "info", sentence };
}

/** An error that depends on the chain of the moment: honest peers run into it. */
export function notNow(sentence: string, retryable = true): ErrorInfo {
  return { http: 409, retryable, penalty: "none", log: "debug", sentence };
}

/** Not found: the requested thing does not exist here. */
export function missing(sentence: string, http = 404): ErrorInfo {
  return { http, retryable: false, penalty: "none", log: "debug", sentence };
}

/** An error that a bound of ours was reached; trying later helps. */
export function busy(sentence: string, http = 503): ErrorInfo {
  return { http, retryable: true, penalty: "none", log: "warn", sentence };
}

/**
 * An error of a slow peer: a peer on a bad line causes it now and then, one that means ill again and
 * again, so the faults add up.
 */
export function tooSlow(sentence: string): ErrorInfo {
  return { http: 503, retryable: true, penalty: "minor", log: "debug", sentence };
}

/** An error for the operator: the machine must be helped, such as disk, ports, files. */
export function operator(sentence: string): ErrorInfo {
  return { http: 500, retryable: false, penalty: "none", log: "error", sentence };
}

/** A defect of ours. */
export function defect(sentence: string): ErrorInfo {
  return { http: 500, retryable: false, penalty: "none", log: "error", sentence };
}
