/** Messages between a proof pool and the threads of its shards. */
import type { ErrorJson } from "../base/svcError.ts";

/** The start parameters of a shard. */
export type ShardParts = {
  /** The compiled `prover` build. */
  readonly module: WebAssembly.Module;
  /** The circuit's description and parameters. */
  readonly assets: Uint8Array;
  /** Tables stored by an earlier start, if there are any. */
  readonly cache: Uint8Array | null;
};

/** Messages to a shard's thread. */
export type ShardRequest =
  | { readonly kind: "open"; readonly parts: ShardParts }
  | { readonly kind: "run"; readonly id: number; readonly task: Uint8Array }
  /** The proof at hand was given up. */
  | { readonly kind: "forget" };

/** Messages from a shard's thread. */
export type ShardReport =
  | { readonly kind: "opened" }
  | { readonly kind: "result"; readonly id: number; readonly result: Uint8Array }
  /** The task was refused; the shard goes on. */
  | { readonly kind: "refused"; readonly id: number; readonly error: ErrorJson }
  /** The shard is lost, or was never made. */
  | { readonly kind: "failed"; readonly error: ErrorJson };

/** The buffers of a message that are transferred instead of copied: results and tasks are the sender's own. */
export function movedBuffers(message: ShardRequest | ShardReport): ArrayBuffer[] {
  const bytes =
    message.kind === "run" ? message.task : message.kind === "result" ? message.result : null;
  // A view of a part would take the whole buffer with it.
  const whole = bytes !== null && bytes.byteLength === bytes.buffer.byteLength;
  return whole && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}
