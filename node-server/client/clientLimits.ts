/** Limits of a program that asks a node over its RPC API: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const CLIENT_LIMITS = {
  /** ms. How long a gRPC client waits for an answer; beyond it the call is rejected and the stream stays. */
  grpcCallMs: 60_000,
  /** fields. In an answer that a wallet asked for: 2,000 payments and what is beside them; one with more ends the stream. */
  grpcAnswerFields: 16_384,
  /** bytes. What a node sends a wallet that answers no call, since the last that did; with more the stream ends. */
  grpcUnaskedBytes: 67_108_864,
} as const;
