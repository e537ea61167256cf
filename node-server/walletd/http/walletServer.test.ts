/** The wallet API over a listening server: each route, and each refusal of a request's form. */
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import {
  AS_JSON,
  example,
  refusal,
  ROUTE_NAMES,
  TOKEN,
  WALLET,
  WITH_TOKEN,
} from "../testkit/walletServerFixture.ts";
import { serverOfTest } from "../testkit/serverOfTest.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

const { start, at } = serverOfTest();
const TEN_MIB = 10 * 1024 * 1024;

describe("each route", () => {
  it.each(ROUTE_NAMES)("%s: its example is answered as the table shows it", async (name) => {
    await start();
    const { status, headers, body } = await at().ask(...example(name));
    expect([status, body]).toEqual([
      name === "ready" ? 503 : 200,
      "isCsv" in WALLET_ROUTES[name]
        ? WALLET_ROUTES[name].example.answer
        : JSON.stringify(WALLET_ROUTES[name].example.answer),
    ]);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const token = WALLET_ROUTES[name].credential === "none" ? null : TOKEN;
    expect(at().seen).toMatchObject([{ name, call: { token, idempotencyKey: null } }]);
  });

  it.each(ROUTE_NAMES)("%s: another method is 405 with those it takes", async (name) => {
    await start();
    const [path] = example(name);
    const sharing = ROUTE_NAMES.filter(
      (other) => WALLET_ROUTES[other].path === WALLET_ROUTES[name].path,
    );
    const allowed = [...sharing.map((other) => WALLET_ROUTES[other].method), "OPTIONS"];
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const answer = await at().ask(path, { method, headers: WITH_TOKEN });
      expect(refusal(answer)).toEqual([405, "api/wrong-method"]);
      expect(answer.headers["allow"]).toBe(allowed.join(", "));
    }
    expect(at().seen).toEqual([]);
  });

  it.each(ROUTE_NAMES)("%s: without a token it is refused, where it needs one", async (name) => {
    await start();
    const [path, { headers: _, ...rest }] = example(name);
    const answer = await at().ask(path, { ...rest, headers: AS_JSON });
    const { credential } = WALLET_ROUTES[name];
    if (credential === "none" || credential === "token-if-given") {
      expect(answer.status).toBe(name === "ready" ? 503 : 200);
      expect(at().seen).toMatchObject([{ call: { token: null } }]);
    } else {
      expect(refusal(answer)).toEqual([401, "api/missing-token"]);
      expect(at().seen).toEqual([]);
    }
  });

  it.each(ROUTE_NAMES)(
    "%s: a daemon without seeds refuses it before anything else, where it needs one",
    async (name) => {
      await start({ credentials: { allowDefaultToken: false, custodial: false } });
      const [path, { method }] = example(name);
      const answer = await at().ask(path, {
        method: method ?? "GET",
        body: "{",
        headers: { "X-Wallet-Token": "?" },
      });
      const isCustodial = WALLET_ROUTES[name].credential === "token-and-custodial";
      if (isCustodial) expect(refusal(answer)).toEqual([403, "api/no-custody"]);
      else expect(answer.status).not.toBe(403);
    },
  );

  it.each(ROUTE_NAMES.filter((name) => WALLET_ROUTES[name].method === "POST"))(
    "%s: fields that nobody knows are passed over, absent and mistyped ones are named",
    async (name) => {
      await start();
      const { path: pattern, example: shown } = WALLET_ROUTES[name];
      if (!("body" in shown)) return;
      const body: Readonly<Record<string, unknown>> = { ...shown.body };
      expect((await at().post(pattern, { ...body, later: { a: [1] } })).status).toBe(200);
      for (const key of Object.keys(body)) {
        const mistyped = await at().post(pattern, { ...body, [key]: { a: 1 } });
        expect(refusal(mistyped)).toEqual([422, "api/wrong-type"]);
        expect(JSON.parse(mistyped.body)).toMatchObject({
          field: key,
          error: expect.stringMatching(new RegExp(`^${key} must be `)),
        });
        const rest = Object.fromEntries(Object.entries(body).filter(([other]) => other !== key));
        const absent = await at().post(pattern, rest);
        if (absent.status !== 200)
          expect(JSON.parse(absent.body).error).toMatch(/is missing|must be|^specify /);
      }
    },
  );
});

describe("a token", () => {
  it("has 1 to 128 letters, digits, dashes and underscores, and is trimmed", async () => {
    await start();
    const code = async (token: string) =>
      refusal(await at().ask("/api/wallet/balance", { headers: { "X-Wallet-Token": token } }));
    for (const token of ["a.b", "a/b", "../x", "a b", "a,b", "ä", "x".repeat(129)]) {
      expect(await code(token), token).toEqual([400, "api/bad-token"]);
    }
    for (const token of ["", " "]) expect(await code(token)).toEqual([401, "api/missing-token"]);
    const headers = { "X-Wallet-Token": "  a_B-1  " };
    expect((await at().ask("/api/wallet/balance", { headers })).status).toBe(200);
    expect(at().seen).toMatchObject([{ call: { token: "a_B-1" } }]);
  });

  it("that is malformed has no wallet, says the status", async () => {
    await start();
    expect((await at().ask("/api/status", { headers: { "X-Wallet-Token": "a.b" } })).status).toBe(
      200,
    );
    expect(at().seen).toMatchObject([{ call: { token: null } }]);
  });

  it("may be left out where the operator allows the default wallet", async () => {
    await start({ credentials: { allowDefaultToken: true, custodial: true } });
    expect((await at().ask("/api/wallet/balance")).status).toBe(200);
    expect(at().seen).toMatchObject([{ call: { token: "default" } }]);
  });
});

describe("a bearer token", () => {
  const bearer = "5f".repeat(32);

  it("is at().asked for everywhere but at /health, and before the wallet's", async () => {
    await start({ bearer });
    for (const headers of [{}, { Authorization: "Bearer x" }, { Authorization: bearer }]) {
      for (const path of ["/api/status", "/health/ready", "/nowhere", "/openapi.json"]) {
        const answer = await at().ask(path, { headers: { ...headers, Origin: WALLET } });
        expect(refusal(answer)).toEqual([401, "api/bad-bearer"]);
        expect(answer.headers["access-control-allow-origin"]).toBe(WALLET);
      }
    }
    expect((await at().ask("/health")).status).toBe(200);
    const headers = { ...WITH_TOKEN, Authorization: `Bearer ${bearer}` };
    expect((await at().ask("/api/wallet/balance", { headers })).status).toBe(200);
    const preflight = await at().ask("/api/status", {
      method: "OPTIONS",
      headers: { Origin: WALLET, "Access-Control-Request-Private-Network": "true" },
    });
    expect([preflight.status, preflight.headers["access-control-allow-private-network"]]).toEqual([
      204,
      "true",
    ]);
  });
});

describe("a body", () => {
  const path = "/api/wallet/settings";

  it("is sent as JSON", async () => {
    await start();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/jsonx",
    ]) {
      expect(refusal(await at().post(path, "{}", { "Content-Type": type })), type).toEqual([
        415,
        "api/not-json",
      ]);
    }
    const untyped = await at().ask(path, { method: "POST", headers: WITH_TOKEN, body: "{}" });
    expect(refusal(untyped)).toEqual([415, "api/not-json"]);
    expect(
      (await at().post(path, "{}", { "Content-Type": "application/json; charset=utf-8" })).status,
    ).toBe(200);
    expect(at().seen).toHaveLength(1);
  });

  it("is JSON in UTF-8, and of the right shape", async () => {
    await start();
    for (const text of ["{", "{}{}", "{'a':1}", "NaN"]) {
      expect(refusal(await at().post(path, text)), text).toEqual([400, "codec/bad-json"]);
    }
    const headers = { ...WITH_TOKEN, ...AS_JSON };
    const bytes = await at().ask(path, {
      method: "POST",
      headers,
      body: Uint8Array.of(0x22, 0xff, 0x22),
    });
    expect(refusal(bytes)).toEqual([400, "codec/bad-utf8"]);
    for (const text of ["[]", "7", '"x"', "null"]) {
      expect(refusal(await at().post(path, text)), text).toEqual([422, "api/wrong-type"]);
    }
    const none = await at().ask(path, { method: "POST", headers: WITH_TOKEN });
    expect(refusal(none)).toEqual([422, "api/missing-field"]);
    expect(refusal(await at().post(path, "[".repeat(1_000_000)))).toEqual([400, "codec/bad-json"]);
  });

  it("may be left out where every field may", async () => {
    await start();
    for (const name of ["create", "rescan", "consolidate"] as const) {
      const answer = await at().ask(WALLET_ROUTES[name].path, {
        method: "POST",
        headers: WITH_TOKEN,
      });
      expect(answer.status, name).toBe(200);
    }
  });

  it.each(ROUTE_NAMES)("%s: of 10 MiB is refused before it is read", async (name) => {
    await start();
    const { method } = WALLET_ROUTES[name];
    const [target] = example(name);
    const socket = connect(at().port, "127.0.0.1");
    const head = [`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", `X-Wallet-Token: ${TOKEN}`];
    const type = "Content-Type: application/json";
    socket.write([...head, type, `Content-Length: ${TEN_MIB}`, "\r\n"].join("\r\n"));
    const [first]: unknown[] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1\.1 413 /);
    expect(String(first)).toContain("http/body-too-large");
    socket.destroy();
    expect(at().seen).toEqual([]);
  });

  it("without a length is read as far as the limit", async () => {
    await start();
    const headers = { ...WITH_TOKEN, ...AS_JSON };
    const body = new Uint8Array(TEN_MIB);
    const chunked = at().ask(path, { method: "POST", headers, body, chunked: true });
    const outcome = await chunked.then(refusal, (error: unknown) => error);
    // A client that still writes when the server hangs up may not see the answer.
    if (!(outcome instanceof Error)) expect(outcome).toEqual([413, "http/body-too-large"]);
    expect(at().seen).toEqual([]);
    expect((await at().ask("/health")).status).toBe(200);
  });

  it("that does not arrive ends its connection in bounded time", async () => {
    await start({ bounds: { requestMs: 120, headMs: 100, lookMs: 20 } });
    const { port } = at();
    const socket = connect(port, "127.0.0.1");
    const head = [`POST ${path} HTTP/1.1`, "Host: 127.0.0.1", `X-Wallet-Token: ${TOKEN}`];
    socket.write(
      [...head, "Content-Type: application/json", "Content-Length: 9", "\r\n{"].join("\r\n"),
    );
    socket.on("error", () => {}).resume();
    await once(socket, "close");
    expect(at().seen).toEqual([]);
  });

  it("bodies that wait take bounded room together", async () => {
    await start();
    const { port } = at();
    const head = [`POST ${path} HTTP/1.1`, "Host: 127.0.0.1", `X-Wallet-Token: ${TOKEN}`];
    const most = WALLETD_LIMITS.httpBodiesBytes / WALLETD_LIMITS.httpBodyBytes;
    const length = `Content-Length: ${WALLETD_LIMITS.httpBodyBytes}`;
    const answers: string[] = [];
    const sockets = Array.from({ length: most + 4 }, () => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.on("data", (data) => answers.push(String(data)));
      socket.write([...head, "Content-Type: application/json", length, "\r\n{"].join("\r\n"));
      return socket;
    });
    await expect.poll(() => answers.length).toBe(4);
    for (const text of answers) expect(text).toMatch(/^HTTP\/1\.1 503 [^]*http\/unavailable/);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await at().post(path, {})).status).toBe(200);
  });
});
