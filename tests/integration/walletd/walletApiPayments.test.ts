/**
 * The contract of the wallet API: payments, jobs, devices and the feed, with real proofs, over the daemon as programs start it and a
 * real node. What every answer agrees with is said in `walletApiScene.ts`.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { asDaaScore, asSompi } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { daemonRefusal } from "@svc/shared/signer/daemonRefusal.ts";
import { DeviceSigner } from "@svc/shared/signer/deviceSigner.ts";
import type { WalletDaemon } from "@svc/shared/signer/walletDaemon.ts";
import { core, simnet } from "../engine/engineFixture.ts";
import { never, runningClock, startTestNode } from "../node/nodeFixture.ts";
import {
  ALICE,
  answersToNobody,
  answersWithoutNode,
  BAD_ADDRESSES,
  bobFvk,
  COIN,
  DEVICE,
  DEVICE_BYTE,
  exampleWith,
  fixture,
  fund,
  mine,
  options,
  payment,
  rowsOf,
  SPENDERS,
  UNKNOWN_FIELDS,
  UNKNOWN_QUERY,
  WATCHED,
} from "./walletApiCalls.ts";
import {
  recordOf,
  ROUTE_NAMES,
  WalletApiScene,
  type Answered,
  type Asked,
} from "./walletApiScene.ts";
import { unlikeListed } from "./walletApiUnprovoked.ts";

const { alice, bob, carol } = fixture.owners;
const ROWS = rowsOf(["spend", "device", "proofs", "jobs", "events"]);
const device = new DeviceSigner(core, simnet, new Secret(new Uint8Array(32).fill(DEVICE_BYTE)));

let node: RunningNode;
let scene: WalletApiScene;

beforeAll(async () => {
  node = await startTestNode(null);
  scene = await WalletApiScene.start({ node: node.grpcAddress ?? "" });
  await fund(node);
  await scene.client(ALICE).import({ seed_hex: alice.seed }, options);
  await scene.client(WATCHED).watch({ fvk_hex: bobFvk }, options);
  await scene.client(DEVICE).watch({ fvk_hex: device.account.fvk, birthday: 0n }, options);
});
afterAll(async () => {
  await scene.stop();
  await node.stop();
});
afterEach(() => expect([...scene.defects]).toEqual([]));

/** The daemon as a device calls it. */
function withKey(headers: Readonly<Record<string, string>>): WalletDaemon {
  return {
    status: async () => textOf(await scene.ask("status", { token: DEVICE })),
    prepare: async (body) => textOf(await scene.ask("prepare", { token: DEVICE, body })),
    submit: async (body) => textOf(await scene.ask("submit", { token: DEVICE, body, headers })),
    pause: (ms, signal) => runningClock.sleep(ms, signal),
  };
}

function textOf({ status, json }: Answered): string {
  if (status !== 200) throw daemonRefusal(status, JSON.stringify(json));
  return JSON.stringify(json);
}

/** A payment that is repeated, with fields that nobody knows too, is answered as it was. */
async function expectAnswered(
  name: (typeof SPENDERS)[number],
  body: object,
  key: string,
): Promise<void> {
  const asked = { token: ALICE, body, headers: { "Idempotency-Key": key } };
  const plain = await scene.ask(name, asked);
  expect([name, plain.status]).toEqual([name, 200]);
  const more = { query: UNKNOWN_QUERY, body: { ...body, ...UNKNOWN_FIELDS } };
  expect(await scene.ask(name, { ...asked, ...more })).toEqual(plain);
}

describe("payments", () => {
  it("are refused for what they lack, and nothing is sent", async () => {
    const huge = String(10n ** 18n);
    const tooMany = payment({ amount_sompi: huge });
    await scene.untilAtTip(node, ALICE);
    const over = (asked: Asked) => scene.code("send", asked);
    expect(await over(tooMany)).toBe("409 wallet/insufficient-funds");
    expect(await over(payment({ memo: "m".repeat(513) }))).toBe("400 wallet/memo-too-long");
    expect(await over(payment({ amount_sompi: "0" }))).toBe("400 api/bad-field");
    for (const [to, code] of BAD_ADDRESSES)
      expect([to, await over(payment({ to }))]).toEqual([to, `400 ${code}`]);
    const payees = [payment().body, payment().body];
    const all = {
      token: ALICE,
      body: { payees: [payment({ amount_sompi: String(2n ** 64n - 1n) }).body, ...payees] },
    };
    expect(await scene.code("sendMany", all)).toBe("400 codec/number-out-of-range");
    expect(await scene.code("sendMany", { token: ALICE, body: { payees: [tooMany.body] } })).toBe(
      "409 wallet/insufficient-funds",
    );
    const crowd = {
      payees: Array.from({ length: 10_001 }, () => ({ to: bob.address, amount_sompi: 1 })),
    };
    expect(await scene.code("sendMany", { token: ALICE, body: crowd })).toBe("400 api/bad-field");
    for (const name of SPENDERS) {
      const asked = { token: ALICE, ...exampleWith(name) };
      const capped = { ...asked, body: { ...recordOf(asked.body ?? {}), max_fee: 1 } };
      expect([name, await scene.code(name, capped)]).toEqual([name, "422 wallet/fee-too-high"]);
      expect([name, await scene.code(name, { ...asked, token: WATCHED })]).toEqual([
        name,
        "403 wallet/watch-only",
      ]);
    }
    const { json } = await scene.ask("history", { token: ALICE });
    expect(json["pendingOutgoing"]).toEqual([]);
    expect(node.api.waiting()).toEqual([]);
  });

  it("two at once choose no note twice", async () => {
    const client = scene.client(ALICE);
    const body = { to: bob.address, amount_sompi: COIN };
    const [first, second] = await Promise.all([
      client.send(body, { ...options, idempotencyKey: "order-1" }),
      client.send(body, { ...options, idempotencyKey: "order-2" }),
    ]);
    expect(first.txid).not.toBe(second.txid);
    // The node refuses a note that is spent twice.
    const waiting = node.api.waiting().map(({ txid }) => String(txid));
    expect(waiting).toEqual(expect.arrayContaining([first.txid, second.txid]));
    expect(await client.send(body, { ...options, idempotencyKey: "order-1" })).toEqual(first);
    await expectAnswered("send", { to: bob.address, amount_sompi: String(COIN) }, "order-1");
    const other = client.send(
      { ...body, fee: 2_000_000n },
      { ...options, idempotencyKey: "order-1" },
    );
    expect(await rejectionCode(other)).toBe("wallet/key-reused");
    const kept = await client.disclosure({ txid: first.txid }, options);
    expect(kept.payments).toMatchObject([{ recipient: bob.address, amount_sompi: COIN }]);
    await mine(node, 3);
  });
});

describe("payments of a wallet that the daemon holds", () => {
  it("go to many, merge notes, and are told by the history", async () => {
    const client = scene.client(ALICE);
    await scene.untilAtTip(node, ALICE);
    const payees = [bob, carol].map(({ address }) => ({
      to: address,
      amount_sompi: 7n,
    }));
    const sent = await client.sendMany({ payees }, { ...options, idempotencyKey: "payout-1" });
    expect(sent).toMatchObject({ tx_count: 1, payees: 2, paid_sompi: 14n });
    const wrong = [...payees, { to: "svcsim:x", amount_sompi: 7n }];
    expect(await rejectionCode(client.sendMany({ payees: wrong }, options))).toBe(
      "wallet/bad-payee",
    );
    const asTexts = payees.map(({ to }) => ({ to, amount_sompi: "7" }));
    await expectAnswered("sendMany", { payees: asTexts }, "payout-1");
    await mine(node, 3);
    await scene.untilAtTip(node, ALICE);
    const merged = await client.consolidate(
      { heal: true },
      { ...options, idempotencyKey: "merge-1" },
    );
    expect(merged.consolidated).toBeGreaterThan(1);
    await expectAnswered("consolidate", { heal: true }, "merge-1");
    await mine(node, 3);
    await scene.untilAtTip(node, ALICE);
    const history = await client.history({ limit: "2" }, options);
    expect(history.rows.map(({ txid }) => txid)).toEqual([merged.txid, sent.txids[0]]);
    expect(await rejectionCode(client.consolidate({}, options))).toMatch(
      /^wallet\/(nothing-to-consolidate|funds-maturing)$/,
    );
    const { spendable_sompi: spendable, maturing_sompi: maturing } = await client.balance(
      {},
      options,
    );
    expect(maturing).toBeGreaterThan(0n);
    const more = payment({ amount_sompi: String(spendable + 1n) });
    expect(await scene.code("send", more)).toBe("409 wallet/funds-maturing");
    const many = { token: ALICE, body: { payees: [more.body] } };
    expect(await scene.code("sendMany", many)).toBe("409 wallet/funds-maturing");
    for (const name of ["sendMany", "consolidate"] as const) {
      const headers = { "Idempotency-Key": "payout-1" };
      const asked = { token: ALICE, ...exampleWith(name), headers };
      const other = name === "sendMany" ? asked : { ...asked, body: { fee: 9_000_000 } };
      expect([name, await scene.code(name, other)]).toEqual([name, "409 wallet/key-reused"]);
    }
  });

  it("are begun as jobs, and cancelled before they are sent", async () => {
    const client = scene.client(ALICE);
    await mine(node, 12);
    await scene.untilAtTip(node, ALICE);
    const body = { to: bob.address, amount_sompi: 11n };
    const key = { ...options, idempotencyKey: "job-1" };
    const id = await client.begin("send", body, key);
    expect(await client.begin("send", body, key)).toBe(id);
    const { txid } = await client.send(body, key);
    expect(await client.job(id, options)).toMatchObject({
      state: "done",
      share: 1,
      answer: { txid },
    });
    const calls = {
      send: { ...body, amount_sompi: 12n },
      sendMany: { payees: [{ ...body, amount_sompi: 13n }] },
      consolidate: { heal: true },
    };
    for (const name of SPENDERS) {
      const other = { ...options, idempotencyKey: `cancelled-${name}` };
      const begun = await client.begin(name, calls[name], other);
      const call = rejectionCode(
        client.call(name, { params: {}, query: {}, body: calls[name] }, other),
      );
      // The call has joined the job when another one was answered.
      await client.status(options);
      const ended = await client.cancelJob(begun, options);
      expect(ended).toMatchObject({ state: "cancelled", error: { code: "wallet/cancelled" } });
      expect([name, await call]).toEqual([name, "wallet/cancelled"]);
    }
    expect(await scene.code("job", { token: WATCHED, params: { id } })).toBe("404 wallet/no-job");
    for (const name of ROUTE_NAMES) {
      const row = WALLET_ROUTES[name];
      if (!row.lasts) continue;
      // A wallet that is scanned again pays nothing meanwhile.
      const token = name === "rescan" ? WATCHED : ALICE;
      const asked = { ...exampleWith(name), token, query: { job: "1" } };
      expect([name, (await scene.ask(name, asked)).status]).toEqual([name, 202]);
    }
  });
});

describe("payments of a wallet that a device holds", () => {
  const request = {
    to: bob.address,
    amount: asSompi(COIN),
    memo: "order 7",
    fee: null,
    maxFee: null,
    allowChunking: false,
    daaScore: asDaaScore(BigInt(fixture.forkIndex)),
  };
  const body = {
    fvk_hex: device.account.fvk,
    to: bob.address,
    amount_sompi: String(COIN),
    memo: "order 7",
  };

  it("are prepared, signed and sent", async () => {
    await scene.untilAtTip(
      node,
      DEVICE,
      ({ spendable_sompi: sompi }) => BigInt(String(sompi)) > COIN,
    );
    const { parts } = await device.pay(withKey({}), request, () => undefined, never);
    const waiting = node.api.waiting().map(({ txid }) => String(txid));
    expect(waiting).toEqual(expect.arrayContaining(parts.map(({ txid }) => txid)));
    const [part] = parts;
    const kept = await scene.client(DEVICE).disclosure({ txid: part?.txid ?? "" }, options);
    expect(kept.payments).toMatchObject([{ recipient: bob.address }]);
    await mine(node, 3);
    await scene.untilAtTip(node, DEVICE);
    // The key of one submit is no key of another.
    const headers = { "Idempotency-Key": "device-1" };
    const paid = await device.pay(
      withKey(headers),
      { ...request, memo: "order 8" },
      () => undefined,
      never,
    );
    expect(paid.parts).toHaveLength(1);
    const again = device.pay(
      withKey(headers),
      { ...request, memo: "order 9" },
      () => undefined,
      never,
    );
    await expect(again).rejects.toThrow("wallet/key-reused");
    await mine(node, 3);
  });

  it("are refused for what is wrong with them, and given up", async () => {
    await mine(node, 12, DEVICE_BYTE);
    await scene.untilAtTip(
      node,
      DEVICE,
      ({ spendable_sompi: sompi }) => BigInt(String(sompi)) > COIN,
    );
    const asked = { token: DEVICE, body };
    const first = scene.ask("prepare", asked);
    const second = await scene.code("prepare", asked);
    expect(second).toBe("429 wallet/preparing");
    const { session, spend_auth: spends } = (await first).json;
    const index = Array.isArray(spends) ? Number(spends[0]?.index) : 0;
    const sig = "00".repeat(64);
    const submit = (over: object, token = DEVICE) =>
      scene.code("submit", { token, body: { session, sigs: [{ index, sig }], ...over } });
    expect(await submit({}, WATCHED)).toBe("404 wallet/no-session");
    expect(await submit({ sigs: [{ index: 9, sig }] })).toBe("400 wallet/wrong-signatures");
    expect(await submit({})).toBe("400 wallet/bad-signature");
    expect(await scene.client(DEVICE).discard({}, options)).toEqual({ discarded: 2 });
    expect(await submit({})).toBe("404 wallet/no-session");
    const other = { ...body, fvk_hex: bobFvk };
    expect(await scene.code("prepare", { token: DEVICE, body: other })).toBe(
      "403 wallet/other-viewing-key",
    );
    const none = { ...body, fvk_hex: "ff".repeat(96) };
    expect(await scene.code("prepare", { token: DEVICE, body: none })).toBe(
      "400 keys/bad-viewing-key",
    );
    for (const [to, code] of BAD_ADDRESSES) {
      expect([to, await scene.code("prepare", { token: DEVICE, body: { ...body, to } })]).toEqual([
        to,
        `400 ${code}`,
      ]);
    }
    const long = { ...body, memo: "m".repeat(513) };
    expect(await scene.code("prepare", { token: DEVICE, body: long })).toBe(
      "400 wallet/memo-too-long",
    );
    const { json: has } = await scene.ask("balance", { token: DEVICE });
    const more = { ...body, amount_sompi: String(BigInt(String(has["spendable_sompi"])) + 1n) };
    expect(await scene.code("prepare", { token: DEVICE, body: more })).toBe(
      "409 wallet/funds-maturing",
    );
    const much = { ...body, amount_sompi: String(10n ** 18n) };
    expect(await scene.code("prepare", { token: DEVICE, body: much })).toBe(
      "409 wallet/insufficient-funds",
    );
    const unknown = { txid: "00".repeat(32) };
    expect(await scene.code("disclosure", { token: DEVICE, query: unknown })).toBe(
      "404 wallet/no-disclosure",
    );
  });
});

describe("the feed", () => {
  it("is read page by page to its end, and no further", async () => {
    const client = scene.client(WATCHED);
    await scene.untilAtTip(node, WATCHED);
    const all = await client.events({}, options);
    expect(all.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["credited", "final"]),
    );
    const read: string[] = [];
    for (let after = 0n; ;) {
      const page = await client.events({ after, limit: "1" }, options);
      read.push(...page.events.map(({ cursor }) => cursor));
      after = BigInt(page.next);
      if (!page.more) break;
    }
    expect(read).toEqual(all.events.map(({ cursor }) => cursor));
    const ahead = { token: WATCHED, query: { after: String(BigInt(all.next) + 1n) } };
    expect(await scene.code("events", ahead)).toBe("409 wallet/cursor-ahead");
  });
});

describe("the table", () => {
  it("lists what comes and nothing else", async () => {
    for (const answer of await answersToNobody(scene, ROWS)) {
      expect(answer).toMatch(/ 404 wallet\/no-(wallet|job)$/);
    }
    const lonely = await WalletApiScene.start({ node: "127.0.0.1:1" });
    try {
      for (const answer of await answersWithoutNode(lonely, ROWS)) {
        expect(answer).toMatch(/ 503 wallet\/opening$/);
      }
      expect([...lonely.defects]).toEqual([]);
      for (const refusal of lonely.refusals) scene.refusals.add(refusal);
    } finally {
      await lonely.stop();
    }
    for (const name of ROWS) expect(scene.served).toContain(name);
    expect(unlikeListed(ROWS, scene.refusals)).toEqual({ missing: [], needless: [] });
  });
});
