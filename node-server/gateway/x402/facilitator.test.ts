/** x402 over the gateway's database and a model of a node: liars, and lines that lose answers. */
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { temporaryFolder } from "../../platform/testkit/temporaryFolder.ts";
import { DeskHost } from "../testkit/deskHost.ts";
import { rawOf } from "../testkit/modelPayments.ts";
import {
  openShop,
  paymentOf,
  payloadOf,
  POOL_LIMIT,
  X402Shop,
  type Asked,
} from "../testkit/x402Shop.ts";

const never = new AbortController().signal;
const USED = "invalid_exact_svc_already_used";
const OVER = "invalid_exact_svc_challenge_over";
const PENDING = { success: false, errorReason: "settlement_pending", transaction: "" };

let host: DeskHost;
let shop: X402Shop;
beforeEach(async () => {
  ({ host, shop } = await openShop());
});
afterEach(() => host.close());

async function statusOf({ extra }: Asked): Promise<unknown> {
  const key = await host.issueKey("shop", ["invoices:read"]);
  const response = await host.fetch(`/api/v1/invoices/${extra.challenge}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { status }: { status: unknown } = await response.json();
  return status;
}

async function addressOf({ extra }: Asked) {
  const { address } = (await host.desk.find(asInvoiceId(extra.challenge)))?.terms ?? {};
  if (address === undefined) throw new Error("no invoice");
  return address;
}

/** A block accepts a payment, and is as deep as its challenge asks. */
async function deepen(asked: Asked, raw: Uint8Array): Promise<void> {
  await host.tell(host.payments.minedFacts(raw, await addressOf(asked), 100n), 100n);
  await host.tell([], 110n);
}

/** Lets everything run that waits for no clock. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

describe("a challenge", () => {
  it("has an address of its own, and is repeated under the same idempotency key", async () => {
    const [a, b] = [await shop.challenge("1000"), await shop.challenge("1000")];
    expect(a.payTo).not.toBe(b.payTo);
    const wish = { amountSompi: "1", resource: "GET https://api.example/r" };
    const first = await shop.ask("/x402/challenges", wish, "k1");
    expect(await shop.ask("/x402/challenges", wish, "k1")).toEqual(first);
    const other = await shop.ask("/x402/challenges", { ...wish, amountSompi: "2" }, "k1");
    expect(other["code"]).toBe("gateway/idempotency-conflict");
  });

  it("needs a key with the right to x402, and is found by its own merchant alone", async () => {
    const other = new X402Shop(host, await host.issueKey("shop", ["invoices:write"]));
    const refused = await other.ask("/x402/challenges", { amountSompi: "1", resource: "GET x" });
    expect(refused["code"]).toBe("gateway/scope");
    const stranger = new X402Shop(host, await host.issueKey("stranger", ["x402"]));
    const asked = await shop.challenge("1000");
    const payload = payloadOf(paymentOf(asked, "note"));
    expect(await stranger.verify(asked, payload)).toBe("invalid_payment_requirements");
    expect(await stranger.settle(asked, payload)).toMatchObject({ success: false });
    expect(host.payments.taken).toEqual([]);
  });
});

describe("a payment", () => {
  it("is checked without being broadcast, and settled as `paid` when the pool has it, never as more", async () => {
    const asked = await shop.challenge("1000");
    const payload = payloadOf(paymentOf(asked, "note"));
    expect(await shop.verify(asked, payload)).toBe("valid");
    expect(host.payments.taken).toEqual([]);
    expect(await statusOf(asked)).toBe("new");
    const settled = await shop.settle(asked, payload);
    expect(settled).toMatchObject({ success: true, amount: "1000", extra: { replayed: false } });
    expect(host.payments.taken).toEqual([settled["transaction"]]);
    expect(await statusOf(asked)).toBe("paid");
  });

  it("that is replayed after its settlement is valid for nobody, and has the same answer again", async () => {
    const asked = await shop.challenge("1000");
    const payload = payloadOf(paymentOf(asked, "note"));
    const first = await shop.settle(asked, payload, "request-1");
    expect(await shop.verify(asked, payload)).toBe(USED);
    // Whoever asked, and had no answer, asks again as the same caller.
    expect(await shop.settle(asked, payload, "request-1")).toEqual(first);
    for (const caller of ["request-2", null]) {
      const again = await shop.settle(asked, payload, caller);
      expect(again).toEqual({ ...first, extra: { replayed: true } });
    }
    expect(host.payments.taken).toHaveLength(1);
  });

  it("for two challenges is taken for one of them: by its bytes, and by any of its notes", async () => {
    const [a, b] = [await shop.challenge("1000"), await shop.challenge("1000")];
    const both = rawOf({ spends: ["note"], pays: { [a.payTo]: "1000", [b.payTo]: "1000" } });
    expect(await shop.verify(a, payloadOf(both))).toBe("valid");
    expect(await shop.verify(b, payloadOf(both))).toBe(USED);
    expect(await shop.settle(b, payloadOf(both))).toMatchObject({
      success: false,
      errorReason: USED,
    });
    const double = payloadOf(paymentOf(b, "other", { spends: ["note", "other"] }));
    expect(await shop.verify(b, double)).toBe(USED);
    expect(await shop.settle(a, payloadOf(both))).toMatchObject({ success: true });
    expect(await shop.verify(b, payloadOf(both))).toBe(USED);
    expect(host.payments.taken).toHaveLength(1);
  });

  it("for two challenges at the same moment is bound to one", async () => {
    const challenges = await Promise.all(Array.from({ length: 8 }, () => shop.challenge("10")));
    const pays = Object.fromEntries(challenges.map(({ payTo }) => [payTo, "10"]));
    const payload = payloadOf(rawOf({ spends: ["note"], pays }));
    const verdicts = await Promise.all(challenges.map((asked) => shop.verify(asked, payload)));
    expect(verdicts.filter((verdict) => verdict === "valid")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === USED)).toHaveLength(7);
  });

  it("that was watched in the pool is refused to a stranger, for his challenge and for another's", async () => {
    const asked = await shop.challenge("1000");
    const watched = paymentOf(asked, "note");
    await shop.settle(asked, payloadOf(watched), "payer");
    const own = await shop.challenge("1000");
    expect(await shop.verify(own, payloadOf(watched))).toBe("invalid_exact_svc_recipient");
    expect(await shop.verify(asked, payloadOf(watched))).toBe(USED);
    // One that pays the stranger's own challenge, and is out already.
    const out = paymentOf(own, "public");
    await host.payments.submit(out);
    expect(await shop.verify(own, payloadOf(out))).toBe(USED);
  });

  it("is refused for what it pays, what it spends, its proof, its anchor and its fee", async () => {
    const asked = await shop.challenge("1000");
    const verify = (over: object) => shop.verify(asked, payloadOf(paymentOf(asked, "note", over)));
    for (const amount of ["999", "1001"]) {
      expect(await verify({ pays: { [asked.payTo]: amount } })).toBe("invalid_exact_svc_amount");
    }
    expect(await verify({ pays: {} })).toBe("invalid_exact_svc_recipient");
    const reasons = ["shielded/proof-invalid", "tx/anchor-too-old", "mempool/fee-too-low"];
    expect(await Promise.all(reasons.map((wrong) => verify({ wrong })))).toEqual([
      "invalid_exact_svc_transaction",
      "invalid_exact_svc_anchor",
      "invalid_exact_svc_fee",
    ]);
    host.payments.spend("note");
    expect(await verify({})).toBe(USED);
    expect(await shop.verify(asked, { transaction: "AAAA" })).toBe("invalid_payload");
    expect(await shop.verify(asked, {})).toBe("invalid_payload");
    expect(host.payments.taken).toEqual([]);
  });

  it("is refused where client and resource do not say the same", async () => {
    const asked = await shop.challenge("1000");
    const payload = payloadOf(paymentOf(asked, "note"));
    const wrong = async (changed: object) => shop.verify({ ...asked, ...changed }, payload);
    expect(await wrong({ network: "svc:0" })).toBe("invalid_network");
    expect(await wrong({ asset: "svc:0/coin:native" })).toBe("invalid_network");
    expect(await wrong({ scheme: "upto" })).toBe("unsupported_scheme");
    expect(await wrong({ amount: "1" })).toBe("invalid_payment_requirements");
    expect(await wrong({ payTo: "svcsim:other" })).toBe("invalid_payment_requirements");
    const required = { paymentRequirements: { ...asked, amount: "2000" } };
    expect(await shop.verify(asked, payload, required)).toBe("invalid_payment_requirements");
    const dearer = { resource: "GET https://api.example/other" };
    expect(await shop.verify(asked, payload, dearer)).toBe("invalid_payment_requirements");
    const same = { resource: "GET https://api.example/r" };
    expect(await shop.verify(asked, payload, same)).toBe("valid");
  });

  it("that is uploaded first is named by its id; an unknown or closed challenge takes none", async () => {
    const asked = await shop.challenge("1000");
    const raw = paymentOf(asked, "note");
    const { transaction } = payloadOf(raw);
    const upload = (challenge: string, text = transaction) =>
      shop.ask("/x402/payments", { challenge, transaction: text });
    const { transactionId } = await upload(asked.extra.challenge);
    expect(transactionId).toBe(host.payments.txidOf(raw));
    expect(await shop.verify(asked, { transactionId: "ab".repeat(32) })).toBe("invalid_payload");
    expect(await shop.verify(asked, { transactionId })).toBe("valid");
    expect(await shop.settle(asked, { transactionId })).toMatchObject({ success: true });
    expect(await upload(asked.extra.challenge)).toMatchObject({ code: "gateway/wrong-state" });
    expect(await upload(`inv_${"0".repeat(32)}`)).toMatchObject({ code: "gateway/no-invoice" });
    const long = await upload(asked.extra.challenge, "A".repeat(400_000));
    expect(long["code"]).toBe("http/body-too-large");
  });
});

describe("a settlement", () => {
  it("that the node refuses ends the challenge, and its notes pay for another one", async () => {
    const asked = await shop.challenge("1000");
    const payload = payloadOf(paymentOf(asked, "note"));
    expect(await shop.verify(asked, payload)).toBe("valid");
    host.payments.late = "tx/anchor-too-old";
    const refused = await shop.settle(asked, payload);
    expect(refused).toMatchObject({ success: false, errorReason: "invalid_transaction_state" });
    expect(refused["transaction"]).toBe("");
    host.payments.late = null;
    expect(await shop.settle(asked, payload)).toMatchObject({ success: false, errorReason: OVER });
    expect(await statusOf(asked)).toBe("new");
    const next = await shop.challenge("1000");
    expect(await shop.settle(next, payloadOf(paymentOf(next, "note")))).toMatchObject({
      success: true,
    });
  });

  it("that comes after the end of its challenge broadcasts nothing, and frees the notes", async () => {
    const asked = await shop.challenge("1000", { expiresIn: 60 });
    const payload = payloadOf(paymentOf(asked, "note"));
    expect(await shop.verify(asked, payload)).toBe("valid");
    await host.pass(60_000n);
    expect(await shop.verify(asked, payload)).toBe(OVER);
    expect(await shop.settle(asked, payload)).toMatchObject({ success: false, errorReason: OVER });
    expect(host.payments.taken).toEqual([]);
    expect(await host.challenges.forgetEnded(10)).toBe(1);
    const next = await shop.challenge("1000");
    expect(await shop.verify(next, payloadOf(paymentOf(next, "note")))).toBe("valid");
  });

  it("without an answer of the node goes on by itself, and is answered when it is asked for again", async () => {
    for (const fault of ["unanswered", "lost", "full"] as const) {
      const asked = await shop.challenge("1000");
      const payload = payloadOf(paymentOf(asked, fault));
      const before = host.payments.taken.length;
      expect(await shop.verify(asked, payload)).toBe("valid");
      host.payments.fault = fault;
      expect(await shop.settle(asked, payload, "a")).toMatchObject(PENDING);
      expect(await shop.verify(asked, payload)).toBe("valid");
      host.payments.fault = "none";
      await host.facilitator.sendAgain(never);
      const done = await shop.settle(asked, payload, "a");
      expect(done).toMatchObject({ success: true, extra: { replayed: false } });
      expect(host.payments.taken).toHaveLength(before + 1);
    }
  });

  it("is one for all who ask at the same moment, and the first of them alone is served", async () => {
    const asked = await shop.challenge("1000");
    const payload = payloadOf(paymentOf(asked, "note"));
    const callers = Array.from({ length: 20 }, (_, caller) => `caller-${caller}`);
    const answers = await Promise.all(callers.map((caller) => shop.settle(asked, payload, caller)));
    expect(answers.map(({ success }) => success)).toEqual(callers.map(() => true));
    const served = answers.filter(
      ({ extra }) => JSON.stringify(extra) === JSON.stringify({ replayed: false }),
    );
    expect(served).toHaveLength(1);
    expect(host.payments.taken).toHaveLength(1);
  });

  it("above the merchant's limit for pools waits for the depth, and is confirmed then", async () => {
    const asked = await shop.challenge("2000000");
    const raw = paymentOf(asked, "note");
    const settling = shop.settle(asked, payloadOf(raw));
    await expect.poll(() => host.payments.taken.length).toBe(1);
    const address = await addressOf(asked);
    const done = { is: false };
    void settling.then(() => (done.is = true));
    const facts = host.payments.minedFacts(raw, address, 100n);
    for (const tip of [100n, 109n]) {
      await host.tell(tip === 100n ? facts : [], tip);
      // Nothing is left to be done but to wait.
      await turns();
      expect(done.is).toBe(false);
      expect(await statusOf(asked)).toBe("paid");
    }
    await host.tell([], 110n);
    expect(await settling).toMatchObject({ success: true });
    expect(await statusOf(asked)).toBe("confirmed");
  });

  it("that is not deep after the wait goes on, and is asked for again", async () => {
    const asked = await shop.challenge("2000000");
    const payload = payloadOf(paymentOf(asked, "note"));
    const both = [shop.settle(asked, payload, "a"), shop.settle(asked, payload, "b")];
    await expect.poll(() => host.payments.taken.length).toBe(1);
    await turns();
    await host.pass(19_999n);
    await turns();
    await host.pass(1n);
    expect(await Promise.all(both)).toMatchObject([PENDING, PENDING]);
    await deepen(asked, paymentOf(asked, "note"));
    expect(await shop.settle(asked, payload, "a")).toMatchObject({
      success: true,
      extra: { replayed: false },
    });
  });

  it("that never gets deep keeps nobody else from being settled, however many there are", async () => {
    const deep = await Promise.all(Array.from({ length: 68 }, () => shop.challenge("2000000")));
    const early: unknown[] = [];
    const settling: ReturnType<typeof shop.settle>[] = [];
    for (const [note, asked] of deep.entries()) {
      const one = shop.settle(asked, payloadOf(paymentOf(asked, `note ${note}`)));
      void one.then((answer) => early.push(answer));
      settling.push(one);
      if (settling.length % 20 === 0)
        await expect.poll(() => host.payments.taken.length).toBe(settling.length);
    }
    // 64 of one merchant are waited for; whoever comes then is told at once that it goes on. Those of another merchant are waited for.
    await expect.poll(() => early.length).toBe(4);
    const other = new X402Shop(host, await host.issueKey("other", KEY_SCOPES));
    const theirs = await other.challenge("2000000");
    const raw = paymentOf(theirs, "theirs");
    const waited = other.settle(theirs, payloadOf(raw));
    await expect.poll(() => host.payments.taken.length).toBe(69);
    await turns();
    await deepen(theirs, raw);
    expect(await waited).toMatchObject({ success: true });
    const small = await shop.challenge("1000");
    const answer = await shop.settle(small, payloadOf(paymentOf(small, "other")));
    expect(answer).toMatchObject({ success: true });
    await host.pass(20_000n);
    const answers = await Promise.all(settling);
    expect(answers.filter((one) => one["errorReason"] === "settlement_pending")).toHaveLength(68);
  });

  it("whose payment is in no pool and no block any more is answered at once, and not as settled", async () => {
    for (const amount of ["1000", "2000000"]) {
      const asked = await shop.challenge(amount);
      const raw = paymentOf(asked, amount);
      const payload = payloadOf(raw);
      host.payments.fault = "unanswered";
      expect(await shop.settle(asked, payload, "a")).toMatchObject(PENDING);
      host.payments.fault = "none";
      await host.facilitator.sendAgain(never);
      const waiting = amount === "1000" ? [] : [shop.settle(asked, payload, "b")];
      await turns();
      await host.tell(host.payments.goneFacts(raw, await addressOf(asked)), 100n);
      expect(await Promise.all(waiting)).toMatchObject(waiting.map(() => PENDING));
      expect(await shop.settle(asked, payload, "a")).toMatchObject(PENDING);
    }
  });

  it("whose payment a pool forgets is broadcast again until a block has it, deep enough", async () => {
    const asked = await shop.challenge("1000");
    const raw = paymentOf(asked, "note");
    expect(await shop.settle(asked, payloadOf(raw))).toMatchObject({ success: true });
    const id = asInvoiceId(asked.extra.challenge);
    // Nobody has seen it in the pool, then somebody has seen it go.
    for (const [times, facts] of [
      [],
      host.payments.goneFacts(raw, await addressOf(asked)),
    ].entries()) {
      host.payments.evict(raw);
      await host.tell(facts, 90n);
      await host.facilitator.sendAgain(never);
      expect(host.payments.taken).toHaveLength(times + 2);
      expect(await statusOf(asked)).toBe("paid");
    }
    await host.tell(host.payments.minedFacts(raw, await addressOf(asked), 100n), 100n);
    host.payments.evict(raw);
    await host.facilitator.sendAgain(never);
    expect(host.payments.taken).toHaveLength(3);
    expect(host.store.challenges.payment(id)).toBeDefined();
    await host.tell([], 110n);
    await host.facilitator.sendAgain(never);
    expect(host.store.challenges.payment(id)).toBeUndefined();
    expect(host.store.challenges.sending(null, 10)).toEqual([]);
  });

  it("whose payment is lost for good is over ten minutes after its challenge, and its bytes are forgotten", async () => {
    const [asked, told] = [await shop.challenge("2000000"), await shop.challenge("1000")];
    const raws = [paymentOf(asked, "note"), paymentOf(told, "other")] as const;
    const [payload, toldPayload] = [payloadOf(raws[0]), payloadOf(raws[1])];
    const waiting = shop.settle(asked, payload);
    const answer = await shop.settle(told, toldPayload, "a");
    await expect.poll(() => host.payments.taken.length).toBe(2);
    await turns();
    for (const [at, one] of [asked, told].entries()) {
      const raw = raws[at] ?? raws[0];
      host.payments.evict(raw);
      await host.tell(host.payments.goneFacts(raw, await addressOf(one)), 90n);
    }
    expect(await waiting).toMatchObject(PENDING);
    host.payments.late = "tx/anchor-too-old";
    await host.facilitator.sendAgain(never);
    await host.pass(899_999n);
    expect(await host.challenges.forgetEnded(10)).toBe(0);
    expect(await shop.settle(asked, payload)).toMatchObject(PENDING);
    await host.pass(1n);
    expect(await host.challenges.forgetEnded(10)).toBe(2);
    const over = { success: false, errorReason: OVER };
    expect(await shop.settle(asked, payload)).toMatchObject(over);
    expect(host.store.challenges.sending(null, 10)).toEqual([]);
    // Whoever was told that it is settled hears the same again.
    expect(await shop.settle(told, toldPayload, "a")).toEqual(answer);
    host.payments.late = null;
    const next = await shop.challenge("1000");
    expect(await shop.verify(next, payloadOf(paymentOf(next, "note")))).toBe("valid");
  });

  it("that may be out is not over when the node refuses it later, whatever for", async () => {
    const [comes, lost] = [await shop.challenge("1000"), await shop.challenge("1000")];
    const settle = (asked: Asked) =>
      shop.settle(asked, payloadOf(paymentOf(asked, asked.payTo)), "a");
    for (const asked of [comes, lost]) {
      host.payments.fault = "unanswered";
      expect(await settle(asked)).toMatchObject(PENDING);
      // The node begins anew: it does not know that others have it.
      host.payments.evict(paymentOf(asked, asked.payTo));
    }
    host.payments.fault = "none";
    host.payments.late = "tx/anchor-too-old";
    await host.facilitator.sendAgain(never);
    for (const asked of [comes, lost]) expect(await settle(asked)).toMatchObject(PENDING);
    await deepen(comes, paymentOf(comes, comes.payTo));
    expect(await settle(comes)).toMatchObject({ success: true });
    await host.pass(900_000n);
    await host.facilitator.sendAgain(never);
    expect(await settle(lost)).toMatchObject({ success: false, errorReason: OVER });
  });

  it("goes on after the gateway was killed between writing it down and its answer", async () => {
    const folder = temporaryFolder();
    const { payments } = host;
    let killed = await DeskHost.open(folder.path, { poolLimit: POOL_LIMIT, payments });
    const key = await killed.issueKey("shop", KEY_SCOPES);
    const before = new X402Shop(killed, key);
    const asked = await before.challenge("1000");
    const payload = payloadOf(paymentOf(asked, "note"));
    payments.fault = "unanswered";
    expect(await before.settle(asked, payload, "a")).toMatchObject({ success: false });
    await killed.close();
    payments.fault = "none";
    killed = await DeskHost.open(folder.path, { poolLimit: POOL_LIMIT, payments });
    const after = new X402Shop(killed, key);
    expect(await after.settle(asked, payload, "a")).toMatchObject({
      success: true,
      extra: { replayed: false },
    });
    expect(await after.verify(asked, payload)).toBe(USED);
    expect(payments.taken).toHaveLength(1);
    await killed.close();
    folder.remove();
  });
});
