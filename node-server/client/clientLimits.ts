/** Limits of a program that asks a node over its RPC API: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const CLIENT_LIMITS = {
  /** ms. How long a gRPC client waits for an answer; beyond it the call is rejected and the stream stays. */
  grpcCallMs: 60_000,
} as const;
