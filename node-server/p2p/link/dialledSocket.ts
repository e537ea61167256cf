/**
 * The connection behind a gRPC client. The library lets go of one that never answers without closing it, so whoever accepts
 * and says nothing would keep it open for as long as it likes.
 */
import type { Socket } from "node:net";
import { credentials, type ChannelCredentials } from "@grpc/grpc-js";
import { guarded } from "../../platform/guarded.ts";
import type { BegunMessages, WatchedConnection } from "./begunMessages.ts";

/** Keeps hold of what a client connects. */
export class DialledSocket {
  /** For the client, in clear text. */
  readonly credentials: ChannelCredentials;
  readonly #sockets = new Set<Socket>();
  readonly #begun: BegunMessages | null;
  #watched: WatchedConnection | null = null;
  #isCut = false;

  /** `begun` bounds what of messages has come and is not whole, over all connections that are dialled. */
  constructor(begun: BegunMessages | null) {
    this.#begun = begun;
    const clear = credentials.createInsecure();
    const create = clear._createSecureConnector.bind(clear);
    clear._createSecureConnector = (...parts) => {
      const connector = create(...parts);
      const connect = connector.connect.bind(connector);
      connector.connect = (socket) => {
        this.#hold(socket);
        return connect(socket);
      };
      return connector;
    };
    this.credentials = clear;
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

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    this.#watched = this.#begun?.watch(socket) ?? null;
    const forget = (): void => void this.#sockets.delete(socket);
    socket.once("close", guarded(forget, forget));
    if (this.#isCut) socket.destroy();
  }
}
