/** Limits of a program that asks a node over its RPC API: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const CLIENT_LIMITS = {
  /** ms. How long a gRPC client waits for an answer; beyond it the call is rejected and the stream stays. */
  grpcCallMs: 60_000,
  /** fields. In an answer that a wallet asked for, those of messages within included: a compact page of busy blocks; one with more ends the stream. */
  grpcAnswerFields: 65_536,
  /** bytes. What a node sends a wallet that answers no call, since the last that did; with more the stream ends. */
  grpcUnaskedBytes: 67_108_864,
  /** blocks. In a page asked of a node that serves compact records; half as many after a page that was too large, down to one. */
  compactPageBlocks: 256,
  /** blocks. Served by such a node and remembered, to find the common one when its chain changes; beyond it a wallet goes back an epoch. */
  compactServedBlocks: 512,
} as const;
