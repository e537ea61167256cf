/**
 * One live connection (docs/interfaces.md 5): what it has been sent, what it may still be sent.
 *
 * Blocks are pulled, never queued: the session remembers the last block it sent and asks the chain for the
 * next while the browser's credit lasts, so a slow browser costs one cursor. Tip frames are coalesced.
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NodeApi, PoolEvent } from "../service/nodeApi.ts";
import { jsonText } from "./jsonText.ts";
import { tipJson } from "./tipJson.ts";

/** First byte of a frame from the server. */
export const SERVER_FRAME = { tip: 1, block: 2, reorg: 3, poolAdd: 4, poolDelete: 5, ping: 6 } as const;
/** First byte of a frame from the browser. */
export const CLIENT_FRAME = { subscribe: 1, ack: 2, pong: 6 } as const;

/** The connection below: a socket, or a test. */
export interface LiveSocket {
  send(frame: Uint8Array): void;
  /** Bytes accepted and not yet on the wire. */
  buffered(): number;
  close(reason: SvcError): void;
}

/** The state of one connection. */
export class LiveSession {
  readonly #node: NodeApi;
  readonly #socket: LiveSocket;
  readonly #signal: AbortSignal;
  #cursor: BlockHash | null = null;
  #sentIndex = 0n;
  #ackedIndex = 0n;
  #wantsPool = false;
  #pumping = false;
  #again = false;
  #tipDue = false;
  /** False while a ping is unanswered. */
  #alive = true;

  /** `signal` ends the session's questions when the connection closes. */
  constructor(node: NodeApi, socket: LiveSocket, signal: AbortSignal) {
    this.#node = node;
    this.#socket = socket;
    this.#signal = signal;
  }

  /** A frame from the browser. Throws `live/bad-frame` and the codec's errors. */
  receive(frame: Uint8Array): void {
    const reader = new ByteReader(frame);
    const type = reader.u8();
    if (type === CLIENT_FRAME.subscribe) this.#subscribe(reader);
    else if (type === CLIENT_FRAME.ack) this.#acknowledge(reader.u64());
    else if (type === CLIENT_FRAME.pong) this.#alive = true;
    else throw new SvcError("live/bad-frame", { reason: `type ${type}` });
    reader.finish();
  }

  /** The selected chain moved. */
  chainMoved(): void {
    this.#tipDue = true;
    this.#pump();
  }

  /** The pool changed. */
  poolChanged(event: PoolEvent): void {
    if (!this.#wantsPool) return;
    const frame = new ByteWriter();
    if (event.type === "poolAdded") frame.u8(SERVER_FRAME.poolAdd).raw(event.frame);
    else frame.u8(SERVER_FRAME.poolDelete).raw(decodeHex(event.txid));
    this.#send(frame.toBytes());
  }

  /** Asks for a sign of life; a browser that gave none since the last time is cut off. */
  ping(): void {
    if (!this.#alive) {
      this.#socket.close(new SvcError("live/closed", { reason: "no answer to a ping" }));
      return;
    }
    this.#alive = false;
    this.#send(Uint8Array.of(SERVER_FRAME.ping));
  }

  #subscribe(reader: ByteReader): void {
    this.#cursor = asBlockHash(encodeHex(reader.take(32)));
    this.#wantsPool = reader.u8() !== 0;
    this.#sentIndex = 0n;
    this.#ackedIndex = 0n;
    this.#tipDue = true;
    this.#pump();
  }

  #acknowledge(index: bigint): void {
    if (index > this.#sentIndex) throw new SvcError("live/bad-frame", { reason: "ack of a block not sent" });
    if (index > this.#ackedIndex) this.#ackedIndex = index;
    this.#pump();
  }

  /** Runs one pump at a time; a wish that comes meanwhile makes it look again. */
  #pump(): void {
    this.#again = true;
    if (this.#pumping || this.#cursor === null) return;
    this.#pumping = true;
    void this.#run()
      .catch((error: unknown) => this.#fail(SvcError.from(error)))
      .finally(() => {
        this.#pumping = false;
      });
  }

  #fail(error: SvcError): void {
    if (!this.#signal.aborted) this.#socket.close(error);
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#signal.aborted) {
      this.#again = false;
      if (this.#tipDue) await this.#sendTip();
      while ((await this.#sendNext()) && !this.#signal.aborted);
    }
  }

  async #sendTip(): Promise<void> {
    this.#tipDue = false;
    const text = jsonText(await tipJson(this.#node, this.#signal));
    const bytes = new TextEncoder().encode(text);
    this.#send(new ByteWriter(bytes.length + 1).u8(SERVER_FRAME.tip).raw(bytes).toBytes());
  }

  /** Sends the block after the cursor, or the reorganisation that took the cursor away. False when done. */
  async #sendNext(): Promise<boolean> {
    const cursor = this.#cursor;
    if (cursor === null || !this.#hasCredit()) return false;
    const index = await this.#node.ask("chainIndexOf", [cursor], this.#signal);
    if (index === undefined) return this.#sendReorg(cursor);
    const next = await this.#node.ask("chainHashAt", [index + 1n], this.#signal);
    if (next === undefined || this.#cursor !== cursor) return false;
    const page = await this.#node.ask("recordOf", [next], this.#signal);
    this.#send(new ByteWriter(page.length + 1).u8(SERVER_FRAME.block).raw(page).toBytes());
    if (this.#ackedIndex === 0n) this.#ackedIndex = index;
    this.#sentIndex = index + 1n;
    this.#cursor = asBlockHash(next);
    return true;
  }

  async #sendReorg(cursor: BlockHash): Promise<boolean> {
    const common = await this.#commonWith(cursor);
    if (common === null) return true; // back on the chain meanwhile
    const frame = new ByteWriter(41).u8(SERVER_FRAME.reorg).raw(decodeHex(common.hash)).u64(common.index);
    this.#send(frame.toBytes());
    this.#cursor = common.hash;
    this.#sentIndex = common.index;
    if (this.#ackedIndex > common.index) this.#ackedIndex = common.index;
    return true;
  }

  /** The engine names the common block when it refuses the cursor; an unknown cursor ends the session. */
  async #commonWith(cursor: BlockHash): Promise<{ hash: BlockHash; index: bigint } | null> {
    try {
      await this.#node.ask("records", [cursor, 1], this.#signal);
      return null;
    } catch (error) {
      if (!SvcError.is(error, "chain/not-on-chain")) throw error;
      const { commonHash = "", chainIndex = "0" } = error.data;
      return { hash: asBlockHash(commonHash), index: BigInt(chainIndex) };
    }
  }

  #hasCredit(): boolean {
    const open = this.#ackedIndex === 0n ? 0n : this.#sentIndex - this.#ackedIndex;
    return open < BigInt(LIMITS.liveCreditBlocks);
  }

  #send(frame: Uint8Array): void {
    if (this.#signal.aborted) return;
    if (this.#socket.buffered() > LIMITS.liveBufferBytes) {
      this.#socket.close(new SvcError("live/too-slow", { window: LIMITS.liveBufferBytes }));
      return;
    }
    this.#socket.send(frame);
  }
}
