/** The typed client against scripted answers: daemons of other versions, proxies, and lines that fail. */
import { describe, expect, it } from "vitest";
import { rejectionCode } from "../../base/testkit/rejectionCode.ts";
import { SvcError } from "../../base/svcError.ts";
import { clientContract } from "../contract/testkit/clientContract.ts";
import { jsonAnswer } from "../contract/testkit/jsonAnswer.ts";
import { scriptedFetch, type ScriptedAnswer } from "../contract/testkit/scriptedFetch.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";
import { WalletClient, type WalletClientParts } from "./walletClient.ts";
import { WALLET_ROUTES } from "./walletRoutes.ts";

const signal = new AbortController().signal;
const TOKEN = "0123456789abcdef0123456789abcdef";

/** A client whose requests are answered by `answer`. */
function clientOf(
  answer: ScriptedAnswer,
  timeout?: AbortSignal,
  over: Pick<WalletClientParts, "onlyWhenReady"> = {},
) {
  const { fetch, sent } = scriptedFetch(answer);
  const client = new WalletClient({
    baseUrl: "http://daemon/",
    token: TOKEN,
    bearer: "b",
    ...over,
    fetch,
    ...(timeout === undefined ? {} : { timeout: () => timeout }),
  });
  return { client, sent };
}

describe("a request", () => {
  it("carries token, bearer, key and exact amounts, and follows no redirect", async () => {
    const { client, sent } = clientOf(() => jsonAnswer(WALLET_ROUTES.send.example.answer));
    const body = { to: "svc:x", amount_sompi: 18_446_744_073_709_551_615n };
    const result = await client.send(body, { signal, idempotencyKey: "k" });
    expect(result).toMatchObject({ amount_sompi: 150_000_000n, tx_count: 1 });
    expect(sent).toMatchObject([
      {
        url: "http://daemon/api/wallet/send",
        init: {
          method: "POST",
          redirect: "error",
          credentials: "omit",
          headers: {
            "X-Wallet-Token": TOKEN,
            Authorization: "Bearer b",
            "Idempotency-Key": "k",
            "Content-Type": "application/json",
          },
          body: '{"to":"svc:x","amount_sompi":"18446744073709551615"}',
        },
      },
    ]);
  });

  it("writes paths and queries", async () => {
    const { client, sent } = clientOf(({ url }) =>
      jsonAnswer(
        url.includes("events")
          ? WALLET_ROUTES.events.example.answer
          : WALLET_ROUTES.job.example.answer,
      ),
    );
    await client.job("a/../b", { signal });
    await client.cancelJob("7f3a", { signal });
    await client.events({ after: 7n, limit: "2" }, { signal });
    expect(sent.map(({ url }) => url)).toEqual([
      "http://daemon/api/jobs/a%2F..%2Fb",
      "http://daemon/api/jobs/7f3a/cancel",
      "http://daemon/api/wallet/events?after=7&limit=2",
    ]);
  });

  it("begins a job where asked", async () => {
    const { client, sent } = clientOf(() => jsonAnswer({ job: "7f3a" }, 202));
    expect(await client.begin("consolidate", {}, { signal })).toBe("7f3a");
    expect(sent[0]?.url).toBe("http://daemon/api/wallet/consolidate?job=1");
  });
});

describe("an answer", () => {
  const whole = WALLET_ROUTES.status.example.answer;

  it.each(Object.keys(whole).filter((key) => key !== "network"))(
    "of a daemon without the status field %s is read",
    async (key) => {
      const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key));
      const { client } = clientOf(() => jsonAnswer({ ...rest, later: { a: 1 } }));
      const status = await client.status({ signal });
      if (key === "spend_ready") expect(status.spend_ready).toBe(false);
      else expect(status.spend_ready).toBe(true);
    },
  );

  it("is exact beyond 2^53", async () => {
    const { client } = clientOf(
      () =>
        new Response(
          JSON.stringify({ ...WALLET_ROUTES.balance.example.answer, notes: "N" }).replace(
            '"N"',
            '[{"position":1,"value":18446744073709551615}]',
          ),
        ),
    );
    const { notes } = await client.balance({ notes: "1" }, { signal });
    expect(notes).toEqual([{ position: 1, value: 18_446_744_073_709_551_615n }]);
  });

  it("tells that the daemon is not ready, with its reasons", async () => {
    const { client } = clientOf(() => jsonAnswer(WALLET_ROUTES.ready.example.answer, 503));
    expect(await client.ready({ signal })).toMatchObject({ ready: false });
  });

  it("that refuses keeps its code and data", async () => {
    const body = { error: "The fee would be 2.", code: "wallet/fee-too-high", fee: "2", max: "1" };
    const { client } = clientOf(() => jsonAnswer(body, 422));
    const error: unknown = await client.status({ signal }).catch((thrown: unknown) => thrown);
    expect(SvcError.is(error, "wallet/fee-too-high") && error.data).toEqual({ fee: "2", max: "1" });
  });
});

clientContract({
  call: async (answer, caller, timeout) =>
    clientOf(answer, timeout).client.status({ signal: caller }),
  mistyped: { ...WALLET_ROUTES.status.example.answer, balance_sompi: -1 },
  codes: "api",
});

describe("a client that pays only when the wallet is ready", () => {
  const { example: status } = WALLET_ROUTES.status;
  const calls: readonly (readonly [string, (client: WalletClient) => Promise<unknown>])[] = [
    ["send", (client) => client.send({ to: "svc:x", amount_sompi: 1n }, { signal })],
    ["send as a job", (client) => client.begin("send", { to: "x", amount_sompi: 1n }, { signal })],
    ["sendMany", (client) => client.sendMany({ payees: [] }, { signal })],
    ["consolidate", (client) => client.consolidate({}, { signal })],
    [
      "prepare",
      (client) => client.prepare({ fvk_hex: "00", to: "x", amount_sompi: 1n }, { signal }),
    ],
    ["payout", (client) => client.begin("payout", { format: "json", data: "[]" }, { signal })],
  ];
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  const answering = (...said: readonly object[]) => {
    const left = [...said];
    const next = () => (left.length > 1 ? left.shift() : left[0]);
    return clientOf(({ url }) => jsonAnswer(url.endsWith("/api/status") ? next() : {}), undefined, {
      onlyWhenReady: { pause },
    });
  };
  const fields = Object.keys(status.answer);

  it.each(calls)("sends nothing without spend_ready: %s", async (_, call) => {
    for (const said of [
      { ...status.answer, spend_ready: false },
      { network: "n", synced: true },
    ]) {
      const { client, sent } = answering(said);
      expect(await rejectionCode(call(client))).toBe("signer/not-ready");
      expect(sent.map(({ url }) => url)).toEqual(["http://daemon/api/status"]);
    }
  });

  it.each(fields.filter((field) => field !== "network"))(
    "takes a status without %s, and sends only with spend_ready",
    async (field) => {
      const said = Object.fromEntries(
        Object.entries({ ...status.answer, later: 1 }).filter(([name]) => name !== field),
      );
      const { client, sent } = answering(said);
      const code = await rejectionCode(client.send({ to: "svc:x", amount_sompi: 1n }, { signal }));
      const isReady = field !== "spend_ready";
      expect(code).toBe(isReady ? "api/bad-answer" : "signer/not-ready");
      expect(sent).toHaveLength(isReady ? 2 : 1);
    },
  );

  it.each(calls)("waits for a wallet that is being opened: %s", async (_, call) => {
    pauses.length = 0;
    const loading = { ...status.answer, spend_ready: false, loading: true };
    const { client, sent } = answering(loading, loading, { ...status.answer, spend_ready: true });
    await rejectionCode(call(client));
    const asked = sent.map(({ url }) => url.endsWith("/api/status"));
    expect(asked).toEqual([true, true, true, false]);
    const { readyPauseMs } = PROTOCOL_LIMITS;
    expect(pauses).toEqual([readyPauseMs, readyPauseMs]);
  });

  it("asks nothing before calls that begin no payment, a submit among them", async () => {
    const { client, sent } = answering({ ...status.answer, spend_ready: false });
    await rejectionCode(client.submit({ session: "s", sigs: [] }, { signal }));
    await rejectionCode(client.history({}, { signal }));
    expect(sent.map(({ url }) => url)).toEqual([
      "http://daemon/api/wallet/submit",
      "http://daemon/api/wallet/history",
    ]);
  });
});
