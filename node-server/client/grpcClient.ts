/** Typed client of a node's gRPC API: for programs that talk to a node as a stranger does, for the demo and for tests. */
import {
  Client,
  credentials,
  Metadata,
  status,
  type ClientDuplexStream,
  type StatusObject,
} from "@grpc/grpc-js";
import { abortable } from "@svc/shared/base/abort.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  encodeRequest,
  errorOf,
  readResponse,
  type RequestPayload,
  type Requests,
  type ResponsePayload,
  type ResponseEnvelope,
  type Responses,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { guarded } from "../platform/net/guarded.ts";
import { messageStream } from "./messageStream.ts";

/** A request of one of these methods. */
type Request<M extends keyof Requests> = { [K in M]: { $case: K; value: Requests[K] } }[M];

type Waiting = {
  readonly resolve: (payload: ResponsePayload) => void;
  readonly reject: (error: Error) => void;
};

/** How much a client takes of a node that it does not trust. */
export type GrpcBounds = {
  /** ms. For each call; beyond it the call is rejected and the stream stays. */
  readonly callMs: number;
  /** bytes. A message of the node; a larger one ends the stream. */
  readonly messageBytes: number;
  /** bytes. Of messages that answer no call, since the last that did; more end the stream. */
  readonly unaskedBytes: number;
  /** Reads a message. What it throws ends the stream; an answer without a payload rejects its call. */
  readonly read: (bytes: Uint8Array) => ResponseEnvelope;
};

/** For a node of the same machine or of a test, which is believed. */
const TRUSTING: GrpcBounds = {
  callMs: CLIENT_LIMITS.grpcCallMs,
  messageBytes: -1,
  unaskedBytes: Number.POSITIVE_INFINITY,
  read: readResponse,
};

type Listener = (notification: ResponsePayload) => void;

/** A client with one stream to a node. */
export class GrpcClient {
  readonly #client: Client;
  readonly #stream: ClientDuplexStream<Uint8Array, Uint8Array>;
  readonly #waiting = new Map<bigint, Waiting>();
  readonly #listeners = new Set<Listener>();
  readonly #ended = Promise.withResolvers<SvcError>();
  readonly #bounds: GrpcBounds;
  #failure: SvcError | null = null;
  #nextId = 1n;
  #unasked = 0;

  /** `address` is `host:port`. The stream opens at once; a node that is not there shows with the first call. */
  constructor(address: string, bounds: Partial<GrpcBounds> = {}) {
    this.#bounds = { ...TRUSTING, ...bounds };
    this.#client = new Client(address, credentials.createInsecure(), {
      "grpc.max_receive_message_length": this.#bounds.messageBytes,
      // A proxy of the environment is for pages. A channel of its own does not wait for the pauses of one before it.
      "grpc.enable_http_proxy": 0,
      "grpc.use_local_subchannel_pool": 1,
    });
    const { path, requestSerialize, responseDeserialize } = messageStream;
    this.#stream = this.#client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      new Metadata(),
    );
    const receive = (bytes: Uint8Array): void => this.#receive(bytes);
    const failed = (error: Error): void => this.#end(error.message);
    const ended = ({ code, details }: StatusObject): void =>
      this.#end(code === status.OK ? "the node ended the stream" : details);
    const onFault = (fault: SvcError): void => {
      this.#end(fault.message);
      this.#stream.cancel();
    };
    this.#stream.on("data", guarded(receive, onFault));
    this.#stream.on("error", guarded(failed, onFault));
    this.#stream.on("status", guarded(ended, onFault));
  }

  /** Why the stream has ended; null while it has not. */
  get failure(): SvcError | null {
    return this.#failure;
  }

  /** Settles with the reason when the stream has ended. */
  get ended(): Promise<SvcError> {
    return this.#ended.promise;
  }

  /**
   * Asks and waits. Rejects with an `RpcFault` in the node's words, `run/timeout`, `run/aborted`, or
   * `http/unavailable` when the stream ends or another call is answered.
   */
  async call<M extends keyof Requests>(
    request: Request<M> & RequestPayload,
    signal?: AbortSignal,
  ): Promise<Responses[M]> {
    const payload = await this.exchange(request, signal);
    const error = errorOf(payload);
    if (error !== undefined) throw new RpcFault(error.message, error.json);
    if (isResponseTo<M>(request.$case, payload)) return payload.value;
    throw otherAnswer();
  }

  /** As `call`, but a response that carries an error is an answer too: it holds more than the error. */
  async exchange(request: RequestPayload, signal?: AbortSignal): Promise<ResponsePayload> {
    if (this.#failure !== null) throw this.#failure;
    const id = this.#nextId;
    this.#nextId += 1n;
    const reply = new Promise<ResponsePayload>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#stream.write(encodeRequest(id, request));
    const limitMs = this.#bounds.callMs;
    const limit = AbortSignal.timeout(limitMs);
    try {
      return await abortable(
        reply,
        signal === undefined ? limit : AbortSignal.any([signal, limit]),
      );
    } catch (error) {
      if (!limit.aborted || signal?.aborted === true) throw error;
      throw new SvcError("run/timeout", { what: request.$case, limitMs });
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Hears every notification; the returned call ends it. */
  onNotification(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the stream and rejects what waits. Calling it again does nothing. */
  close(): void {
    this.#end("the client was closed");
    this.#stream.cancel();
    this.#client.close();
  }

  #receive(bytes: Uint8Array): void {
    const { id, payload } = this.#bounds.read(bytes);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting !== undefined) {
      this.#unasked = 0;
      if (payload === undefined) waiting.reject(otherAnswer());
      else waiting.resolve(payload);
      return;
    }
    this.#unasked += bytes.length;
    if (this.#unasked > this.#bounds.unaskedBytes) {
      throw new SvcError("codec/count-too-large", {
        count: this.#unasked,
        max: this.#bounds.unaskedBytes,
      });
    }
    if (payload === undefined) return;
    for (const listener of this.#listeners) listener(payload);
  }

  #end(reason: string): void {
    if (this.#failure !== null) return;
    this.#failure = new SvcError("http/unavailable", { reason });
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
    this.#ended.resolve(this.#failure);
  }
}

/** The node's failing, not ours. */
function otherAnswer(): SvcError {
  return new SvcError("http/unavailable", { reason: "another call was answered" });
}

function isResponseTo<M extends keyof Requests>(
  method: string,
  payload: ResponsePayload,
): payload is ResponsePayload & { readonly value: Responses[M] } {
  return payload.$case === method;
}
