/** Wire: the transport below a link, a stream of messages between two programs, whoever opened it. */
import type { SvcError } from "@svc/shared/base/svcError.ts";

/** The address of the other side. */
export type RemoteAddress = {
  /** An address: IPv4, or IPv6 without brackets; of an outbound wire through a proxy it may be a host name. */
  readonly ip: string;
  /** Of an outbound wire the port that was dialled; of an inbound one, a passing port. */
  readonly port: number;
};

/** The events of a wire. */
export type WireListener = {
  /** A message has arrived whole. */
  readonly onMessage: (bytes: Uint8Array) => void;
  /** Some of what was handed in has gone out. */
  readonly onSent: () => void;
  /** The wire is gone; told once, nothing comes after it. null when the other side ended it in good order. */
  readonly onClosed: (error: SvcError | null) => void;
};

/** A bidirectional stream of messages. */
export interface Wire {
  readonly remote: RemoteAddress;
  /** Whether this side dialled. */
  readonly isOutbound: boolean;
  /** Bytes handed in that have not gone out, with `LIMITS.p2pMessageOverhead` for each message; none once it is gone. */
  readonly unsentBytes: number;
  /** Begins to hear. Called once. */
  listen(listener: WireListener): void;
  /** Hands in a message; it goes after those before it. Nothing happens once the wire is gone. */
  send(bytes: Uint8Array): void;
  /** Reads no further message until `resume`; the other side notices when it cannot send any more. */
  pause(): void;
  /** Reads again. */
  resume(): void;
  /** Ends the wire after what was handed in, or at once when the other side does not read. Again does nothing. */
  close(): void;
}
