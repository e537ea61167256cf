/**
 * One live WebSocket connection (docs/formats.md 4): pushes blocks, tips and waiting payments, with credit-based flow
 * control.
 *
 * Blocks are pulled, never queued: the session remembers the last block it sent and asks for the next while the browser's
 * credit lasts, so a slow browser costs one cursor. Tip frames are coalesced. Frames are rendered elsewhere, once for all
 * sessions.
 */
import type { BlockHash, ChainIndex } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { decodeClientFrame, encodeServerFrame } from "@svc/shared/protocol/http/liveFrames.ts";
import type { LiveRenderings, LiveStep } from "./liveRenderings.ts";

/** The transport below a session: a socket, or a test. */
export interface LiveSocket {
  send(frame: Uint8Array): void;
  /** Bytes accepted and not yet on the wire. */
  buffered(): number;
  /** Whether its host has taken enough of what all its connections were sent. */
  hostHasRoom(): boolean;
  close(reason: SvcError): void;
}

/** Dependencies of a session. */
export type LiveSessionParts = {
  readonly frames: Pick<LiveRenderings, "movedTip" | "presentTip" | "after">;
  readonly socket: LiveSocket;
  /** Fires when the connection closes. */
  readonly signal: AbortSignal;
  /** Whether the browser is sent blocks and reorganisations, or the tip alone. */
  readonly wantsBlocks: boolean;
};

/** How far a browser has been brought. */
type Cursor = {
  hash: BlockHash;
  /** Chain index of the last block sent, and of the last one acknowledged; `null` before the first block. */
  place: { sent: bigint; acknowledged: bigint } | null;
};

const PING = encodeServerFrame({ type: "ping" });

/** The session of one connection. */
export class LiveSession {
  readonly #frames: LiveSessionParts["frames"];
  readonly #socket: LiveSocket;
  readonly #signal: AbortSignal;
  readonly #wantsBlocks: boolean;
  #cursor: Cursor | null = null;
  #wantsPool = false;
  #pumping = false;
  #again = false;
  /** The tip that is to be sent: as it is then, or as all are told of it. */
  #tipDue: "present" | "moved" | null = null;
  /** False while a ping is unanswered. */
  #alive = true;
  /** Bytes handed to the socket, those that were on the wire at the last ping, and pings since then. */
  #given = 0;
  #taken = 0;
  #stillPings = 0;

  constructor({ frames, socket, signal, wantsBlocks }: LiveSessionParts) {
    this.#frames = frames;
    this.#socket = socket;
    this.#signal = signal;
    this.#wantsBlocks = wantsBlocks;
  }

  /** A frame from the browser. Throws `live/bad-frame` and the codec's errors. */
  receive(bytes: Uint8Array): void {
    const frame = decodeClientFrame(bytes);
    switch (frame.type) {
      case "subscribe":
        this.#cursor = { hash: frame.after, place: null };
        this.#wantsPool = frame.pool;
        this.#tipDue = "present";
        this.#pump();
        break;
      case "ack":
        this.#acknowledge(frame.chainIndex);
        break;
      case "pong":
        this.#alive = true;
        break;
    }
  }

  /** The selected chain moved. */
  chainMoved(): void {
    this.#tipDue ??= "moved";
    this.#pump();
  }

  /** Whether the browser is shown what waits. */
  get wantsPool(): boolean {
    return this.#wantsPool;
  }

  /** The pool changed; `frame` tells how. */
  poolChanged(frame: Uint8Array): void {
    if (this.#wantsPool) this.#send(frame);
  }

  /** Asks for a sign of life; a browser that gave none since the last time is cut off. */
  ping(): void {
    if (!this.#alive) {
      this.#socket.close(new SvcError("live/closed", { reason: "no answer to a ping" }));
      return;
    }
    if (this.#isStuck()) {
      this.#socket.close(new SvcError("live/too-slow", { window: RPC_LIMITS.liveCreditBlocks }));
      return;
    }
    this.#alive = false;
    this.#send(PING);
    // Its host may have read what others of it had left.
    this.#pump();
  }

  /** Whether it has taken nothing for long though something waits. It can say that it lives without reading a byte. */
  #isStuck(): boolean {
    const unread = this.#socket.buffered();
    const taken = this.#given - unread;
    this.#stillPings = unread > 0 && taken <= this.#taken ? this.#stillPings + 1 : 0;
    this.#taken = taken;
    return this.#stillPings >= RPC_LIMITS.liveStillPings;
  }

  /** Acknowledgements of blocks that a reorganisation has taken back since are late, not wrong. */
  #acknowledge(index: ChainIndex): void {
    const place = this.#cursor?.place;
    if (place === null || place === undefined) {
      throw new SvcError("live/bad-frame", { reason: "nothing was sent yet" });
    }
    const taken = index < place.sent ? index : place.sent;
    if (taken > place.acknowledged) place.acknowledged = taken;
    this.#pump();
  }

  /** One pump runs at a time; a wish that comes meanwhile makes it look again. */
  #pump(): void {
    this.#again = true;
    if (this.#pumping || this.#cursor === null) return;
    void this.#run().catch((error: unknown) => {
      if (!this.#signal.aborted) this.#socket.close(SvcError.from(error));
    });
  }

  async #run(): Promise<void> {
    this.#pumping = true;
    try {
      while (this.#again && !this.#signal.aborted) {
        this.#again = false;
        if (this.#tipDue !== null) await this.#sendTip(this.#tipDue);
        while (this.#wantsBlocks && (await this.#sendNext()));
      }
    } finally {
      this.#pumping = false;
    }
  }

  async #sendTip(due: "present" | "moved"): Promise<void> {
    this.#tipDue = null;
    const isPresent = due === "present";
    this.#send(await (isPresent ? this.#frames.presentTip() : this.#frames.movedTip()));
  }

  /**
   * Sends the block after the cursor, or the reorganisation that took the cursor away. False when there is nothing to send or
   * no room.
   */
  async #sendNext(): Promise<boolean> {
    const cursor = this.#cursor;
    if (cursor === null || this.#signal.aborted || !this.#hasRoom(cursor)) return false;
    const step = await this.#frames.after(cursor.hash);
    // A new subscription came meanwhile: its own turn follows.
    if (this.#cursor !== cursor || step.kind === "end") return false;
    this.#send(step.frame);
    cursor.hash = step.hash;
    cursor.place = placeAfter(cursor, step);
    return true;
  }

  /** Credit is left, and the socket has taken what was sent. An acknowledgement or a new block looks again. */
  #hasRoom({ place }: Cursor): boolean {
    if (this.#socket.buffered() > RPC_LIMITS.liveBufferBytes) return false;
    if (!this.#socket.hostHasRoom()) return false;
    return place === null || place.sent - place.acknowledged < BigInt(RPC_LIMITS.liveCreditBlocks);
  }

  /** Frames that do not wait for room end a connection that never makes any. */
  #send(frame: Uint8Array): void {
    if (this.#signal.aborted) return;
    if (this.#socket.buffered() > 2 * RPC_LIMITS.liveBufferBytes) {
      this.#socket.close(new SvcError("live/too-slow", { window: RPC_LIMITS.liveCreditBlocks }));
      return;
    }
    this.#given += frame.length;
    this.#socket.send(frame);
  }
}

/** Where a browser is once it was sent a step. What it acknowledged above a common block is gone. */
function placeAfter(
  { place }: Cursor,
  { kind, index }: Exclude<LiveStep, { kind: "end" }>,
): NonNullable<Cursor["place"]> {
  const sent: bigint = index;
  if (kind === "block") return { sent, acknowledged: place?.acknowledged ?? sent - 1n };
  const acknowledged = place?.acknowledged ?? sent;
  return { sent, acknowledged: acknowledged < sent ? acknowledged : sent };
}
