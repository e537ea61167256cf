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
  /** deliveries. Under way at once; more wait. A receiver that hangs takes one place for the time of a try. */
  webhookConcurrency: 8,
  /** ms. Pause after the first try that failed; each further one is five times as long. */
  webhookRetryFirstMs: 10_000,
  /** ms. Longest of those pauses. */
  webhookRetryLongestMs: 43_200_000,
  /** percent. How much earlier or later than that a try is made, drawn anew each time: receivers that come back are not overrun. */
  webhookJitterPercent: 20,
  /** ms. A delivery that fails this long after it was made is a dead letter: three days. */
  webhookGiveUpMs: 259_200_000n,
  /** ms. Longest pause between two looks at the queue of deliveries. */
  webhookLookMs: 60_000,
} as const;
