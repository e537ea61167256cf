/**
 * WebSocket client of a node's live connection (docs/formats.md 4), which reconnects by itself. It only announces
 * changes of the chain and waiting transactions; blocks are fetched as pages, so a lost connection costs nothing but time,
 * and a block comes to the browser once.
 */
import type { BlockHash, TxId } from "@svc/shared/base/brand.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import {
  decodeServerFrame,
  encodeClientFrame,
  type ServerFrame,
} from "@svc/shared/protocol/http/liveFrames.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";

/** The live connection of the node at this address, `http://…`, without blocks. Nodes that do not know this wish send them. */
export function liveUrl(node: string): string {
  return `${node.replace(/^http/, "ws")}/v1/live?blocks=0`;
}

/** Callbacks of the live connection. */
export type LiveListener = {
  /** The chain has changed. */
  readonly onNews: () => void;
  /** The connection came up or went down. */
  readonly onState: (live: boolean) => void;
  /** A transaction waits for a block: txid, number of actions, actions. */
  readonly onPoolAdd: (frame: Uint8Array) => void;
  readonly onPoolDel: (txid: TxId) => void;
};

/** A connection that comes back by itself until it is stopped. */
export class LiveFeed {
  readonly #url: string;
  readonly #listener: LiveListener;
  readonly #after: () => Promise<BlockHash>;
  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #stopped = false;

  /** `after` gives the chain block after which frames are wanted. */
  constructor(url: string, after: () => Promise<BlockHash>, listener: LiveListener) {
    this.#url = url;
    this.#after = after;
    this.#listener = listener;
  }

  /** Connects. */
  start(): void {
    const socket = new WebSocket(this.#url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#after().then(
        (hash) => this.#subscribe(socket, hash),
        () => socket.close(),
      );
    });
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) this.#receive(socket, new Uint8Array(data));
    });
    socket.addEventListener("close", () => this.#closed());
  }

  /** Disconnects for good. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  #subscribe(socket: WebSocket, after: BlockHash): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(encodeClientFrame({ type: "subscribe", after, pool: true }));
    this.#failures = 0;
    this.#listener.onState(true);
    this.#listener.onNews();
  }

  #receive(socket: WebSocket, bytes: Uint8Array): void {
    try {
      this.#handle(socket, decodeServerFrame(bytes));
    } catch {
      // A frame that does not decode: begin again with a fresh connection.
      socket.close();
    }
  }

  #handle(socket: WebSocket, frame: ServerFrame): void {
    switch (frame.type) {
      // Of a node that does not know the wish.
      case "block": {
        const { firstIndex } = readContainer(frame.container, 1);
        socket.send(encodeClientFrame({ type: "ack", chainIndex: firstIndex }));
        this.#listener.onNews();
        return;
      }
      case "tip":
      case "reorg":
        this.#listener.onNews();
        return;
      case "poolAdd":
        this.#listener.onPoolAdd(frame.payment);
        return;
      case "poolDelete":
        this.#listener.onPoolDel(frame.txid);
        return;
      case "ping":
        socket.send(encodeClientFrame({ type: "pong" }));
        return;
    }
  }

  #closed(): void {
    this.#listener.onState(false);
    if (this.#stopped) return;
    const pause = PAGE_LIMITS.liveRetryFirstMs * 2 ** Math.min(this.#failures, 16);
    this.#failures += 1;
    this.#retry = setTimeout(() => this.start(), Math.min(pause, PAGE_LIMITS.liveRetryLongestMs));
  }
}
