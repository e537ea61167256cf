/** Maps the gRPC library's refusals of a peer's messages to errors of that peer. */
import { status } from "@grpc/grpc-js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";

/** The status with which the library ended a stream. */
export type StreamStatus = {
  readonly code?: number | null | undefined;
  readonly details?: string | null | undefined;
};

/** Which side of a stream this is: the library says the same of both sides, and passes on what the other side's library said. */
export type FaultSide = {
  /** Whether this side dialled. */
  readonly isOutbound: boolean;
  /** Bytes that this side takes in a message. */
  readonly max: number;
};

const DIALLER_WORDS =
  /Failed to decompress \w+-encoded message|Received compressed message but|Compression method not supported/;
const LISTENER_WORDS =
  /Failed to decompress message|Received message compressed with unsupported encoding/;

/**
 * The error of the peer that a status stands for: `p2p/message-too-large` or `p2p/bad-message` for what the library refused of
 * the peer; null for every other end, what the peer refused of ours too.
 */
export function faultOf({ code, details }: StreamStatus, side: FaultSide): SvcError | null {
  const text = details ?? "";
  const { isOutbound, max } = side;
  if (code === status.RESOURCE_EXHAUSTED) {
    const [, length = "", bound = ""] = /larger than max \((\d+) vs (\d+)\)/.exec(text) ?? [];
    const [, inflated = ""] = /decompresses to a size larger than (\d+)/.exec(text) ?? [];
    if (bound !== String(max) && inflated !== String(max)) return null;
    return new SvcError("p2p/message-too-large", {
      message: "any",
      length: length || max + 1,
      max,
    });
  }
  const words = isOutbound ? DIALLER_WORDS : LISTENER_WORDS;
  return words.test(text) ? badField("message", "it is compressed wrongly") : null;
}
