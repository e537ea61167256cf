/** Says when the gRPC library may read the next message: while the gate is closed it holds none back for us, it reads none. */
import {
  InterceptingCall,
  ServerInterceptingCall,
  type Interceptor,
  type Metadata,
  type ServerInterceptingCallInterface,
} from "@grpc/grpc-js";

/** Opens and closes the reading of one stream. */
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

/** Puts a gate before the reading of a call that this side makes. */
export function gatedCalls(gate: ReadGate): Interceptor {
  return (options, nextCall) =>
    new (class extends InterceptingCall {
      override startRead(): void {
        gate.pass(() => super.startRead());
      }
    })(nextCall(options));
}

/** A call that the other side makes, behind a gate; it is told by the headers that open its stream. */
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
