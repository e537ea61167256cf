import { describe, expect, it } from "vitest";
import { asRawAddress, asSompi, asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { mulberry32 } from "../../../platform/testkit/mulberry32.ts";
import { ManualClock } from "../../../platform/time/clock.ts";
import { asWalletToken } from "../../keys/walletToken.ts";
import type { JobRow } from "../../store/jobTable.ts";
import type { TokenLimits } from "../../store/tokenTable.ts";
import { WalletStore } from "../../store/walletStore.ts";
import { STORE_TABLES } from "../../store/walletStoreLayout.ts";
import { WALLETD_LIMITS } from "../../walletdLimits.ts";
import { encodeJobRequest, type SpendOrder } from "../spendOrder.ts";
import { Approvals, APPROVED_PHASE, requireApproved } from "./approvals.ts";
import { SpendLimits } from "./spendLimits.ts";
import { TokenBook, type NewToken } from "./tokenBook.ts";

/** Ten hours before midnight. */
const NOW = 19_675n * 86_400_000n + 50_400_000n;
const DAY_MS = 86_400_000;
const [ALICE, BOB] = [asWalletToken("alice"), asWalletToken("bob")];
const [SHOP, OTHER] = [asRawAddress("0a".repeat(43)), asRawAddress("0b".repeat(43))];

const NEW_TOKEN: NewToken = {
  label: "",
  scope: ["spend"],
  limits: { daySompi: null, payees: null, approvalAboveSompi: null },
  expiresMs: null,
};

async function scene(limits: Partial<TokenLimits> = {}) {
  const store = await WalletStore.open(null, null);
  const clock = new ManualClock(NOW);
  const random = mulberry32(1);
  const randomBytes = (length: number) => Uint8Array.from({ length }, () => random() % 256);
  const book = new TokenBook({ store, clock, randomBytes });
  const spending = new SpendLimits(store, clock);
  const approvals = new Approvals({ store, limits: spending, clock });
  const { credential } = book.create(ALICE, {
    ...NEW_TOKEN,
    limits: { ...NEW_TOKEN.limits, ...limits },
  });
  const access = book.resolve(credential) ?? expect.unreachable();
  const owner = book.resolve(ALICE) ?? expect.unreachable();
  const charge = (id: string, sompi: bigint, by = access) =>
    store.commit((batch) => spending.charge(batch, by, id, asSompi(sompi)));
  const refund = (id: string, spent?: bigint) =>
    store.commit((batch) =>
      spending.refund(batch, ALICE, id, spent === undefined ? undefined : asSompi(spent)),
    );
  const spent = () => store.charges.lastDay(access.scoped?.hash ?? "")?.sompi;
  const pay = (sompi: bigint, recipient = SHOP, own = false) =>
    spending.check(access, { payees: [{ recipient, own }], sompi: asSompi(sompi) });
  return { store, book, clock, access, owner, spending, approvals, charge, refund, spent, pay };
}

function jobOf(number: number, change: Partial<JobRow> = {}): JobRow {
  return {
    id: number.toString(16).padStart(32, "0"),
    token: ALICE,
    kind: "send",
    request: "{}",
    phase: "queued",
    done: 0,
    total: 0,
    createdMs: asTimestampMs(NOW),
    updatedMs: asTimestampMs(NOW),
    state: "waiting",
    answer: null,
    error: null,
    ...change,
  };
}

describe("the day's sum of a token", () => {
  it("bounds what leaves the wallet on a day, and begins anew with the next", async () => {
    const { charge, pay, spent, clock, owner } = await scene({ daySompi: asSompi(100n) });
    charge("a", 60n);
    expect(() => pay(41n)).toThrow("wallet/day-limit (limit=100, spent=60, asked=41)");
    expect(() => charge("b", 41n)).toThrow("wallet/day-limit");
    charge("b", 40n);
    expect(spent()).toBe(100n);
    charge("c", 1_000n, owner);
    expect(spent()).toBe(100n);
    clock.advance(DAY_MS);
    charge("d", 100n);
    expect(spent()).toBe(100n);
  });

  it("counts a job once however often it is charged, and what comes to nothing not at all", async () => {
    const { charge, refund, spent } = await scene({ daySompi: asSompi(100n) });
    charge("a", 90n);
    charge("a", 95n);
    expect(spent()).toBe(95n);
    expect(() => charge("a", 101n)).toThrow("wallet/day-limit");
    expect(spent()).toBe(95n);
    refund("a", 30n);
    refund("a", 60n);
    expect(spent()).toBe(30n);
    refund("a");
    refund("a");
    refund("never");
    expect(spent()).toBe(0n);
    charge("b", 100n);
  });

  it("does not begin anew when the clock is set back, and forgets a refund of a day that is over", async () => {
    const { charge, refund, spent, clock } = await scene({ daySompi: asSompi(100n) });
    charge("a", 100n);
    clock.step(-3 * DAY_MS);
    expect(() => charge("b", 1n)).toThrow("wallet/day-limit");
    clock.step(4 * DAY_MS);
    charge("c", 100n);
    refund("a");
    expect(spent()).toBe(100n);
    expect(() => charge("d", 1n)).toThrow("wallet/day-limit");
  });

  it("lets no two calls have the rest of it, and holds for its token alone", async () => {
    const { charge, store, access } = await scene({ daySompi: asSompi(100n) });
    const outcomes = Array.from({ length: 1_000 }, (_, number) => {
      try {
        charge(`job-${number}`, 7n);
        return 1;
      } catch {
        return 0;
      }
    });
    expect(outcomes.reduce((sum: number, one) => sum + one, 0)).toBe(14);
    expect(store.charges.lastDay("00".repeat(32))).toBeNull();
    store.deleteWallet(ALICE);
    expect(store.charges.lastDay(access.scoped?.hash ?? "")).toBeNull();
    expect(store.charges.get(ALICE, "job-0")).toBeUndefined();
  });
});

describe("a token that was forgotten", () => {
  it("begins nothing, and leaves no sum behind for what it began", async () => {
    const { store, book, clock, access, charge, refund, spent } = await scene({
      daySompi: asSompi(100n),
    });
    charge("a", 60n);
    charge("b", 20n);
    book.revoke(ALICE, access.scoped?.id ?? "");
    clock.advance(1);
    for (let number = 0; number < WALLETD_LIMITS.scopedTokensClosed; number += 1) {
      book.revoke(ALICE, book.create(ALICE, NEW_TOKEN).row.id);
    }
    book.create(ALICE, NEW_TOKEN);
    expect(store.tokens.get(access.scoped?.hash ?? "")).toBeUndefined();
    expect(() => charge("c", 1n)).toThrow("api/unknown-token");
    charge("a", 70n);
    refund("a", 30n);
    refund("b");
    expect(spent()).toBeUndefined();
  });
});

describe("payees of a token", () => {
  it("are those on its list and the wallet's own addresses", async () => {
    const { pay } = await scene({ payees: [SHOP] });
    expect(pay(5n)).toEqual({ needsApproval: false });
    expect(() => pay(5n, OTHER)).toThrow("wallet/payee-not-allowed (payee=0)");
    expect(pay(5n, OTHER, true)).toEqual({ needsApproval: false });
    const { pay: never } = await scene({ payees: [] });
    expect(() => never(5n)).toThrow("wallet/payee-not-allowed");
  });
});

describe("a second approval", () => {
  it("is needed above the amount, and given by the owner once", async () => {
    const { pay, approvals, store, charge, spent } = await scene({
      approvalAboveSompi: asSompi(10n),
    });
    expect([pay(10n), pay(11n)].map(({ needsApproval }) => needsApproval)).toEqual([false, true]);
    const [first, second] = [jobOf(1), jobOf(2)];
    store.commit((batch) => {
      approvals.hold(batch, first);
      approvals.hold(batch, second);
    });
    charge(first.id, 11n);
    charge(second.id, 20n);
    const held = store.jobs.get(first.id) ?? expect.unreachable();
    expect(() => requireApproved(held)).toThrow(`wallet/approval-needed (job=${first.id})`);
    expect(approvals.waiting(ALICE).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(() => approvals.approve(BOB, first.id)).toThrow("wallet/not-awaiting");
    const approved = approvals.approve(ALICE, first.id);
    expect(approved.phase).toBe(APPROVED_PHASE);
    requireApproved(approved);
    expect(() => approvals.approve(ALICE, first.id)).toThrow("wallet/not-awaiting");
    expect(approvals.deny(ALICE, second.id).state).toBe("cancelled");
    expect(spent()).toBe(11n);
    expect(approvals.waiting(ALICE)).toEqual([]);
  });

  it("is waited for from the moment on that it is asked for", async () => {
    const { approvals, store, clock } = await scene();
    clock.advance(Number(WALLETD_LIMITS.approvalMs));
    store.commit((batch) => approvals.hold(batch, jobOf(1, { state: "running" })));
    expect(approvals.expire(ALICE)).toBe(0);
    clock.advance(Number(WALLETD_LIMITS.approvalMs));
    expect(approvals.expire(ALICE)).toBe(1);
  });

  it("is denied to a revoked token's jobs, also behind jobs that cannot be read", async () => {
    const { approvals, store, book, access } = await scene();
    const by = access.scoped ?? expect.unreachable();
    const none = asSompi(0n);
    const order: SpendOrder = {
      kind: "send",
      payees: [],
      feeFloor: none,
      maxFee: null,
      order: "smallest",
    };
    const request = encodeJobRequest({ order, key: null, by });
    const [damaged, lost, readable] = [jobOf(1), jobOf(2), jobOf(3, { request })];
    store.commit((batch) => {
      for (const job of [damaged, lost, readable]) approvals.hold(batch, job);
    });
    const key = decodeHex(lost.id);
    store.commit((batch) => batch.put(STORE_TABLES.jobs, key, Uint8Array.of(1)));
    book.revoke(ALICE, by.id, (batch) => approvals.denyOf(batch, ALICE, by.id));
    expect(book.list(ALICE)[0]?.revokedMs).toBe(NOW);
    expect(store.jobs.get(readable.id)?.state).toBe("cancelled");
    expect(approvals.waiting(ALICE).map(({ id }) => id)).toEqual([damaged.id]);
  });

  it("is waited for by so many jobs, and for so long", async () => {
    const { approvals, store, clock } = await scene();
    const hold = (number: number) => store.commit((batch) => approvals.hold(batch, jobOf(number)));
    for (let number = 0; number < WALLETD_LIMITS.approvalsWaiting; number += 1) hold(number);
    expect(() => hold(1_000)).toThrow("wallet/approval-full");
    hold(0);
    clock.advance(Number(WALLETD_LIMITS.approvalMs) - 1);
    expect(approvals.expire(ALICE)).toBe(0);
    clock.advance(1);
    expect(approvals.expire(ALICE)).toBe(WALLETD_LIMITS.approvalsWaiting);
    hold(1_000);
  });
});
