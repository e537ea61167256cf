/** The wallet API against pages that are not its own, many callers at once, callers that leave, and its own end. */
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import {
  example,
  refusal,
  ROUTE_NAMES,
  WALLET,
  WITH_TOKEN,
} from "../testkit/walletServerFixture.ts";
import { serverOfTest } from "../testkit/serverOfTest.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { RefusalWith, StartedJob } from "./walletHandlers.ts";

const { start, at } = serverOfTest();

describe("what is nowhere", () => {
  it("is 404 as JSON", async () => {
    await start();
    for (const path of [
      "/",
      "/api",
      "/api/wallet/nothing",
      "/api/status/",
      "//",
      "/api/jobs/a/b",
    ]) {
      expect(refusal(await at().ask(path, { headers: WITH_TOKEN })), path).toEqual([
        404,
        "http/not-found",
      ]);
    }
  });
});

describe("pages", () => {
  it("under another name are answered nothing (DNS rebinding)", async () => {
    await start();
    for (const name of ROUTE_NAMES) {
      const [path, sent] = example(name);
      const headers = { ...sent.headers, Host: "evil.example:8501" };
      expect(refusal(await at().ask(path, { ...sent, headers })), name).toEqual([
        421,
        "http/foreign-host",
      ]);
    }
    expect([at().seen, at().asked]).toEqual([[], 0]);
  });

  it("of a foreign origin are answered nothing", async () => {
    await start();
    for (const foreign of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
    ]) {
      for (const name of ROUTE_NAMES) {
        const [path, sent] = example(name);
        const headers = { ...sent.headers, ...foreign };
        const answer = await at().ask(path, { ...sent, headers });
        expect(refusal(answer), name).toEqual([403, "http/foreign-origin"]);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
    const preflight = await at().ask("/api/status", {
      method: "OPTIONS",
      headers: { Origin: "https://evil.example" },
    });
    expect(refusal(preflight)).toEqual([403, "http/foreign-origin"]);
    expect(at().seen).toEqual([]);
  });

  it("of an origin that the operator lists may use it, and read what goes wrong", async () => {
    await start();
    const headers = { Origin: WALLET };
    const preflight = await at().ask("/api/wallet/send", { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers]).toMatchObject([
      204,
      {
        "access-control-allow-origin": WALLET,
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers":
          "content-type, authorization, x-wallet-token, idempotency-key",
        vary: "Origin",
      },
    ]);
    expect(preflight.headers["access-control-allow-credentials"]).toBeUndefined();
    expect(preflight.headers["access-control-allow-private-network"]).toBeUndefined();
    for (const [path, status] of [
      ["/api/status", 200],
      ["/api/wallet/balance", 401],
      ["/x", 404],
    ] as const) {
      const answer = await at().ask(path, { headers });
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([
        status,
        WALLET,
      ]);
    }
    const program = await at().ask("/api/status");
    expect(program.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("calls", () => {
  const sent = { to: "svc:x", amount_sompi: "9007199254740993" };

  it("reach their handlers with what they carry", async () => {
    await start();
    await at().post("/api/wallet/send?job=0", sent, { "Idempotency-Key": "order-17/1" });
    await at().ask("/api/wallet/events?after=18446744073709551615&limit=9999999", {
      headers: WITH_TOKEN,
    });
    await at().ask("/api/jobs/7f3a", { headers: WITH_TOKEN });
    expect(at().seen).toMatchObject([
      {
        call: {
          body: { to: "svc:x", amount: 9_007_199_254_740_993n },
          idempotencyKey: "order-17/1",
          query: { job: false },
        },
      },
      { call: { query: { after: 18_446_744_073_709_551_615n, limit: 5_000 } } },
      { call: { params: { id: "7f3a" } } },
    ]);
    expect(at().asked).toBe(3);
    await at().ask("/health/live");
    await at().ask("/api/status", { method: "OPTIONS" });
    expect(at().asked).toBe(3);
  });

  it("have a key of visible ASCII, or none", async () => {
    await start();
    for (const key of ["", "a b", "x".repeat(256), "ä"]) {
      const answer = await at().post("/api/wallet/send", sent, { "Idempotency-Key": key });
      expect(refusal(answer), key).toEqual([400, "api/bad-field"]);
    }
    expect(at().seen).toEqual([]);
  });

  it("have queries of the right form", async () => {
    await start();
    for (const query of [
      "address?index=x",
      "address?index=4294967296",
      "history?limit=-1",
      "events?after=x",
    ]) {
      const answer = await at().ask(`/api/wallet/${query}`, { headers: WITH_TOKEN });
      expect(refusal(answer), query).toEqual([400, "api/bad-field"]);
    }
  });

  it("that last may be begun as jobs", async () => {
    await start({ handlers: { send: () => Promise.resolve(new StartedJob("7f3a")) } });
    const { status, headers, body } = await at().post("/api/wallet/send?job=1", sent);
    expect([status, headers["location"], body]).toEqual([202, "/api/jobs/7f3a", '{"job":"7f3a"}']);
  });

  it("that fail are answered by the registry, and a defect tells no secret", async () => {
    await start({
      handlers: {
        send: () => Promise.reject(new SvcError("wallet/fee-too-high", { fee: 2, max: 1 })),
        reveal: () => Promise.reject(new SvcError("wallet/no-wallet", {})),
      },
    });
    expect(refusal(await at().post("/api/wallet/send", sent))).toEqual([
      422,
      "wallet/fee-too-high",
    ]);
    expect(refusal(await at().ask("/api/wallet/reveal", { headers: WITH_TOKEN }))).toEqual([
      404,
      "wallet/no-wallet",
    ]);
  });

  it("that fail in part tell what was done", async () => {
    const refused = new SvcError("wallet/payment-rejected", { txid: "cd", reason: "full." });
    const fields = { txids: ["ab"], sent_sompi: 9_007_199_254_740_993n };
    await start({
      handlers: { send: () => Promise.reject(new RefusalWith(refused, fields)) },
    });
    const answer = await at().post("/api/wallet/send", sent, { Origin: WALLET });
    expect(refusal(answer)).toEqual([502, "wallet/payment-rejected"]);
    expect(JSON.parse(answer.body)).toMatchObject({
      txids: ["ab"],
      sent_sompi: "9007199254740993",
      reason: "full.",
    });
    expect(answer.headers["access-control-allow-origin"]).toBe(WALLET);
  });

  it("that went out in part says what went out as a list", async () => {
    const sent = WALLET_ROUTES.send.example.body;
    const data = { sent: 1, total: 2, sompi: "7", txids: "ab,cd", reason: "full." };
    const refused = new SvcError("wallet/partly-sent", data);
    const fields = { txids: ["ab", "cd"], sent_sompi: "7" };
    await start({ handlers: { send: () => Promise.reject(new RefusalWith(refused, fields)) } });
    const { body } = await at().post("/api/wallet/send", sent);
    expect(JSON.parse(body)).toMatchObject({ code: "wallet/partly-sent", ...fields });
  });

  it("a thousand at once are all answered", async () => {
    const gate = Promise.withResolvers<void>();
    await start({
      handlers: {
        balance: async () => {
          await gate.promise;
          return WALLET_ROUTES.balance.example.answer;
        },
      },
    });
    const all = Array.from({ length: 1_000 }, () =>
      at().ask("/api/wallet/balance", { headers: WITH_TOKEN }),
    );
    await expect.poll(() => at().asked).toBe(1_000);
    gate.resolve();
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("beyond the bound are told to come later, and the others go on", async () => {
    const gate = Promise.withResolvers<void>();
    await start({
      handlers: {
        balance: async () => {
          await gate.promise;
          return WALLET_ROUTES.balance.example.answer;
        },
      },
    });
    const most = WALLETD_LIMITS.httpCallsAtOnce;
    const all = Array.from({ length: most }, () =>
      at().ask("/api/wallet/balance", { headers: WITH_TOKEN }),
    );
    await expect.poll(() => at().asked).toBe(most);
    expect(refusal(await at().ask("/health"))).toEqual([503, "http/unavailable"]);
    gate.resolve();
    expect((await Promise.all(all)).every(({ status }) => status === 200)).toBe(true);
    expect((await at().ask("/health")).status).toBe(200);
  });

  it("too many of one host are refused with the time to wait", async () => {
    const requests = {
      each: { perSecond: 1, burst: 2 },
      all: { perSecond: 9, burst: 9 },
      sources: 8,
    };
    await start({ shares: { requests } });
    await at().ask("/health");
    await at().ask("/health");
    const refused = await at().ask("/health");
    expect([refusal(refused), refused.headers["retry-after"]]).toEqual([
      [429, "http/too-many-requests"],
      "1",
    ]);
  });
});

describe("a caller that leaves", () => {
  /** Leaves in the middle of a call, and tells whether its work was aborted before it was let go on. */
  async function leaves(name: "balance" | "send"): Promise<boolean> {
    const running = Promise.withResolvers<AbortSignal>();
    const gate = Promise.withResolvers<void>();
    const wait = async (signal: AbortSignal): Promise<void> => {
      running.resolve(signal);
      signal.addEventListener("abort", () => gate.resolve());
      await gate.promise;
    };
    await start({
      handlers: {
        balance: async ({ signal }) => {
          await wait(signal);
          return WALLET_ROUTES.balance.example.answer;
        },
        send: async ({ signal }) => {
          await wait(signal);
          return WALLET_ROUTES.send.example.answer;
        },
      },
    });
    const leave = new AbortController();
    const [path, { headers = {}, method = "GET", body }] = example(name);
    const gone = fetch(`${at().server.address}${path}`, {
      method,
      headers,
      signal: leave.signal,
      ...(typeof body === "string" ? { body } : {}),
    }).catch(() => null);
    const signal = await running.promise;
    leave.abort();
    await gone;
    // The connection is closed when the server has counted it out: another call comes after it.
    await at().ask("/health");
    await at().ask("/health");
    const aborted = signal.aborted;
    gate.resolve();
    return aborted;
  }

  it("ends a question", async () => {
    expect(await leaves("balance")).toBe(true);
  });

  it("does not end a payment", async () => {
    expect(await leaves("send")).toBe(false);
  });
});

describe("a stop", () => {
  it("lets calls in progress end, then refuses connections; twice does no harm", async () => {
    const running = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { server } = await start({
      handlers: {
        send: async () => {
          running.resolve();
          await gate.promise;
          return WALLET_ROUTES.send.example.answer;
        },
      },
    });
    const payment = at().ask(...example("send"));
    await running.promise;
    const stopped = server.stop();
    gate.resolve();
    expect((await payment).status).toBe(200);
    await Promise.all([stopped, server.stop()]);
    await expect(at().ask("/health")).rejects.toThrow("ECONNREFUSED");
  });

  it("aborts what does not end in time", async () => {
    const clock = new ManualClock(0n);
    const running = Promise.withResolvers<void>();
    const { server } = await start({
      clock,
      handlers: {
        send: ({ signal }) => {
          running.resolve();
          return new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
          });
        },
      },
    });
    const payment = at()
      .ask(...example("send"))
      .catch(() => null);
    await running.promise;
    const stopped = server.stop();
    clock.advance(WALLETD_LIMITS.httpDrainMs);
    await stopped;
    await payment;
  });
});
