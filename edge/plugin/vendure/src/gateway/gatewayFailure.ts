/** Why a call to the gateway came to nothing, by what its caller may do next. */
export type FailureKind =
  /** Nobody answered, or the gateway is busy: the call may be made again; whether this one did anything is not known. */
  | "unreachable"
  /** The gateway understood and will not do it: the same call fails again. */
  | "refused"
  /** The idempotency key was used for another request. */
  | "conflict"
  /** The gateway does not know the invoice. */
  | "missing"
  /** An answer that is not the gateway's: a proxy's page, a redirect, another program. */
  | "unexpected";

/** A call to the gateway that came to nothing. Its message is for the log and holds no secret. */
export class GatewayFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.name = "GatewayFailure";
    this.kind = kind;
  }
}
