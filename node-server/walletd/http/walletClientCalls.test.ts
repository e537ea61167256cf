/** The typed client and the server, which are made from one table, against each other: every method, over a socket. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { WalletClient, type CallOptions } from "@svc/shared/protocol/wallet/walletClient.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { ROUTE_NAMES, TOKEN, WalletServerFixture } from "../testkit/walletServerFixture.ts";
import { StartedJob } from "./walletHandlers.ts";

const options: CallOptions = { signal: new AbortController().signal };
const bodies = {
  create: WALLET_ROUTES.create.example.body,
  import: WALLET_ROUTES.import.example.body,
  watch: WALLET_ROUTES.watch.example.body,
};
const payment = { to: "svc:x", amount_sompi: 18_446_744_073_709_551_615n };

let fixture: WalletServerFixture;
let client: WalletClient;

beforeEach(async () => {
  fixture = await WalletServerFixture.start();
  client = new WalletClient({ baseUrl: fixture.server.address, token: TOKEN });
});
afterEach(() => fixture.stop());

it("each method reaches its handler, and its answer is read", async () => {
  const { fvk_hex } = WALLET_ROUTES.prepare.example.body;
  const results = {
    health: await client.health(options),
    live: await client.live(options),
    ready: await client.ready(options),
    status: await client.status(options),
    create: await client.create({ birthday: String(bodies.create.birthday) }, options),
    import: await client.import({ seed_hex: bodies.import.seed_hex }, options),
    watch: await client.watch({ fvk_hex: bodies.watch.fvk_hex, birthday: 7n }, options),
    address: await client.address({ index: "7" }, options),
    reveal: await client.reveal(options),
    sign: await client.sign({ message: "é" }, options),
    verify: await client.verify(WALLET_ROUTES.verify.example.body, options),
    balance: await client.balance({}, options),
    history: await client.history({ limit: "50" }, options),
    settings: await client.settings({ recoverable_history: true }, options),
    rescan: await client.rescan(undefined, options),
    send: await client.send(payment, { ...options, idempotencyKey: "order-17" }),
    sendMany: await client.sendMany({ payees: [payment], fee: 9n }, options),
    consolidate: await client.consolidate({ heal: true }, options),
    prepare: await client.prepare({ fvk_hex, ...payment }, options),
    submit: await client.submit(
      { session: "5e".repeat(24), sigs: [{ index: "0", sig: "00".repeat(64) }] },
      options,
    ),
    discard: await client.discard({ session: "5e".repeat(24) }, options),
    disclosure: await client.disclosure({ txid: "ab".repeat(32) }, options),
    receipt: await client.receipt({ txid: "ab".repeat(32) }, options),
    job: await client.job("7f3a", options),
    cancelJob: await client.cancelJob("7f3a", options),
    events: await client.events({ after: 41n }, options),
    webhooks: await client.webhooks({ dead: "1" }, options),
    redeliver: await client.redeliver("evt_1", options),
    createToken: await client.createToken({ scope: ["view"] }, options),
    tokens: await client.tokens(options),
    revokeToken: await client.revokeToken("9c".repeat(16), options),
    approvals: await client.approvals(options),
    approve: await client.approve("7f3a", options),
    deny: await client.deny("7f3a", options),
    payout: await client.estimatePayout({ format: "csv", data: "to,amount" }, options),
    payoutReport: await client.payoutReport("7f3a", options),
    warmChainTree: await client.warmChainTree(options),
    warmWallet: await client.warmWallet(options),
  };
  expect(Object.keys(results)).toEqual(ROUTE_NAMES);
  expect(fixture.seen.map(({ name }) => name)).toEqual(ROUTE_NAMES);
  expect(fixture.seen.find(({ name }) => name === "send")?.call).toMatchObject({
    body: { amount: payment.amount_sompi },
    idempotencyKey: "order-17",
  });
  expect(results.prepare).toMatchObject({
    value_balance: 1_855_400n,
    preparedPayment: { amount: 150_000_000n },
  });
  expect(results.history.rows).toMatchObject([{ amount: 250_000_000n, amountSvc: "2.5" }]);
});

it("a job is begun, and a refusal keeps its code and data", async () => {
  await fixture.stop();
  fixture = await WalletServerFixture.start({
    handlers: { sendMany: () => Promise.resolve(new StartedJob("7f3a")) },
  });
  client = new WalletClient({ baseUrl: fixture.server.address, token: TOKEN });
  expect(await client.begin("sendMany", { payees: [payment] }, options)).toBe("7f3a");
  await expect(client.send({ to: "svc:x", amount_sompi: 0n }, options)).rejects.toMatchObject({
    code: "api/bad-field",
    data: { field: "amount" },
  });
  const stranger = new WalletClient({ baseUrl: fixture.server.address, token: null });
  expect(await rejectionCode(stranger.reveal(options))).toBe("api/missing-token");
});
