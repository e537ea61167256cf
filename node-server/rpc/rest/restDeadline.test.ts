/** The deadlines of rows: a call that is not answered in time gives its turn back, whatever its handler does. */
import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import type { HttpEnv, HttpRoutes } from "../../platform/http/httpEnv.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { NODE_SHARES } from "../http/nodeShares.ts";
import { TurnQuotas } from "../http/turnQuotas.ts";
import { FakeNode, fakeTip, hashOf } from "../testkit/fakeNode.ts";
import { restRoutes } from "./restRoutes.ts";
import { RestSession } from "./call/restSession.ts";

const DAG = "/api/info/blockdag";
const LIMIT_MS = PROTOCOL_LIMITS.restAnswerMs;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let node: FakeNode;
let clock: ManualClock;
let app: HttpRoutes;
/** Answers of the engine that are still to come. */
let pending: ((tip: string) => void)[];

beforeEach(() => {
  node = new FakeNode();
  clock = new ManualClock(0n);
  pending = [];
  // It looks at no signal.
  node.answers.tip = () => new Promise((resolve) => void pending.push(resolve));
  const shares = new TurnQuotas(clock, { ...NODE_SHARES, turns: 1 });
  app = new Hono<HttpEnv>();
  app.onError((error, c) => errorAnswer(c, error));
  const routes = restRoutes({
    node,
    session: new RestSession(node, null),
    rates: null,
    turn: (host, signal, work) => shares.turn(host, signal, work),
    clock,
    onError: () => {},
  });
  app.route("/api", routes);
});

function ask(host: string, path = DAG, signal: AbortSignal | null = null): Promise<Response> {
  return Promise.resolve(app.request(path, { signal }, { caller: { host, origin: null } }));
}

describe("a call whose handler never answers", () => {
  it("is answered at its deadline with 503, and its turn is free again", async () => {
    const late = ask("slow");
    await settle();
    const next = ask("other");
    await settle();
    expect(pending).toHaveLength(1);
    clock.advance(LIMIT_MS - 1);
    await settle();
    expect(pending).toHaveLength(1);
    clock.advance(1);
    const answer = await late;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toMatchObject({ code: "http/timeout", ms: String(LIMIT_MS) });
    expect((await next).status).toBe(503);
    const third = ask("slow");
    await settle();
    pending.at(-1)?.(fakeTip(1));
    expect((await third).status).toBe(200);
    expect(clock.sleeping).toBe(0);
  });

  it("says nothing more when the handler answers after all", async () => {
    const late = ask("slow");
    await settle();
    clock.advance(LIMIT_MS);
    expect((await late).status).toBe(503);
    pending[0]?.(fakeTip(1));
    await settle();
    expect(clock.sleeping).toBe(0);
  });

  it("keeps its turn when its caller goes away, until the deadline: none begins work beside it", async () => {
    const gone = new AbortController();
    const left = ask("slow", DAG, gone.signal);
    await settle();
    gone.abort();
    const again = ask("slow");
    await settle();
    expect(pending).toHaveLength(1);
    clock.advance(LIMIT_MS);
    await Promise.all([left, again]);
    expect(clock.sleeping).toBe(0);
    const next = ask("slow");
    await settle();
    pending.at(-1)?.(fakeTip(1));
    expect((await next).status).toBe(200);
  });
});

describe("a call whose handler heeds its signal", () => {
  it("gives its turn back as soon as its caller goes away", async () => {
    const signals: AbortSignal[] = [];
    node.ask = (_question, _args, signal?: AbortSignal) => {
      if (signal !== undefined) signals.push(signal);
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("gone")));
      });
    };
    const gone = new AbortController();
    const left = ask("slow", DAG, gone.signal);
    await settle();
    const next = ask("slow", `/api/blocks/${hashOf(1)}`);
    await settle();
    expect(signals).toHaveLength(1);
    gone.abort();
    await left;
    await settle();
    expect(signals).toHaveLength(2);
    clock.advance(LIMIT_MS);
    expect(await (await next).json()).toMatchObject({ code: "http/timeout" });
    expect(clock.sleeping).toBe(0);
  });
});

describe("a call that waits for its turn", () => {
  it("waits no longer than its deadline, and leaves the queue then", async () => {
    const first = ask("slow");
    await settle();
    clock.advance(LIMIT_MS / 2);
    const second = ask("slow");
    await settle();
    clock.advance(LIMIT_MS / 2);
    expect((await first).status).toBe(503);
    await settle();
    expect(pending).toHaveLength(2);
    const third = ask("slow");
    clock.advance(LIMIT_MS / 2);
    expect((await second).status).toBe(503);
    await settle();
    pending.at(-1)?.(fakeTip(1));
    expect((await third).status).toBe(200);
    expect(clock.sleeping).toBe(0);
  });
});
