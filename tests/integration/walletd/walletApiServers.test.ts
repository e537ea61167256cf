/** The contract of the wallet API for the servers of shops and exchanges: scoped tokens, approvals, payouts from files, and webhooks. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { webhookUrl } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { startTestNode } from "../node/nodeFixture.ts";
import {
  ALICE,
  answersToNobody,
  answersWithoutNode,
  BAD_ADDRESSES,
  bobFvk,
  COIN,
  fixture,
  fund,
  options,
  payment,
  payoutFile,
  serverRows,
  WATCHED,
} from "./walletApiCalls.ts";
import { untilFound } from "../node/untilFound.ts";
import { WalletApiScene } from "./walletApiScene.ts";
import { unlikeListed } from "./walletApiUnprovoked.ts";

const { alice, bob, carol } = fixture.owners;
const ROWS = serverRows();
const UNKNOWN = "0f".repeat(16);
const webhook = {
  url: webhookUrl("http://127.0.0.1:1/hook", "loopback"),
  reach: "loopback",
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
} as const;

let node: RunningNode;
let scene: WalletApiScene;

beforeAll(async () => {
  node = await startTestNode(null);
  scene = await WalletApiScene.start({ node: node.grpcAddress ?? "", webhook });
  await fund(node);
  await scene.client(ALICE).import({ seed_hex: alice.seed }, options);
  await scene.client(WATCHED).watch({ fvk_hex: bobFvk }, options);
  await scene.untilAtTip(node, ALICE);
  await scene.untilAtTip(node, WATCHED);
});
afterAll(async () => {
  await scene.stop();
  await node.stop();
});
afterEach(() => expect([...scene.defects]).toEqual([]));

/** A job when it has ended. */
async function ended(id: string): Promise<unknown> {
  return untilFound(async () => {
    const job = await scene.client(ALICE).job(id, options);
    return job.state !== "waiting" && job.state !== "running" && job;
  });
}

it("a scoped token spends within its limits, and above them with its owner's approval", async () => {
  const owner = scene.client(ALICE);
  const limits = { day_limit_sompi: 5n * COIN, approval_above_sompi: COIN, payees: [bob.address] };
  const made = await owner.createToken({ label: "payouts", scope: ["spend"], ...limits }, options);
  const server = scene.client(made.token);
  const asked = (over: object) => ({ ...payment(over), token: made.token });
  expect(await scene.code("send", asked({ to: carol.address }))).toBe(
    "403 wallet/payee-not-allowed",
  );
  expect(await scene.code("send", asked({ amount_sompi: String(9n * COIN) }))).toBe(
    "403 wallet/day-limit",
  );
  expect(await scene.code("tokens", { token: made.token })).toBe("403 wallet/scope");
  const body = { to: bob.address, amount_sompi: 2n * COIN };
  const calls = [1, 2].map((call) => ({ ...options, idempotencyKey: `held-${call}` }));
  const held = await Promise.all(calls.map((call) => server.begin("send", body, call)));
  const { approvals } = await owner.approvals(options);
  expect(new Set(approvals.map(({ job }) => job))).toEqual(new Set(held));
  expect(approvals[0]).toMatchObject({ token_id: made.id, amount_sompi: 2n * COIN, payees: 1 });
  const [first = "", second = ""] = held;
  expect(await owner.deny(second, options)).toMatchObject({ state: "cancelled" });
  await owner.approve(first, options);
  expect(await ended(first)).toMatchObject({ state: "done" });
  for (const name of ["approve", "deny"] as const) {
    const again = { token: ALICE, params: { id: first } };
    expect(await scene.code(name, again)).toBe("404 wallet/not-awaiting");
  }
  expect((await owner.revokeToken(made.id, options)).revoked_unix).not.toBeNull();
  expect((await owner.tokens(options)).tokens).toHaveLength(1);
  expect(await scene.code("balance", { token: made.token })).toBe("401 api/unknown-token");
});

it("a scoped token is refused for what is wrong with it", async () => {
  const create = (over: object) => ({ token: ALICE, body: { scope: ["spend"], ...over } });
  const [[badAddress]] = BAD_ADDRESSES;
  expect(await scene.code("createToken", create({ expires_unix: 1 }))).toBe(
    "400 wallet/bad-scoped-token",
  );
  expect(await scene.code("createToken", create({ payees: [badAddress] }))).toBe(
    "400 address/bad-checksum",
  );
  const unknown = { token: ALICE, params: { id: UNKNOWN } };
  expect(await scene.code("revokeToken", unknown)).toBe("404 wallet/no-scoped-token");
});

it("a file of payouts is estimated, paid once, and reported", async () => {
  const owner = scene.client(ALICE);
  const body = { format: "csv", data: payoutFile("0.25") } as const;
  const estimate = await owner.estimatePayout(body, options);
  expect(estimate).toMatchObject({ payouts: 1, total_sompi: COIN / 4n, faults: [] });
  const faulty = { ...body, data: `${body.data}nowhere,1,\n` };
  expect((await owner.estimatePayout(faulty, options)).faults).toMatchObject([{ line: 3 }]);
  const call = { ...options, idempotencyKey: "file-1" };
  const id = await owner.begin("payout", body, call);
  expect(await owner.begin("payout", body, call)).toBe(id);
  expect(await ended(id)).toMatchObject({ state: "done" });
  expect(await owner.begin("payout", body, call)).toBe(id);
  const report = await owner.payoutReport(id, options);
  expect(report).toMatch(
    /\r\n2,order-17,svcsim:\w+,0\.25,25000000,sent,25000000,[0-9a-f]{64},,\r\n/,
  );
  const other = { body: { ...body, data: payoutFile("0.5") } };
  const headers = { "Idempotency-Key": "file-1" };
  const refusals = [
    [{ token: ALICE, headers, ...other }, "409 wallet/key-reused"],
    [{ token: ALICE, body: faulty }, "400 wallet/bad-payout-file"],
    [{ token: WATCHED, body }, "403 wallet/watch-only"],
  ] as const;
  for (const [asked, code] of refusals) expect(await scene.code("payout", asked)).toBe(code);
  const stranger = { token: ALICE, params: { id: UNKNOWN } };
  expect(await scene.code("payoutReport", stranger)).toBe("404 wallet/no-job");
  const much = { ...body, data: payoutFile("9000000"), dry_run: true };
  expect(await scene.code("payout", { token: ALICE, body: much })).toMatch(
    / wallet\/insufficient-funds$/,
  );
  const dear = { ...body, dry_run: true, max_fee: "1" };
  expect(await scene.code("payout", { token: ALICE, body: dear })).toMatch(
    / wallet\/fee-too-high$/,
  );
});

it("deliveries to the webhook are listed and sent again", async () => {
  const owner = scene.client(ALICE);
  const [delivery] = (await owner.webhooks({ limit: "1" }, options)).deliveries;
  expect(delivery?.id).toMatch(/^evt_/);
  expect(await owner.redeliver(delivery?.id ?? "", options)).toMatchObject({ id: delivery?.id });
  expect(await scene.code("redeliver", { token: ALICE, params: { id: "evt_0" } })).toBe(
    "404 webhook/no-delivery",
  );
});

it("the table lists what comes and nothing else", async () => {
  const lonely = await WalletApiScene.start({ node: "127.0.0.1:1" });
  try {
    await answersWithoutNode(lonely, ROWS);
    await lonely.client(WATCHED).watch({ fvk_hex: bobFvk }, options);
    expect(await scene.client(WATCHED).webhooks({}, options)).toBeDefined();
    expect((await lonely.client(WATCHED).webhooks({}, options)).deliveries).toEqual([]);
    const asked = { token: WATCHED, params: { id: "evt_0" } };
    expect(await lonely.code("redeliver", asked)).toMatch(/ webhook\/not-set-up$/);
    expect([...lonely.defects]).toEqual([]);
    for (const refusal of lonely.refusals) scene.refusals.add(refusal);
  } finally {
    await lonely.stop();
  }
  await answersToNobody(scene, ROWS);
  for (const name of ROWS) expect(scene.served).toContain(name);
  expect(unlikeListed(ROWS, scene.refusals)).toEqual({ missing: [], needless: [] });
});
