/** Scoped tokens over the server: what each opens, what it may spend, and what waits for the owner. */
import { afterEach, describe, expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import type { TokenScope } from "../store/tokenTable.ts";
import { addressOf, SceneDisk, textOf } from "../testkit/spendScene.ts";
import { SpendServer } from "../testkit/spendServer.ts";
import {
  example,
  refusal,
  ROUTE_NAMES,
  TOKEN,
  WalletServerFixture,
} from "../testkit/walletServerFixture.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

const COIN = 100_000_000n;
const OWN = addressOf(1);
const OWNER = asWalletToken(TOKEN);
const SHOP = textOf(7);
const options = { signal: new AbortController().signal };
const keyed = (idempotencyKey: string) => ({ ...options, idempotencyKey });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A wallet with eight notes of ten coins. */
function newDisk(): SceneDisk {
  const model = new ChainModel();
  const outputs = Array.from({ length: 8 }, () => ({ value: 10n * COIN, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  disk.add(TOKEN, OWN);
  return disk;
}

/** A daemon that spends, and its server. */
async function serve(disk: SceneDisk = newDisk(), sim = disk.sim): Promise<SpendServer> {
  const server = await SpendServer.start(disk, { token: OWNER, sim });
  stops.push(() => server.stop());
  return server;
}

/** The clock of a machine that is started days later. */
function daysLater({ sim }: SceneDisk, days: bigint): SimClock {
  return new SimClock(sim.nowMs() + days * 86_400_000n);
}

describe("a scoped token", () => {
  const rows = ROUTE_NAMES.flatMap((name) =>
    (["view", "prepare", "spend"] as const).map((scope) => [name, scope] as const),
  );

  it.each(rows)("%s is opened by the scope %s where the table says so", async (name, scope) => {
    const limits = { daySompi: null, payees: null, approvalAboveSompi: null };
    const access = {
      token: asWalletToken("alice"),
      scope: new Set<TokenScope>([scope]),
      scoped: { id: "1", hash: "2", limits },
    };
    const fixture = await WalletServerFixture.start({ tokens: { resolve: () => access } });
    stops.push(() => fixture.stop());
    const [path, ask] = example(name);
    const headers = { ...ask.headers, "X-Wallet-Token": `svct.${"a".repeat(64)}` };
    const answer = await fixture.ask(path, { ...ask, headers });
    const { scope: needed, credential } = WALLET_ROUTES[name];
    if (needed === "any" || needed === scope) {
      expect(answer.status).toBe(name === "ready" ? 503 : 200);
      const isSelected = credential !== "none";
      expect(fixture.seen).toMatchObject([
        { call: isSelected ? { token: "alice", scoped: access.scoped } : { token: null } },
      ]);
    } else {
      expect(refusal(answer)).toEqual([403, "wallet/scope"]);
      expect(JSON.parse(answer.body)).toMatchObject({ needed });
      expect(fixture.seen).toEqual([]);
    }
  });

  it("is told nothing that was found out while it was revoked, or its wallet replaced", async () => {
    const limits = { daySompi: null, payees: null, approvalAboveSompi: null };
    const scoped = { id: "1", hash: "2", limits };
    const access = { token: OWNER, scope: new Set<TokenScope>(["view"]), scoped };
    let found: typeof access | null = access;
    const fixture = await WalletServerFixture.start({
      tokens: { resolve: () => found },
      handlers: {
        balance: async () => {
          found = null;
          return WALLET_ROUTES.balance.example.answer;
        },
      },
    });
    stops.push(() => fixture.stop());
    const [path, ask] = example("balance");
    const headers = { ...ask.headers, "X-Wallet-Token": `svct.${"a".repeat(64)}` };
    expect(refusal(await fixture.ask(path, { ...ask, headers }))).toEqual([
      401,
      "api/unknown-token",
    ]);
  });

  it("is made and told once by the owner, listed, revoked, and opens nothing then", async () => {
    const scene = await serve();
    const { owner, fixture } = scene;
    const made = await owner.createToken(
      {
        label: "payouts",
        scope: ["spend", "view"],
        day_limit_sompi: 5n * COIN,
        payees: [SHOP],
        approval_above_sompi: COIN,
        expires_unix: 4_000_000_000n,
      },
      options,
    );
    const { token, ...row } = made;
    expect(token).toMatch(/^svct\.[0-9a-f]{64}$/);
    expect(row).toMatchObject({
      label: "payouts",
      scope: ["spend", "view"],
      day_limit_sompi: 5n * COIN,
      payees: [SHOP],
      approval_above_sompi: COIN,
      expires_unix: 4_000_000_000,
      revoked_unix: null,
      used_unix: null,
    });
    expect(await owner.tokens(options)).toEqual({ tokens: [row] });
    const scoped = scene.clientOf(token);
    await scoped.balance({}, options);
    expect(await rejectionCode(scoped.tokens(options))).toBe("wallet/scope");
    expect(await rejectionCode(scoped.createToken({ scope: ["spend"] }, options))).toBe(
      "wallet/scope",
    );
    const [used] = (await owner.tokens(options)).tokens;
    expect(used?.used_unix).not.toBeNull();
    expect((await owner.revokeToken(row.id, options)).revoked_unix).not.toBeNull();
    expect(await rejectionCode(scoped.balance({}, options))).toBe("api/unknown-token");
    expect(await rejectionCode(owner.revokeToken("0".repeat(32), options))).toBe(
      "wallet/no-scoped-token",
    );
    const answers = await fixture.ask("/api/status", { headers: { "X-Wallet-Token": token } });
    expect(answers.status).toBe(200);
    expect(fixture.seen.at(-1)).toMatchObject({ call: { token: null } });
  });

  it("is over when its time is", async () => {
    const scene = await serve();
    const { owner, disk } = scene;
    const expires_unix = disk.sim.nowMs() / 1_000n + 60n;
    const { token } = await owner.createToken({ scope: ["view"], expires_unix }, options);
    await scene.clientOf(token).balance({}, options);
    await disk.sim.run(61_000);
    expect(await rejectionCode(scene.clientOf(token).balance({}, options))).toBe(
      "api/unknown-token",
    );
  });

  it("that makes no sense is refused, and needs a wallet", async () => {
    const scene = await serve();
    const { owner } = scene;
    const code = (body: Parameters<WalletClient["createToken"]>[0], from = owner) =>
      rejectionCode(from.createToken(body, options));
    expect(await code({ scope: [] })).toBe("api/bad-field");
    expect(await code({ scope: ["view"], day_limit_sompi: 1n })).toBe("wallet/bad-scoped-token");
    expect(await code({ scope: ["prepare"], approval_above_sompi: 1n })).toBe(
      "wallet/bad-scoped-token",
    );
    expect(await code({ scope: ["prepare"], day_limit_sompi: 1n, payees: [SHOP] })).toBe("none");
    expect(await code({ scope: ["spend"], payees: ["svc:x"] })).toBe("address/missing-prefix");
    expect(await code({ scope: ["view"], expires_unix: 1n })).toBe("wallet/bad-scoped-token");
    expect(await code({ scope: ["view"] }, scene.clientOf("b".repeat(32)))).toBe(
      "wallet/no-wallet",
    );
  });
});

describe("what a scoped token spends", () => {
  it("goes to its payees, and stays below the day's sum with its fees", async () => {
    const scene = await serve();
    const { owner } = scene;
    const limits = { day_limit_sompi: 10n * COIN, payees: [SHOP] };
    const { token } = await owner.createToken({ scope: ["spend"], ...limits }, options);
    const shop = scene.clientOf(token);
    const send = (to: string, amount: bigint) => shop.send({ to, amount_sompi: amount }, options);
    expect(await rejectionCode(send(textOf(8), COIN))).toBe("wallet/payee-not-allowed");
    await send(textOf(1), 9n * COIN);
    const { fee_sompi } = await send(SHOP, 6n * COIN);
    expect(fee_sompi).toBeGreaterThan(0n);
    expect(await rejectionCode(send(SHOP, 5n * COIN))).toBe("wallet/day-limit");
    // The amount alone fits, with the fee it does not: nothing is sent, and nothing is charged.
    const before = scene.paidOthers;
    expect(await rejectionCode(send(SHOP, 4n * COIN - 2n * fee_sompi))).toBe("wallet/day-limit");
    expect(scene.paidOthers).toBe(before);
    await send(SHOP, 4n * COIN - 4n * fee_sompi);
    await owner.send({ to: textOf(8), amount_sompi: COIN }, options);
    await scene.stop();
    const next = await serve(scene.disk, daysLater(scene.disk, 1n));
    await next.clientOf(token).send({ to: SHOP, amount_sompi: 9n * COIN }, options);
  });

  it("is charged once, by however many calls at once", async () => {
    const scene = await serve();
    const { owner } = scene;
    const limits = { day_limit_sompi: 8n * COIN };
    const { token } = await owner.createToken({ scope: ["spend"], ...limits }, options);
    const send = (key: string) =>
      scene.clientOf(token).send({ to: SHOP, amount_sompi: 3n * COIN }, keyed(key));
    const calls = ["a", "b", "c", "a", "b", "c"].map((key) => send(key));
    const ended = await Promise.allSettled(calls);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect(scene.paidOthers).toBe(6n * COIN);
    // The key stands for its payment when the day has no rest for it.
    expect((await send("a")).amount_sompi).toBe(3n * COIN);
    expect(scene.paidOthers).toBe(6n * COIN);
  });
});

describe("a payment above a token's amount", () => {
  const body = { to: SHOP, amount_sompi: 5n * COIN, memo: "rent" };

  async function withToken(disk?: SceneDisk) {
    const scene = await serve(disk);
    const limits = { approval_above_sompi: COIN, day_limit_sompi: 7n * COIN };
    const made = await scene.owner.createToken({ scope: ["spend"], ...limits }, options);
    return { scene, owner: scene.owner, made, shop: scene.clientOf(made.token) };
  }

  it("waits for the owner, is made when he approves it, and once", async () => {
    const { scene, owner, shop, made } = await withToken();
    const small = COIN / 2n;
    await shop.send({ ...body, amount_sompi: small }, options);
    const refused = shop.send(body, keyed("rent"));
    await expect(refused).rejects.toMatchObject({ code: "wallet/approval-needed" });
    const { approvals } = await owner.approvals(options);
    expect(approvals).toEqual([
      {
        job: expect.stringMatching(/^[0-9a-f]{32}$/),
        kind: "send",
        amount_sompi: 5n * COIN,
        fee_floor_sompi: 0n,
        payees: 1,
        first_payees: [{ to: SHOP, amount_sompi: 5n * COIN, memo: "rent" }],
        token_id: made.id,
        created_unix: expect.any(Number),
        expires_unix: expect.any(Number),
      },
    ]);
    const job = approvals[0]?.job ?? "";
    await expect(shop.send(body, keyed("rent"))).rejects.toMatchObject({ data: { job } });
    expect(await shop.job(job, options)).toMatchObject({ state: "waiting", phase: "approval" });
    expect(scene.paidOthers).toBe(small);
    expect(await rejectionCode(shop.approve(job, options))).toBe("wallet/scope");
    await owner.approve(job, options);
    expect((await shop.send(body, keyed("rent"))).amount_sompi).toBe(5n * COIN);
    expect(scene.paidOthers).toBe(small + 5n * COIN);
    expect(await shop.job(job, options)).toMatchObject({ state: "done" });
    expect(await rejectionCode(owner.approve(job, options))).toBe("wallet/not-awaiting");
    expect((await owner.approvals(options)).approvals).toEqual([]);
  });

  it("that he denies is cancelled, and costs the day nothing", async () => {
    const { scene, owner, shop } = await withToken();
    const job = await shop.begin("send", body, keyed("rent"));
    expect(await rejectionCode(shop.send(body, options))).toBe("wallet/day-limit");
    expect(await owner.deny(job, options)).toMatchObject({ state: "cancelled" });
    expect(await rejectionCode(owner.deny(job, options))).toBe("wallet/not-awaiting");
    // Nothing came of the key's job: the same call may be made again, and waits again.
    const second = await shop.begin("send", body, keyed("rent"));
    expect(second).not.toBe(job);
    expect(await shop.cancelJob(second, options)).toMatchObject({ state: "cancelled" });
    expect(scene.paidOthers).toBe(0n);
  });

  it("is cancelled when its token is revoked, and what had begun goes on", async () => {
    const { scene, owner, shop, made } = await withToken();
    const { id: other, token } = await owner.createToken(
      { scope: ["spend"], approval_above_sompi: COIN },
      options,
    );
    const kept = await scene.clientOf(token).begin("send", body, options);
    await shop.send({ ...body, amount_sompi: COIN / 2n }, options);
    const job = await shop.begin("send", body, options);
    await owner.revokeToken(made.id, options);
    expect(await owner.job(job, options)).toMatchObject({ state: "cancelled" });
    expect(await rejectionCode(owner.approve(job, options))).toBe("wallet/not-awaiting");
    const { approvals } = await owner.approvals(options);
    expect(approvals).toMatchObject([{ job: kept, token_id: other }]);
    expect(scene.paidOthers).toBe(COIN / 2n);
  });

  it("is never approved behind the revocation of its token, whenever the program is killed", async () => {
    const { scene, owner, shop, made } = await withToken();
    const job = await shop.begin("send", body, options);
    const { store } = scene.daemon;
    const commit = store.commit.bind(store);
    let commits = 0;
    store.commit = (step) => {
      commits += 1;
      if (commits > 1) throw new SvcError("store/commit-failed", { reason: "killed" });
      return commit(step);
    };
    await rejectionCode(owner.revokeToken(made.id, options));
    store.commit = commit;
    expect(store.tokens.get(store.tokens.hashOf(OWNER, made.id) ?? "")?.revokedMs).not.toBeNull();
    expect(await rejectionCode(owner.approve(job, options))).toBe("wallet/not-awaiting");
    expect(await owner.job(job, options)).toMatchObject({ state: "cancelled" });
  });

  it("is not made by a call that was let in before its token was revoked, nor is it paid", async () => {
    const { scene, owner, shop, made } = await withToken();
    const { open: wallets } = scene.daemon;
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const open = wallets.open.bind(wallets);
    let begun = 0;
    wallets.open = async (token) => {
      begun += 1;
      await gate;
      return open(token);
    };
    const small = { ...body, amount_sompi: COIN / 2n };
    const calls = [shop.send(body, options), shop.send(small, options)].map((call) =>
      rejectionCode(call),
    );
    await expect.poll(() => begun).toBe(2);
    await owner.revokeToken(made.id, options);
    release();
    expect(await Promise.all(calls)).toEqual(["api/unknown-token", "api/unknown-token"]);
    expect((await owner.approvals(options)).approvals).toEqual([]);
    expect(scene.paidOthers).toBe(0n);
  });

  it("waits over a new start, and goes on after one that came behind the approval", async () => {
    const disk = newDisk();
    const first = await withToken(disk);
    const one = await first.shop.begin("send", { ...body, amount_sompi: 2n * COIN }, options);
    const two = await first.shop.begin("send", { ...body, amount_sompi: 3n * COIN }, options);
    // Approved, and killed before it began.
    first.scene.daemon.service.approvals.approve(OWNER, one);
    await first.scene.stop();
    const second = await serve(disk);
    await second.daemon.service.resume();
    await expect.poll(async () => (await second.owner.job(one, options)).state).toBe("done");
    expect(await second.owner.job(two, options)).toMatchObject({ state: "waiting" });
    expect(second.paidOthers).toBe(2n * COIN);
    await second.owner.approve(two, options);
    await expect.poll(async () => (await second.owner.job(two, options)).state).toBe("done");
    expect(second.paidOthers).toBe(5n * COIN);
  });

  it("is cancelled by itself when nobody looks at it for three days", async () => {
    const { scene, shop } = await withToken();
    const job = await shop.begin("send", body, options);
    await scene.stop();
    const next = await serve(scene.disk, daysLater(scene.disk, 3n));
    next.daemon.service.start();
    await expect.poll(async () => (await next.owner.job(job, options)).state).toBe("cancelled");
    expect(next.paidOthers).toBe(0n);
  });

  it("is one of a bounded number", async () => {
    const { scene, shop } = await withToken();
    const { daemon } = scene;
    const now = asTimestampMs(scene.disk.sim.nowMs());
    daemon.store.commit((batch) => {
      for (let number = 1; number <= WALLETD_LIMITS.approvalsWaiting; number += 1) {
        const id = number.toString(16).padStart(32, "f");
        const times = { createdMs: now, updatedMs: now };
        const job = { id, token: OWNER, kind: "send", request: "{}", done: 0, total: 0 } as const;
        const waiting = { state: "waiting", phase: "approval", answer: null, error: null } as const;
        daemon.store.jobs.put(batch, { ...job, ...times, ...waiting });
      }
    });
    expect(await rejectionCode(shop.send(body, options))).toBe("wallet/approval-full");
    const row = (await scene.owner.tokens(options)).tokens[0];
    expect(
      daemon.store.charges.lastDay(daemon.store.tokens.hashOf(OWNER, row?.id ?? "") ?? ""),
    ).toBe(null);
  });
});
