import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import {
  verifyStandardWebhook,
  verifySvcSignature,
} from "@svc/shared/protocol/webhook/signature.ts";
import { createLog } from "../platform/log/log.ts";
import { listenLocally } from "../platform/testkit/listenLocally.ts";
import { mulberry32 } from "../platform/testkit/mulberry32.ts";
import { ManualClock } from "../platform/time/clock.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";
import type {
  DeliveryContent,
  DeliveryOutcome,
  DeliveryQueue,
  DueDelivery,
} from "./deliveryQueue.ts";
import { postWebhook } from "./webhookPost.ts";
import { WebhookSender } from "./webhookSender.ts";
import { webhookUrl } from "@svc/shared/protocol/webhook/webhookTarget.ts";

const NOW = 1_700_000_000_000n;
const SECRET = "whsec_plJ3nmyCDGBKInavdOK15jsl";

type Row = DueDelivery & { dueMs: TimestampMs; outcome: DeliveryOutcome | null };

/** A queue in memory: rows of lanes, in order. */
class MemoryQueue implements DeliveryQueue {
  readonly rows: Row[] = [];
  readonly settled: { key: string; outcome: DeliveryOutcome }[] = [];
  #listeners: (() => void)[] = [];
  url = "";
  /** Thrown by so many of the next settlements. */
  faults = 0;

  add(lane: string, number: number, createdMs = NOW): void {
    const times = { createdMs: asTimestampMs(createdMs), dueMs: asTimestampMs(createdMs) };
    this.rows.push({ key: `${lane}-${number}`, lane, attempts: 0, ...times, outcome: null });
  }

  due(nowMs: TimestampMs, limit: number): readonly Row[] {
    return this.#heads()
      .filter(({ dueMs }) => dueMs <= nowMs)
      .slice(0, limit);
  }

  nextMs(): TimestampMs | null {
    const times = this.#heads().map(({ dueMs }) => dueMs);
    return times.toSorted((a, b) => Number(a - b))[0] ?? null;
  }

  content({ key }: DueDelivery): DeliveryContent {
    const endpoint = {
      url: webhookUrl(this.url, "loopback"),
      reach: "loopback",
      secret: SECRET,
    } as const;
    return {
      endpoint,
      id: key,
      type: "deposit.credited",
      body: new TextEncoder().encode(`{"id":"${key}"}`),
    };
  }

  settle({ key }: DueDelivery, outcome: DeliveryOutcome): void {
    if (this.faults > 0) {
      this.faults -= 1;
      throw new Error("the disk is full");
    }
    const place = this.rows.findIndex((row) => row.key === key);
    const row = this.rows[place] ?? expect.unreachable();
    const dueMs = outcome.kind === "again" ? outcome.atMs : row.dueMs;
    const done = outcome.kind === "again" ? null : outcome;
    this.rows[place] = { ...row, attempts: row.attempts + 1, dueMs, outcome: done };
    this.settled.push({ key, outcome });
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Resolves when so many tries have been written down. */
  async until(count: number): Promise<void> {
    while (this.settled.length < count) {
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  #heads(): readonly Row[] {
    const lanes = new Map<string, Row>();
    for (const row of this.rows) {
      if (row.outcome === null && !lanes.has(row.lane)) lanes.set(row.lane, row);
    }
    return [...lanes.values()];
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

const open: { server: Server; sender: WebhookSender }[] = [];
afterEach(async () => {
  for (const { server, sender } of open.splice(0)) {
    await sender.stop();
    server.closeAllConnections();
    server.close();
  }
});

async function scene(handler: Handler) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => handler(request, response, Buffer.concat(parts)));
  });
  const port = await listenLocally(server);
  const queue = new MemoryQueue();
  queue.url = `http://127.0.0.1:${port}/hook`;
  const clock = new ManualClock(NOW);
  const sender = new WebhookSender({
    queue,
    clock,
    random: mulberry32(7),
    log: createLog("silent"),
  });
  open.push({ server, sender });
  return { queue, clock, sender, server };
}

const codes = (queue: MemoryQueue) =>
  queue.settled.map(({ outcome }) => (outcome.kind === "delivered" ? "ok" : outcome.error.code));

describe("a sender of webhooks", () => {
  it("signs each delivery twice, and keeps the order of each lane", async () => {
    const got: { id: string; verdicts: unknown }[] = [];
    const { queue, sender } = await scene((request, response, body) => {
      const headers = { get: (name: string) => String(request.headers[name]) };
      void Promise.all([
        verifySvcSignature(SECRET, headers, body, NOW / 1_000n),
        verifyStandardWebhook(SECRET, headers, body, NOW / 1_000n),
      ]).then((verdicts) => {
        got.push({ id: String(request.headers["webhook-id"]), verdicts });
        response.writeHead(204).end();
      });
    });
    for (let number = 0; number < 20; number += 1) {
      queue.add("a", number);
      queue.add("b", number);
    }
    sender.start();
    await queue.until(40);
    expect(got.every(({ verdicts }) => String(verdicts) === "ok,ok")).toBe(true);
    for (const lane of ["a", "b"]) {
      const ids = got.map(({ id }) => id).filter((id) => id.startsWith(lane));
      expect(ids).toEqual(Array.from({ length: 20 }, (_, number) => `${lane}-${number}`));
    }
    expect(sender.underWay).toBe(0);
  });

  it("tries again with growing pauses until the receiver takes it, under the same id", async () => {
    let answers = 0;
    const attempts: unknown[] = [];
    const { queue, sender, clock } = await scene((request, response) => {
      answers += 1;
      attempts.push([request.headers["svc-event-id"], request.headers["svc-delivery-attempt"]]);
      response.writeHead(answers < 5 ? 500 : 200).end("no");
    });
    queue.add("a", 1);
    sender.start();
    const pauses: number[] = [];
    for (let tries = 1; tries < 5; tries += 1) {
      await queue.until(tries);
      const next = Number((queue.nextMs() ?? 0n) - clock.nowMs());
      pauses.push(next);
      clock.advance(next - 1);
      expect(queue.settled).toHaveLength(tries);
      clock.advance(1);
      sender.wake();
    }
    await queue.until(5);
    expect(queue.settled.at(-1)?.outcome.kind).toBe("delivered");
    expect(attempts).toEqual([1, 2, 3, 4, 5].map((attempt) => ["a-1", String(attempt)]));
    for (const [tries, pause] of pauses.entries()) {
      const middle = 10_000 * 5 ** tries;
      expect(pause).toBeGreaterThanOrEqual(middle * 0.8);
      expect(pause).toBeLessThanOrEqual(middle * 1.2);
    }
  });

  it("makes a dead letter of what nobody took for three days, or whose receiver is gone", async () => {
    const { queue, sender } = await scene((request, response) => {
      response.writeHead(request.headers["webhook-id"] === "b-1" ? 410 : 500).end();
    });
    queue.add("a", 1, NOW - CLIENT_LIMITS.webhookGiveUpMs);
    queue.add("b", 1);
    queue.add("c", 1, NOW - CLIENT_LIMITS.webhookGiveUpMs + 1n);
    sender.start();
    await queue.until(3);
    const ends = Object.fromEntries(queue.settled.map(({ key, outcome }) => [key, outcome.kind]));
    expect(ends).toEqual({ "a-1": "dead", "b-1": "dead", "c-1": "again" });
  });

  it("follows no redirect", async () => {
    let asked = 0;
    const { queue, sender } = await scene((_, response) => {
      asked += 1;
      response.writeHead(307, { location: queue.url }).end();
    });
    queue.add("a", 1);
    sender.start();
    await queue.until(1);
    expect(codes(queue)).toEqual(["webhook/refused"]);
    expect(asked).toBe(1);
  });

  it("counts the status of a receiver that floods, and cuts it off", async () => {
    let written = 0;
    const { queue, sender } = await scene((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    });
    queue.add("a", 1);
    sender.start();
    await queue.until(1);
    expect(codes(queue)).toEqual(["ok"]);
    expect(written).toBeLessThan(64 * 1_048_576);
  });

  it("gives up on a receiver that hangs, while others are served", async () => {
    let hanging = 0;
    const told: { go: () => void } = { go: () => undefined };
    const hung = new Promise<void>((resolve) => (told.go = resolve));
    const { queue, sender, clock } = await scene((request, response) => {
      if (!String(request.headers["webhook-id"]).startsWith("slow")) {
        response.writeHead(200).end();
        return;
      }
      hanging += 1;
      if (hanging === CLIENT_LIMITS.webhookConcurrency - 1) told.go();
    });
    for (let lane = 0; lane < CLIENT_LIMITS.webhookConcurrency - 1; lane += 1)
      queue.add(`slow${lane}`, 1);
    for (let number = 0; number < 5; number += 1) queue.add("quick", number);
    sender.start();
    await queue.until(5);
    await hung;
    expect(codes(queue)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    clock.advance(PROTOCOL_LIMITS.webhookAnswerMs);
    await queue.until(5 + hanging);
    expect(new Set(codes(queue).slice(5))).toEqual(new Set(["run/timeout"]));
  });

  it("survives a receiver that dies in the middle, talks nonsense, or is not there", async () => {
    const { queue, sender, server } = await scene((request, response) => {
      const id = request.headers["webhook-id"];
      if (id === "a-1") response.socket?.destroy();
      else if (id === "d-1") {
        const upgrade = "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
        response.socket?.write(upgrade);
      } else response.socket?.end("SSH-2.0-nonsense\r\n\r\n");
    });
    queue.add("a", 1);
    queue.add("b", 1);
    queue.add("d", 1);
    sender.start();
    await queue.until(3);
    server.closeAllConnections();
    server.close();
    queue.add("c", 1);
    sender.wake();
    await queue.until(4);
    expect(codes(queue)).toEqual([
      "webhook/unreachable",
      "webhook/unreachable",
      "webhook/unreachable",
      "webhook/unreachable",
    ]);
  });

  it("connects to no address beyond its reach, whatever name leads there", async () => {
    const url = new URL(`https://localhost:9/`);
    const post = { url, reach: "public", headers: {}, body: new Uint8Array() } as const;
    const { signal } = new AbortController();
    await expect(postWebhook(post, signal)).rejects.toThrow("webhook/bad-target");
  });

  it("sends again what it could not write down, after a pause", async () => {
    let asked = 0;
    const { queue, sender, clock } = await scene((_, response) => {
      asked += 1;
      response.writeHead(200).end();
    });
    queue.add("a", 1);
    queue.faults = 1;
    sender.start();
    await expect.poll(() => [asked, clock.sleeping]).toEqual([1, 2]);
    clock.advance(CLIENT_LIMITS.webhookRetryFirstMs);
    await queue.until(1);
    expect(asked).toBe(2);
  });

  it("stops in the middle of a try, which then counts as none", async () => {
    const told: { go: () => void } = { go: () => undefined };
    const asked = new Promise<void>((resolve) => (told.go = resolve));
    const { queue, sender } = await scene(() => told.go());
    queue.add("a", 1);
    sender.start();
    await asked;
    await sender.stop();
    await sender.stop();
    expect(queue.settled).toEqual([]);
    expect(sender.underWay).toBe(0);
  });
});
