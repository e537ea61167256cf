/** The real HTTP server with many live connections: what an event costs it does not grow with their number. */
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { asBlockHash, asTxId } from "@svc/shared/base/brand.ts";
import {
  decodeServerFrame,
  encodeClientFrame,
  type ServerFrame,
} from "@svc/shared/protocol/http/liveFrames.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { hashOf } from "../testkit/fakeNode.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { startHttpServer, type HttpServer } from "./httpServer.ts";

const BROWSERS = 5;

let chain: FakeChain;
let server: HttpServer;
let asked: { tip: number; records: number };
let open: Browser[];

beforeEach(async () => {
  chain = new FakeChain();
  open = [];
  asked = { tip: 0, records: 0 };
  const { tip, records } = chain.node.answers;
  chain.node.answers.tip = () => {
    asked.tip += 1;
    return tip?.() ?? "";
  };
  chain.node.answers.records = (after, limit) => {
    asked.records += 1;
    return records?.(after, limit) ?? new Uint8Array();
  };
  server = await startHttpServer({
    node: chain.node,
    host: "127.0.0.1",
    port: 0,
    pages: null,
    miner: null,
    rules: OWN_PAGES,
    clock: new ManualClock(0n),
    log: createLog("silent"),
  });
});
afterEach(async () => {
  for (const browser of open) browser.close();
  await server.stop();
});

/** A live connection that keeps what it is sent. */
class Browser {
  readonly frames: ServerFrame[] = [];
  readonly #socket: WebSocket;
  #onFrame: () => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => {
      this.frames.push(decodeServerFrame(new Uint8Array(data)));
      this.#onFrame();
    });
  }

  /** Subscribes behind the tip; resolves when it is told of it. */
  static async open(query = ""): Promise<Browser> {
    const socket = new WebSocket(`${server.address.replace("http", "ws")}/v1/live${query}`);
    const browser = new Browser(socket);
    open.push(browser);
    await once(socket, "open");
    const after = asBlockHash(chain.chain.at(-1) ?? "");
    socket.send(encodeClientFrame({ type: "subscribe", after, pool: true }));
    await browser.sent("tip", 1);
    return browser;
  }

  /** Resolves when so many frames of a type have come. */
  async sent(type: ServerFrame["type"], count: number): Promise<void> {
    while (this.frames.filter((frame) => frame.type === type).length < count) {
      await new Promise<void>((resolve) => (this.#onFrame = resolve));
    }
  }

  types(): string[] {
    return this.frames.map(({ type }) => type);
  }

  close(): void {
    this.#socket.terminate();
  }
}

const browsers = (query?: string): Promise<Browser[]> =>
  Promise.all(Array.from({ length: BROWSERS }, () => Browser.open(query)));

/** Lets everything run that waits on nothing outside. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
}

describe("live connections", () => {
  it("are told of a block and of the tip by frames that are made once", async () => {
    const all = await browsers();
    await settle();
    for (const count of [1, 2, 3]) {
      Object.assign(asked, { tip: 0, records: 0 });
      chain.grow(hashOf(count));
      await Promise.all(all.map((browser) => browser.sent("block", count)));
      await settle();
      // The block, and that there is none behind it.
      expect(asked).toEqual({ tip: 1, records: 2 });
    }
    expect(new Set(all.map((browser) => browser.types().join(" ")))).toEqual(
      new Set(["tip tip block tip block tip block"]),
    );
  });

  it("hear alike of a reorganisation, and of nothing that was so before it", async () => {
    chain.grow(hashOf(1), hashOf(2));
    const all = await browsers();
    await settle();
    Object.assign(asked, { tip: 0, records: 0 });
    chain.reorganise(1, [hashOf(12), hashOf(13)]);
    await Promise.all(all.map((browser) => browser.sent("block", 2)));
    await settle();
    expect(asked).toEqual({ tip: 1, records: 4 });
    for (const { frames } of all) {
      expect(frames.slice(-3)).toMatchObject([
        { type: "reorg", commonHash: hashOf(1), chainIndex: 1n },
        { type: "block" },
        { type: "block" },
      ]);
    }
  });

  it("are shown a payment by one frame, which nobody makes where nobody looks", async () => {
    let made = 0;
    const added = {
      type: "poolAdded",
      txid: asTxId(hashOf(5)),
      get frame() {
        made += 1;
        return new Uint8Array(34);
      },
    } as const;
    chain.node.tell(added);
    expect(made).toBe(0);
    const all = await browsers();
    chain.node.tell(added);
    await Promise.all(all.map((browser) => browser.sent("poolAdd", 1)));
    expect(made).toBe(1);
  });

  it("that want no blocks are told of the tip alone", async () => {
    const all = await browsers("?blocks=0");
    await settle();
    expect(asked).toEqual({ tip: BROWSERS, records: 0 });
    chain.grow(hashOf(1));
    await Promise.all(all.map((browser) => browser.sent("tip", 2)));
    chain.reorganise(0, [hashOf(11)]);
    await Promise.all(all.map((browser) => browser.sent("tip", 3)));
    await settle();
    expect(asked).toEqual({ tip: BROWSERS + 2, records: 0 });
    for (const browser of all) expect(browser.types()).toEqual(["tip", "tip", "tip"]);
  });
});
