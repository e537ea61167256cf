/**
 * The live connection (docs/interfaces.md 5). It only says that there is news and shows waiting
 * transactions; blocks are fetched as pages, so a lost connection costs nothing but time.
 */
import { asTxId, type BlockHash, type TxId } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { readRecordPage } from "@svc/shared/wallet/recordPage.ts";

const SERVER = { tip: 1, block: 2, reorg: 3, poolAdd: 4, poolDel: 5, ping: 6 } as const;
const CLIENT = { subscribe: 1, ack: 2, pong: 6 } as const;

/** What the feed tells. */
export type LiveListener = {
  /** The chain has changed. */
  readonly onNews: () => void;
  /** The connection came up or went down. */
  readonly onState: (live: boolean) => void;
  /** A transaction waits for a block: the frame's content. */
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
      this.#after().then((hash) => this.#subscribe(socket, hash), () => socket.close());
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
    const frame = new ByteWriter(34).u8(CLIENT.subscribe).raw(decodeHex(after, 32)).u8(1);
    socket.send(frame.toBytes());
    this.#failures = 0;
    this.#listener.onState(true);
    this.#listener.onNews();
  }

  #receive(socket: WebSocket, frame: Uint8Array): void {
    try {
      this.#handle(socket, frame);
    } catch {
      // A frame that does not decode: begin again with a fresh connection.
      socket.close();
    }
  }

  #handle(socket: WebSocket, frame: Uint8Array): void {
    const reader = new ByteReader(frame);
    switch (reader.u8()) {
      case SERVER.block: {
        const { firstIndex } = readRecordPage(frame.subarray(1), 1);
        socket.send(new ByteWriter(9).u8(CLIENT.ack).u64(firstIndex).toBytes());
        this.#listener.onNews();
        return;
      }
      case SERVER.tip:
      case SERVER.reorg:
        this.#listener.onNews();
        return;
      case SERVER.poolAdd:
        this.#listener.onPoolAdd(frame.slice(1));
        return;
      case SERVER.poolDel:
        this.#listener.onPoolDel(asTxId(encodeHex(reader.take(32))));
        return;
      case SERVER.ping:
        socket.send(Uint8Array.of(CLIENT.pong));
        return;
      default:
        // A frame of a newer node: nothing that an older page needs.
        return;
    }
  }

  #closed(): void {
    this.#listener.onState(false);
    if (this.#stopped) return;
    const pause = LIMITS.liveRetryFirstMs * 2 ** Math.min(this.#failures, 16);
    this.#failures += 1;
    this.#retry = setTimeout(() => this.start(), Math.min(pause, LIMITS.liveRetryLongestMs));
  }
}
