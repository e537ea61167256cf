import { describe, expect, it } from "vitest";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { asBlueScore, asChainIndex, asSompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import {
  addressOf,
  BAD,
  GOOD,
  keyOf,
  opened,
  SceneDisk,
  startDaemon,
  textOf,
  tokenOf,
  type SceneDaemon,
} from "../testkit/deviceScene.ts";
import { revokeToken, scopedToken } from "../testkit/scopedToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { ScopedAccess } from "../spend/tokens/tokenBook.ts";
import type { TokenLimits } from "../store/tokenTable.ts";
import type { PrepareRequest } from "./prepareOrder.ts";

const COIN = 100_000_000n;
const ALICE = 1;
const BOB = 2;
const PAYEE = 9;
const { signal } = new AbortController();

type Prepared = RouteAnswer<"prepare">;

function request(over: Partial<PrepareRequest> = {}): PrepareRequest {
  return {
    fvk: keyOf(ALICE),
    to: textOf(PAYEE),
    amount: asSompi(COIN),
    feeFloor: null,
    memo: "",
    allowPartial: false,
    ...over,
  };
}

async function setUp(notes: readonly bigint[] = [3n * COIN, 4n * COIN]) {
  const disk = new SceneDisk({ [ALICE]: notes, [BOB]: [5n * COIN] });
  const daemon = startDaemon(disk);
  const open = await opened(daemon, ALICE);
  await opened(daemon, BOB);
  return { disk, daemon, open };
}

function prepare(daemon: SceneDaemon, over: Partial<PrepareRequest> = {}): Promise<Prepared> {
  return daemon.sessions.prepare(tokenOf(ALICE), request(over), signal);
}

function sigsOf(prepared: Prepared, sig = GOOD) {
  return prepared.spend_auth.map(({ index }) => ({ index: Number(index), sig }));
}

function submit(
  daemon: SceneDaemon,
  prepared: Prepared,
  over: { sig?: string; key?: string } = {},
) {
  const { session } = prepared;
  const sigs = sigsOf(prepared, over.sig);
  return daemon.sessions.submit(tokenOf(ALICE), { session, sigs, key: over.key ?? null }, signal);
}

/** Positions of the notes that the proofs so far spend. */
function spent(daemon: SceneDaemon): readonly string[][] {
  return daemon.prover.plans.map(({ spends }) => spends.map(({ position }) => position));
}

describe("prepare", () => {
  it("reserves, proves and answers; submit stores, then broadcasts", async () => {
    const { daemon, open } = await setUp();
    const prepared = await prepare(daemon, { memo: "order 7" });
    expect(prepared).toMatchObject({
      sighash: "5a".repeat(32),
      amount_sompi: COIN,
      remaining_sompi: 0n,
      spend_auth: [{ index: 0 }],
      fast_path: true,
      preparedPayment: { version: 2, recipient: textOf(PAYEE), amount: String(COIN) },
    });
    expect(open.state.outbox).toMatchObject([
      { id: `prepared:${prepared.session}`, status: { state: "signing" }, txid: null },
    ]);
    expect(daemon.prover.plans[0]?.outputs[0]?.memo).toBe("6f726465722037");
    const before = daemon.node.submitted.length;
    const { txid, amount, fee } = await submit(daemon, prepared);
    expect({ amount, fee }).toEqual({ amount: COIN, fee: prepared.fee_sompi });
    expect(daemon.node.submitted.slice(before)).toEqual([open.state.outbox[0]?.raw]);
    expect(open.state.outbox).toMatchObject([
      {
        txid,
        status: { state: "mempool" },
        outputs: [{ index: 0, recipient: addressOf(PAYEE), value: COIN, rseed: "33".repeat(32) }],
      },
    ]);
    expect(daemon.sessions.waiting).toBe(0);
  });

  it("never gives two sessions the same note", async () => {
    const { daemon } = await setUp();
    await prepare(daemon);
    await prepare(daemon);
    const [first = [], second = []] = spent(daemon);
    expect(first.some((position) => second.includes(position))).toBe(false);
    expect(await rejectionCode(prepare(daemon))).toBe("wallet/payment-pending");
    expect(daemon.prover.plans).toHaveLength(2);
  });

  it("makes one payment of a wallet at a time, and says for how long it has", async () => {
    const { daemon } = await setUp();
    const gate = Promise.withResolvers<void>();
    daemon.prover.gate = () => gate.promise;
    const first = prepare(daemon);
    await daemon.sim.run(7_500);
    await expect(prepare(daemon)).rejects.toMatchObject({
      code: "wallet/preparing",
      data: { seconds: "7" },
    });
    const bob = { fvk: keyOf(BOB), to: textOf(PAYEE) };
    const other = daemon.sessions.prepare(tokenOf(BOB), request(bob), signal);
    gate.resolve();
    await Promise.all([first, other]);
    expect(daemon.sessions.waiting).toBe(2);
  });

  it.each([
    ["another wallet's key", { fvk: keyOf(BOB) }, "wallet/other-viewing-key"],
    ["no key", { fvk: new Uint8Array(96).fill(7) }, "keys/bad-viewing-key"],
    ["no address", { to: "nobody" }, "address/missing-prefix"],
    ["a long memo", { memo: "x".repeat(513) }, "wallet/memo-too-long"],
    ["too much", { amount: asSompi(8n * COIN) }, "wallet/insufficient-funds"],
  ] as const)("refuses %s at once, and holds nothing", async (_name, over, code) => {
    const { daemon, open } = await setUp();
    expect(await rejectionCode(prepare(daemon, over))).toBe(code);
    expect(open.state.outbox).toEqual([]);
    expect(daemon.prover.plans).toEqual([]);
    await prepare(daemon);
  });

  it("refuses who has no wallet", async () => {
    const { daemon } = await setUp();
    const refused = daemon.sessions.prepare(tokenOf(77), request(), signal);
    expect(await rejectionCode(refused)).toBe("wallet/no-wallet");
  });

  it("pays a part where it is allowed to, and says how much is left", async () => {
    const values = Array.from({ length: 45 }, () => COIN / 10n);
    const { daemon } = await setUp(values);
    const amount = asSompi(4n * COIN);
    expect(await rejectionCode(prepare(daemon, { amount }))).toBe("wallet/too-many-notes");
    const prepared = await prepare(daemon, { amount, allowPartial: true });
    expect(prepared.spend_auth).toHaveLength(38);
    expect(BigInt(prepared.amount_sompi) + BigInt(prepared.remaining_sompi)).toBe(amount);
    expect(prepared.remaining_sompi).toBeGreaterThan(0n);
  });

  it("does not wait for a prover for ever", async () => {
    const { daemon, open } = await setUp();
    daemon.prover.queue = async (either) => {
      await untilAborted(either);
      throw new SvcError("run/aborted", {});
    };
    const late = rejectionCode(prepare(daemon));
    await daemon.sim.run(WALLETD_LIMITS.prepareQueueMs - 1);
    expect(open.state.outbox).toHaveLength(1);
    await daemon.sim.run(1);
    expect(await late).toBe("wallet/prove-queue");
    expect(open.state.outbox).toEqual([]);
  });

  it("may prove for longer than it may wait", async () => {
    const { daemon } = await setUp();
    const gate = Promise.withResolvers<void>();
    daemon.prover.gate = () => gate.promise;
    const slow = prepare(daemon);
    await daemon.sim.run(2 * WALLETD_LIMITS.prepareQueueMs);
    gate.resolve();
    expect((await slow).session).toMatch(/^[0-9a-f]{48}$/);
  });

  it("frees the notes when the proof fails, and when the daemon stops", async () => {
    const { daemon, open } = await setUp();
    daemon.prover.gate = () => Promise.reject(new SvcError("prove/failed", { reason: "a test" }));
    expect(await rejectionCode(prepare(daemon))).toBe("prove/failed");
    expect(open.state.outbox).toEqual([]);
    const stop = new AbortController();
    daemon.prover.gate = async () => stop.abort();
    const stopped = daemon.sessions.prepare(tokenOf(ALICE), request(), stop.signal);
    expect(await rejectionCode(stopped)).toBe("run/aborted");
    expect(open.state.outbox).toEqual([]);
    expect(daemon.prover.dropped).toEqual([2]);
  });
});

describe("a session", () => {
  it("ends after ten minutes by the clock, and frees its notes and its proof", async () => {
    const { daemon, open } = await setUp([3n * COIN]);
    const prepared = await prepare(daemon);
    await daemon.sim.run(WALLETD_LIMITS.preparedMs - 1);
    expect(open.state.outbox).toHaveLength(1);
    await daemon.sim.run(1);
    expect(open.state.outbox).toEqual([]);
    expect(daemon.prover.dropped).toEqual([1]);
    expect(await rejectionCode(submit(daemon, prepared))).toBe("wallet/no-session");
    await prepare(daemon);
  });

  it("is charged to the scoped token that submits it, within its payees and its day", async () => {
    const { daemon, open } = await setUp();
    const byWith = (limits: Partial<TokenLimits>, digit: string): ScopedAccess =>
      scopedToken(daemon.store, tokenOf(ALICE), { digit, limits });
    const narrow = byWith({ payees: [addressOf(ALICE)] }, "a");
    const small = byWith({ daySompi: asSompi(COIN) }, "b");
    const enough = byWith({ daySompi: asSompi(2n * COIN), payees: [addressOf(PAYEE)] }, "c");
    const prepareBy = (by: ScopedAccess) => rejectionCode(prepare(daemon, { by }));
    expect(await prepareBy(narrow)).toBe("wallet/payee-not-allowed");
    expect(await rejectionCode(prepare(daemon, { by: small, amount: asSompi(COIN + 1n) }))).toBe(
      "wallet/day-limit",
    );
    // Without its fee it would fit: that is known when it is prepared, and judged when it leaves.
    const prepared = await prepare(daemon, { by: small });
    const { session } = prepared;
    const submitBy = (by: ScopedAccess) =>
      daemon.sessions.submit(
        tokenOf(ALICE),
        { session, sigs: sigsOf(prepared), key: null, by },
        signal,
      );
    expect(await rejectionCode(submitBy(small))).toBe("wallet/day-limit");
    expect(await rejectionCode(submitBy(narrow))).toBe("wallet/payee-not-allowed");
    const revoked = byWith({}, "d");
    revokeToken(daemon.store, revoked);
    expect(await rejectionCode(submitBy(revoked))).toBe("api/unknown-token");
    expect(open.state.outbox).toMatchObject([{ status: { state: "signing" }, txid: null }]);
    const { txid, fee } = await submitBy(enough);
    expect((await submitBy(enough)).txid).toBe(txid);
    const spentBy = ({ hash }: ScopedAccess) => daemon.store.charges.lastDay(hash)?.sompi;
    expect([narrow, small, enough].map(spentBy)).toEqual([undefined, undefined, COIN + fee]);
    expect(await prepareBy(enough)).toBe("wallet/day-limit");
  });

  it("is its wallet's alone", async () => {
    const { daemon } = await setUp();
    const prepared = await prepare(daemon);
    const { session } = prepared;
    const stolen = { session, sigs: sigsOf(prepared), key: null };
    const other = daemon.sessions.submit(tokenOf(BOB), stolen, signal);
    expect(await rejectionCode(other)).toBe("wallet/no-session");
    await submit(daemon, prepared);
  });

  it("is not used up by signatures that are wrong", async () => {
    const { daemon, open } = await setUp();
    const prepared = await prepare(daemon);
    const { session } = prepared;
    const asked = (sigs: { index: number; sig: string }[]) =>
      rejectionCode(daemon.sessions.submit(tokenOf(ALICE), { session, sigs, key: null }, signal));
    const [one] = sigsOf(prepared);
    if (one === undefined) throw new Error("there is a spend");
    expect(await asked([])).toBe("wallet/wrong-signatures");
    expect(await asked([{ ...one, index: 1 }])).toBe("wallet/wrong-signatures");
    expect(await asked([one, one])).toBe("wallet/wrong-signatures");
    expect(await asked([{ ...one, sig: BAD }])).toBe("wallet/bad-signature");
    expect(open.state.outbox).toMatchObject([{ status: { state: "signing" } }]);
    expect(daemon.node.submitted).toEqual([]);
    await submit(daemon, prepared);
  });

  it("answers a repetition with the same, and pays once", async () => {
    const { daemon, open } = await setUp();
    const prepared = await prepare(daemon);
    const answers = await Promise.all([1, 2, 3].map(() => submit(daemon, prepared)));
    expect(new Set(answers.map(({ txid }) => txid)).size).toBe(1);
    expect(await submit(daemon, prepared, { sig: BAD })).toEqual(answers[0]);
    expect(new Set(daemon.node.submitted).size).toBe(1);
    expect(open.state.outbox).toHaveLength(1);
  });

  it("is not told that it failed while the wallet is scanned again", async () => {
    const { daemon, open } = await setUp();
    const prepared = await prepare(daemon);
    await submit(daemon, prepared);
    const at = asChainIndex(30n);
    await open.update((state) => ({
      ...state,
      outbox: state.outbox.map((one) => ({
        ...one,
        status: { state: "settled", at, blueScore: asBlueScore(30n), previous: null },
      })),
    }));
    await daemon.wallets.rescan(open, signal);
    expect(open.state.outbox).toMatchObject([{ status: { state: "expired" } }]);
    expect(await rejectionCode(submit(daemon, prepared))).toBe("wallet/not-synced");
  });

  it("names its payment by the caller's key, and takes the key for nothing else", async () => {
    const { daemon } = await setUp();
    const first = await prepare(daemon);
    const second = await prepare(daemon);
    await submit(daemon, first, { key: "k" });
    const reused = submit(daemon, second, { key: "k" });
    expect(await rejectionCode(reused)).toBe("wallet/key-reused");
    expect(daemon.sessions.waiting).toBe(1);
    await submit(daemon, second, { key: "l" });
    const row = daemon.store.idempotency.get({ token: tokenOf(ALICE), key: "k" });
    expect(row?.paymentIds).toEqual([`prepared:${first.session}`]);
  });

  it("is safe in the outbox when the node is away", async () => {
    const { daemon, open } = await setUp();
    const prepared = await prepare(daemon);
    daemon.node.refusal = new SvcError("wallet/node-unreachable", { url: "test" });
    const { txid } = await submit(daemon, prepared);
    expect(open.state.outbox).toMatchObject([{ txid, status: { state: "broadcasting" } }]);
    expect(daemon.store.payments.get(tokenOf(ALICE), `prepared:${prepared.session}`)?.raw).toBe(
      open.state.outbox[0]?.raw,
    );
  });

  it("says of a refused payment that it was, each time", async () => {
    const { daemon } = await setUp();
    const prepared = await prepare(daemon);
    daemon.node.refusal = new SvcError("tx/invalid-proof", { reason: "test" });
    expect(await rejectionCode(submit(daemon, prepared))).toBe("wallet/payment-rejected");
    expect(await rejectionCode(submit(daemon, prepared))).toBe("wallet/payment-rejected");
  });

  it("ends when a block has spent its notes", async () => {
    const { disk, daemon, open } = await setUp([3n * COIN]);
    const prepared = await prepare(daemon);
    const nullifier = open.state.outbox[0]?.reserved[0]?.nullifier;
    if (nullifier === undefined) throw new Error("a note is reserved");
    disk.model.add({ txs: [{ txid: disk.model.txid(), spends: [nullifier] }] });
    await opened(daemon, ALICE);
    expect(await rejectionCode(submit(daemon, prepared))).toBe("tx/nullifier-spent");
    expect(await rejectionCode(submit(daemon, prepared))).toBe("wallet/no-session");
    expect(daemon.node.submitted).toEqual([]);
  });

  it("ends when the prover has lost its proof", async () => {
    const { daemon, open } = await setUp();
    const prepared = await prepare(daemon);
    daemon.prover.fault = new SvcError("engine/bad-call", { reason: "nothing was proved" });
    expect(await rejectionCode(submit(daemon, prepared))).toBe("wallet/no-session");
    await daemon.sim.run(1);
    expect(open.state.outbox).toEqual([]);
  });

  it("is given up on demand, and for newer ones of its wallet", async () => {
    const notes = Array.from({ length: WALLETD_LIMITS.preparedPerWallet + 2 }, () => 3n * COIN);
    const { daemon, open } = await setUp(notes);
    const all: Prepared[] = [];
    for (let count = 0; count <= WALLETD_LIMITS.preparedPerWallet; count += 1) {
      all.push(await prepare(daemon));
    }
    await daemon.sim.run(1);
    expect(daemon.sessions.waiting).toBe(WALLETD_LIMITS.preparedPerWallet);
    expect(daemon.prover.dropped).toEqual([1]);
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error("they were prepared");
    expect(await rejectionCode(submit(daemon, first))).toBe("wallet/no-session");
    expect(await daemon.sessions.discard(tokenOf(BOB), null)).toBe(0);
    expect(await daemon.sessions.discard(tokenOf(ALICE), second.session)).toBe(1);
    expect(await daemon.sessions.discard(tokenOf(ALICE), null)).toBe(7);
    expect(open.state.outbox).toEqual([]);
  });

  it("does not outlive the daemon; a signed payment does", async () => {
    const { disk, daemon } = await setUp();
    const signed = await prepare(daemon);
    const { txid } = await submit(daemon, signed);
    const unsigned = await prepare(daemon);
    await daemon.lanes.stop();
    // Killed: nothing was given up, and no snapshot was written.
    const next = startDaemon(disk);
    const open = await opened(next, ALICE);
    expect(await rejectionCode(submit(next, unsigned))).toBe("wallet/no-session");
    expect(await submit(next, signed)).toMatchObject({ txid, amount: COIN });
    await prepare(next);
    expect(open.state.outbox.map(({ status }) => status.state).toSorted()).toEqual([
      "mempool",
      "signing",
    ]);
  });

  it("stays when its signed bytes could not be stored, and pays at the next try", async () => {
    const { disk, daemon, open } = await setUp();
    const prepared = await prepare(daemon);
    failCommit(disk, 1);
    expect(await rejectionCode(submit(daemon, prepared))).toBe("store/commit-failed");
    expect(daemon.node.submitted).toEqual([]);
    expect(open.state.outbox).toMatchObject([{ txid: null, status: { state: "signing" } }]);
    await submit(daemon, prepared);
    expect(daemon.node.submitted).toHaveLength(1);
  });

  it("is paid once when the program is killed between storing and broadcasting", async () => {
    const { disk, daemon } = await setUp();
    const prepared = await prepare(daemon);
    failCommit(disk, 2);
    expect(await rejectionCode(submit(daemon, prepared))).toBe("store/commit-failed");
    await daemon.lanes.stop();
    expect(daemon.node.submitted).toEqual([]);
    const next = startDaemon(disk);
    const open = await opened(next, ALICE);
    const { txid } = await submit(next, prepared);
    expect(await submit(next, prepared)).toMatchObject({ txid });
    expect(open.state.outbox).toMatchObject([{ txid, status: { state: "mempool" } }]);
    expect(next.node.submitted).toEqual([open.state.outbox[0]?.raw]);
  });

  it("is given up by a stop", async () => {
    const { daemon, open } = await setUp();
    await prepare(daemon);
    await daemon.sessions.stop();
    await daemon.sessions.stop();
    expect(open.state.outbox).toEqual([]);
    expect(daemon.prover.dropped).toEqual([1]);
    expect(await rejectionCode(prepare(daemon))).toBe("node/stopping");
  });
});

/** Lets the commit with this number, counted from the next one, fail. */
function failCommit({ kv }: SceneDisk, number: number): void {
  const commit = kv.commit.bind(kv);
  let left = number;
  kv.commit = (changes) => {
    left -= 1;
    if (left === 0) throw new SvcError("store/commit-failed", { reason: "a test" });
    return commit(changes);
  };
}
