/**
 * The socket below a gRPC client, closed by us. The gRPC library abandons a connection that never answers without closing it,
 * so a peer that accepts and says nothing could keep it open for as long as it likes.
 */
import type { Socket } from "node:net";
import { credentials, type ChannelCredentials } from "@grpc/grpc-js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { guarded } from "../../platform/net/guarded.ts";
import type { PartialMessages, WatchedConnection } from "./partialMessages.ts";

/** What is done on a connection before gRPC, such as the handshake of a proxy; it rejects when gRPC may not follow. */
export type Preface = (socket: Socket) => Promise<void>;

/** Keeps hold of the socket that a gRPC client connects. */
export class DialledSocket {
  /** For the client, in clear text. */
  readonly credentials: ChannelCredentials;
  readonly #sockets = new Set<Socket>();
  readonly #begun: PartialMessages | null;
  readonly #failed = Promise.withResolvers<never>();
  #watched: WatchedConnection | null = null;
  #isCut = false;

  /** `begun` bounds what of messages has come and is not whole, over all connections that are dialled. */
  constructor(begun: PartialMessages | null, preface: Preface | null = null) {
    this.#begun = begun;
    this.#failed.promise.catch(() => undefined);
    const clear = credentials.createInsecure();
    const create = clear._createSecureConnector.bind(clear);
    clear._createSecureConnector = (...parts) => {
      const connector = create(...parts);
      const connect = connector.connect.bind(connector);
      connector.connect = async (socket) => {
        this.#hold(socket);
        // Over a connection that was closed nothing can be begun.
        if (preface !== null && !this.#isCut) await this.#begin(socket, preface);
        return connect(socket);
      };
      return connector;
    };
    this.credentials = clear;
  }

  /** Rejects when what comes before everything else has failed; the library would try it again and again. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** A message has come whole. */
  heard(): void {
    this.#watched?.heard();
  }

  /** Closes the connection, and one that comes about later. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async #begin(socket: Socket, preface: Preface): Promise<void> {
    try {
      await preface(socket);
      // A proxy that hangs up is asked again by the next dial, and not by the library.
      const fail = (): void => this.#failed.reject(new SvcError("p2p/closed", {}));
      socket.once("close", guarded(fail, fail));
    } catch (error) {
      this.#failed.reject(error);
      throw error;
    }
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    this.#watched = this.#begun?.watch(socket) ?? null;
    const forget = (): void => void this.#sockets.delete(socket);
    socket.once("close", guarded(forget, forget));
    if (this.#isCut) socket.destroy();
  }
}
