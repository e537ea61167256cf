/** The payer of refunds against a model of the wallet daemon: by hand, and over random lines, kills, merchants and owners. */
import { writeFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  asAddressText,
  asBlueScore,
  asMerchantId,
  asSompi,
  asTimestampMs,
  type RefundId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import { blockAt, MADE_MS, outputOf, testInvoice } from "@svc/shared/invoice/testkit/invoices.ts";
import { temporaryFolder } from "../../platform/testkit/temporaryFolder.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { IS_FULL, testSeed } from "../../platform/testkit/testRun.ts";
import { RefundDesk } from "../desk/refundDesk.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import { ModelWalletd, type LineFault } from "../testkit/modelWalletd.ts";
import { WalletdPayout, type PayoutWallet } from "./payoutWallet.ts";
import { RefundPayer } from "./refundPayer.ts";

const SHOP = asMerchantId("shop");
const TOKEN = `svct.${"ab".repeat(32)}`;
const URL_OF = { walletdUrl: "http://127.0.0.1:1", bearerFile: null };
const HOUR = 3_600_000n;
const HISTORIES = IS_FULL ? 200 : 40;

/** A gateway with an invoice of 1,000 sompi that was paid, and the wallet of its merchant. */
class Scene {
  readonly daemon = new ModelWalletd();
  readonly tokenFile: string;
  store: GatewayStore;
  desk: RefundDesk;
  payer: RefundPayer;
  hasWallet = true;
  nowMs: bigint = MADE_MS + 1_000n;
  #bytes = 0;
  #isKilled = false;

  private constructor(store: GatewayStore, tokenFile: string) {
    this.tokenFile = tokenFile;
    this.store = store;
    this.desk = this.#desk();
    this.payer = this.#payer();
    this.daemon.balance = 10_000n;
    const block = blockAt(1_001n, MADE_MS);
    const mined = { kind: "mined", output: outputOf(1, 1_000n), block } as const;
    const moment = { nowMs: asTimestampMs(this.nowMs), tip: asBlueScore(1_011n) };
    const { invoice } = reduceInvoice(testInvoice({}, 1_000n), [mined], moment);
    store.commit((batch) => store.invoices.put(batch, invoice));
  }

  static async open(tokenFile: string): Promise<Scene> {
    return new Scene(await GatewayStore.open(null, null), tokenFile);
  }

  /** Kills the process when the daemon has done what it was asked next, at the odds that `draw` gives. */
  killNext(draw: () => boolean = () => true): void {
    this.daemon.onDone = () => {
      if (this.#isKilled || !draw()) return;
      this.#isKilled = true;
      void this.payer.stop();
    };
  }

  /** Another process begins with what was written where the one before was killed. */
  async restart(): Promise<void> {
    if (!this.#isKilled) return;
    await this.payer.stop();
    this.desk = this.#desk();
    this.payer = this.#payer();
    this.#isKilled = false;
  }

  /** An approved refund to an address of its own. */
  async approved(amount: bigint): Promise<RefundId> {
    const { invoice } = { invoice: testInvoice().terms.id };
    const offer = { kind: "custom", amount: asSompi(amount), reason: null } as const;
    const { refund } = await this.desk.create(SHOP, invoice, offer, null);
    const { id, claim } = refund.terms;
    const address = asAddressText(`svcsim:${id}`);
    await this.desk.fill(claim, address);
    await this.desk.approve(SHOP, id, address, null);
    return id;
  }

  async pass(ms: bigint): Promise<void> {
    this.nowMs += ms;
    await this.payer.drain();
  }

  get(id: RefundId): Promise<Refund> {
    return this.desk.get(SHOP, id);
  }

  /** What left the wallet for a refund, payment by payment. */
  paid(id: RefundId): readonly bigint[] {
    const own = this.daemon.payments.filter(({ to }) => to === `svcsim:${id}`);
    return own.map(({ amount }) => amount);
  }

  #desk(): RefundDesk {
    return new RefundDesk({
      store: this.store,
      clock: { nowMs: () => this.nowMs },
      randomBytes: (length) => {
        this.#bytes += 1;
        return Uint8Array.from({ length }, (_, place) => (this.#bytes >> (8 * (place % 4))) & 0xff);
      },
      onApproved: () => undefined,
    });
  }

  #payer(): RefundPayer {
    const wallet: PayoutWallet = new WalletdPayout(
      { ...URL_OF, tokenFile: this.tokenFile },
      (input, init) => this.daemon.fetch(input, init),
    );
    return new RefundPayer({
      refunds: this.desk,
      walletOf: () => (this.hasWallet ? wallet : null),
      clock: { nowMs: () => this.nowMs, sleep: async () => undefined },
      log: { error: (context: unknown) => console.error(context) },
    });
  }
}

const folder = temporaryFolder();
const tokenFile = join(folder.path, "wallet-token");
let scene: Scene;

beforeEach(async () => {
  writeFileSync(tokenFile, `${TOKEN}\n`);
  scene = await Scene.open(tokenFile);
});

afterEach(() => scene.store.close());
afterAll(() => folder.remove());

describe("the payer of refunds", () => {
  it("pays an approved refund, and confirms it when it is deep enough", async () => {
    const id = await scene.approved(300n);
    await scene.pass(0n);
    expect(await scene.get(id)).toMatchObject({ state: "sent", txids: [expect.any(String)] });
    expect(scene.daemon.payments).toMatchObject([{ key: `refund-${id}`, amount: 300n }]);
    scene.daemon.mine();
    await scene.pass(HOUR);
    expect((await scene.get(id)).state).toBe("sent");
    scene.daemon.sink += 10;
    await scene.pass(HOUR);
    expect(await scene.get(id)).toMatchObject({ state: "confirmed", error: null });
    expect(scene.desk.nextDueMs(0n)).toBeNull();
  });

  it("asks again with the same key after a lost answer, and pays once", async () => {
    const id = await scene.approved(300n);
    const faults: LineFault[] = ["none", "unanswered"];
    scene.daemon.fault = () => faults.shift() ?? "none";
    await scene.pass(0n);
    expect(await scene.get(id)).toMatchObject({
      state: "approved",
      error: { code: "api/unreachable" },
    });
    expect(scene.paid(id)).toEqual([300n]);
    expect(await rejectionCode(scene.desk.cancel(SHOP, id))).toBe("gateway/refund-state");
    await scene.pass(HOUR);
    expect([(await scene.get(id)).state, scene.paid(id)]).toEqual(["sent", [300n]]);
  });

  it("asks again after a kill between question and answer, and pays once", async () => {
    const id = await scene.approved(300n);
    scene.killNext();
    await scene.payer.drain();
    scene.daemon.onDone = () => undefined;
    await scene.restart();
    expect(await scene.get(id)).toMatchObject({ state: "approved", attempt: { isOpen: false } });
    await scene.pass(0n);
    expect([(await scene.get(id)).state, scene.paid(id)]).toEqual(["sent", [300n]]);
  });

  it("leaves a refund approved while the wallet lacks money, and says why", async () => {
    scene.daemon.balance = 100n;
    const [id, other] = [await scene.approved(300n), await scene.approved(50n)];
    await scene.pass(0n);
    expect(await scene.get(id)).toMatchObject({
      state: "approved",
      error: { code: "wallet/insufficient-funds" },
    });
    expect((await scene.get(other)).state).toBe("sent");
    scene.daemon.balance = 1_000n;
    await scene.pass(HOUR);
    expect([(await scene.get(id)).state, (await scene.get(id)).error]).toEqual(["sent", null]);
    expect(scene.daemon.reused).toEqual([]);
  });

  it("waits where the merchant has named no wallet, or its token cannot be read", async () => {
    const id = await scene.approved(300n);
    scene.hasWallet = false;
    await scene.pass(HOUR);
    expect(await scene.get(id)).toMatchObject({ state: "approved", error: null, tries: 0 });
    scene.hasWallet = true;
    rmSync(tokenFile);
    await scene.pass(HOUR);
    expect((await scene.get(id)).error?.code).toBe("gateway/storage");
    writeFileSync(tokenFile, "the-token-of-the-wallet-itself");
    await scene.pass(HOUR);
    expect((await scene.get(id)).error?.code).toBe("gateway/storage");
    writeFileSync(tokenFile, TOKEN);
    await scene.pass(HOUR);
    expect((await scene.get(id)).state).toBe("sent");
  });

  it("asks no other wallet for what one may have paid", async () => {
    const id = await scene.approved(300n);
    const faults: LineFault[] = ["none", "unanswered"];
    scene.daemon.fault = () => faults.shift() ?? "none";
    await scene.pass(0n);
    scene.daemon.address = "svcsim:another";
    await scene.pass(HOUR);
    expect(await scene.get(id)).toMatchObject({
      state: "approved",
      error: { code: "gateway/payout-wallet" },
    });
    scene.daemon.address = "svcsim:wallet";
    await scene.pass(HOUR);
    expect([(await scene.get(id)).state, scene.paid(id)]).toEqual(["sent", [300n]]);
  });

  it("follows a payment that waits for the wallet's owner", async () => {
    scene.daemon.asksOwner = true;
    const [id, other] = [await scene.approved(300n), await scene.approved(200n)];
    await scene.pass(0n);
    const needed = { state: "approved", error: { code: "wallet/approval-needed" } };
    expect([await scene.get(id), await scene.get(other)]).toMatchObject([needed, needed]);
    await scene.pass(HOUR);
    scene.daemon.decide(true);
    await scene.pass(HOUR);
    expect([(await scene.get(id)).state, scene.paid(id)]).toEqual(["sent", [300n]]);
    const denied = await scene.approved(100n);
    await scene.pass(0n);
    scene.daemon.decide(false);
    await scene.pass(HOUR);
    expect(await scene.get(denied)).toMatchObject({
      state: "failed",
      error: { code: "wallet/cancelled" },
    });
    expect(scene.paid(denied)).toEqual([]);
  });

  it("fails what the wallet says will never be paid, with what had moved", async () => {
    scene.daemon.ending = "partly";
    const half = await scene.approved(300n);
    await scene.pass(0n);
    expect(await scene.get(half)).toMatchObject({
      state: "failed",
      moved: 150n,
      txids: [expect.any(String)],
      error: { code: "wallet/partly-sent" },
    });
    scene.daemon.ending = "rejected";
    const none = await scene.approved(850n);
    await scene.pass(0n);
    expect(await scene.get(none)).toMatchObject({ state: "failed", moved: 0n, txids: [] });
    await scene.pass(HOUR);
    expect(scene.daemon.payments).toHaveLength(1);
  });

  it("takes a refusal that it does not know for one that may have paid", async () => {
    const id = await scene.approved(300n);
    scene.daemon.refusal = new SvcError("internal/unexpected", { message: "" });
    await scene.pass(0n);
    expect((await scene.get(id)).attempt).not.toBeNull();
    scene.daemon.refusal = new SvcError("wallet/not-synced", { behind: 3 });
    await scene.pass(HOUR);
    expect(await rejectionCode(scene.desk.cancel(SHOP, id))).toBe("gateway/refund-state");
    scene.daemon.refusal = null;
    await scene.pass(HOUR);
    expect(scene.paid(id)).toEqual([300n]);
  });
});

const FAULTS: readonly LineFault[] = ["none", "lost", "unanswered", "twice", "late", "proxy"];

/** A history; returns how many refunds it paid. */
async function playHistory(draw: (below: number) => number): Promise<number> {
  const world = await Scene.open(tokenFile);
  const { daemon } = world;
  daemon.balance = BigInt(draw(1_000));
  let isCalm = false;
  daemon.fault = () => (isCalm ? "none" : (FAULTS[draw(FAULTS.length)] ?? "none"));
  world.killNext(() => !isCalm && draw(4) === 0);
  const ids: RefundId[] = [];
  for (let step = 0; step < 40; step += 1) {
    const id = ids[draw(Math.max(1, ids.length))];
    switch (draw(7)) {
      case 0:
        await world.approved(BigInt(1 + draw(300))).then((made) => ids.push(made), refusedOnly);
        break;
      case 1:
        if (id !== undefined) await world.desk.cancel(SHOP, id).catch(refusedOnly);
        break;
      case 2:
        daemon.balance += BigInt(draw(300));
        daemon.asksOwner = draw(4) === 0;
        break;
      case 3:
        daemon.decide(draw(2) === 0);
        daemon.mine();
        break;
      case 4:
        daemon.arrive();
        break;
      default:
        await world.pass(BigInt(draw(900_000)));
    }
    await world.restart();
    for (const one of ids) expectTrue(world, await world.get(one));
  }
  isCalm = true;
  daemon.asksOwner = false;
  daemon.arrive();
  daemon.decide(true);
  daemon.balance += 100_000n;
  for (let turn = 0; turn < 8; turn += 1) {
    await world.pass(HOUR);
    daemon.mine();
    daemon.sink += 10;
  }
  const ends = await Promise.all(ids.map((id) => world.get(id)));
  for (const refund of ends) {
    expectTrue(world, refund);
    expect(["confirmed", "cancelled", "failed"]).toContain(refund.state);
  }
  expect(daemon.reused).toEqual([]);
  expect(daemon.payments.reduce((sum, { amount }) => sum + amount, 0n)).toBeLessThanOrEqual(1_000n);
  expect(world.store.flaws()).toEqual([]);
  await world.store.close();
  return ends.filter(({ state }) => state === "confirmed").length;
}

/** A refund that is sent was paid once, one that ended otherwise was not, and no other more than once. */
function expectTrue(world: Scene, { state, terms }: Refund): void {
  const paid = world.paid(terms.id);
  if (state === "sent" || state === "confirmed") expect(paid).toEqual([terms.amount]);
  else if (state === "approved") expect(paid.length).toBeLessThanOrEqual(1);
  else expect(paid).toEqual([]);
}

function refusedOnly(thrown: unknown): void {
  const { code } = SvcError.from(thrown);
  if (code !== "gateway/refund-too-large" && code !== "gateway/refund-state") throw thrown;
}

it(`pays each refund once over ${HISTORIES} histories of lost and late answers and kills`, async () => {
  const random = mulberry32(testSeed(20));
  let confirmed = 0;
  for (let history = 0; history < HISTORIES; history += 1) {
    confirmed += await playHistory((below) => random() % below);
  }
  expect(confirmed).toBeGreaterThan(HISTORIES);
});
