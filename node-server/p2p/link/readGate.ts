/**
 * Backpressure for gRPC: a gate that decides when the library may read the next message. While the gate is closed, the library
 * reads nothing, so nothing is buffered for us.
 */
import {
  InterceptingCall,
  ServerInterceptingCall,
  type Interceptor,
  type Metadata,
  type ServerInterceptingCallInterface,
} from "@grpc/grpc-js";

/** Pauses and resumes the reading of one stream. */
export class ReadGate {
  #isOpen = true;
  #held: (() => void) | null = null;

  /** The library wants to read a message. */
  pass(read: () => void): void {
    if (this.#isOpen) read();
    else this.#held = read;
  }

  /** No further message is read. */
  close(): void {
    this.#isOpen = false;
  }

  /** Messages are read again. */
  open(): void {
    this.#isOpen = true;
    const read = this.#held;
    this.#held = null;
    read?.();
  }
}

/** Makes a client interceptor that puts a gate before the reading of a call. */
export function gatedCalls(gate: ReadGate): Interceptor {
  return (options, nextCall) =>
    new (class extends InterceptingCall {
      override startRead(): void {
        gate.pass(() => super.startRead());
      }
    })(nextCall(options));
}

/** A server call behind a gate; the call is identified by the headers that open its stream. */
export class GatedServerCall extends ServerInterceptingCall {
  readonly #gate: ReadGate;

  constructor(
    call: ServerInterceptingCallInterface,
    gate: ReadGate,
    onHeaders: (headers: Metadata) => void,
  ) {
    const onReceiveMetadata = (headers: Metadata, next: (headers: Metadata) => void): void => {
      onHeaders(headers);
      next(headers);
    };
    super(call, { start: (next) => next({ onReceiveMetadata }) });
    this.#gate = gate;
  }

  override startRead(): void {
    this.#gate.pass(() => super.startRead());
  }
}
