/** Refunds of a hosted gateway, paid by the program beside the node: against models of the gateway, which may lie, and of the wallet daemon. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  asAddressText,
  asBlueScore,
  asChainIndex,
  asRefundId,
  asSompi,
  asViewingKeyId,
  type RefundId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { DuePayout } from "@svc/shared/invoice/payoutCalls.ts";
import { blockAt, MADE_MS, outputOf } from "@svc/shared/invoice/testkit/invoices.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { temporaryFolder } from "../../platform/testkit/temporaryFolder.ts";
import { IS_FULL, testSeed } from "../../platform/testkit/testRun.ts";
import type { CallFault } from "../testkit/modelPayouts.ts";
import type { LineFault } from "../testkit/modelWalletd.ts";
import { INVOICE, NO_POINT, PayoutScene, RECENT, SHOP } from "../testkit/payoutScene.ts";
import { scannedBlock } from "../testkit/scannedChain.ts";

const TOKEN = `svct.${"ab".repeat(32)}`;
const HOUR = 3_600_000n;
const { key: KEY, index: INDEX } = INVOICE.terms.address;
const HISTORIES = IS_FULL ? 100 : 4;
/** Refunds that a gateway forges at once, and hours over which it does. */
const [FORGED, HOURS] = IS_FULL ? [50, 12] : [20, 5];

const folder = temporaryFolder();
const tokenFile = join(folder.path, "wallet-token");
let scene: PayoutScene;

beforeEach(async () => {
  writeFileSync(tokenFile, `${TOKEN}\n`);
  scene = await PayoutScene.open(tokenFile);
});
afterEach(() => scene.close());
afterAll(() => folder.remove());

describe("a refund of a hosted gateway", () => {
  it("is paid beside the node once, and the gateway hears that it was sent and confirmed", async () => {
    const id = await scene.approved(300n);
    await scene.pass(0n);
    expect(scene.desk.find(id)).toMatchObject({ state: "sent", txids: [expect.any(String)] });
    expect(scene.daemon.payments).toMatchObject([{ key: `refund-${id}`, amount: 300n }]);
    scene.daemon.mine();
    scene.daemon.sink += 10;
    await scene.pass(HOUR);
    expect(scene.desk.find(id)).toMatchObject({ state: "confirmed", error: null, dueMs: null });
    await scene.pass(HOUR);
    expect(scene.paid).toEqual([300n]);
  });

  it("does not tell the gateway the address of the wallet", async () => {
    scene.daemon.balance = 0n;
    const id = await scene.approved(300n);
    const told: string[] = [];
    const { request } = scene.hosted;
    Object.assign(scene.hosted, {
      request: async (input: string, init: RequestInit) => {
        told.push(
          new TextDecoder().decode(init.body instanceof Uint8Array ? init.body : undefined),
        );
        return request(input, init);
      },
    });
    await scene.pass(0n);
    expect(scene.desk.find(id).error?.code).toBe("wallet/insufficient-funds");
    expect(told.join("")).toContain("insufficient-funds");
    scene.daemon.fault = () => "lost";
    await scene.pass(HOUR);
    expect(told.join("")).toContain("api/unreachable");
    for (const hidden of [scene.daemon.address, "127.0.0.1"]) {
      expect(told.join("")).not.toContain(hidden);
    }
  });

  it("that its merchant cancels before a wallet is asked is not paid", async () => {
    const id = await scene.approved(300n);
    const faults: CallFault[] = ["none", "lost"];
    scene.hosted.fault = () => faults.shift() ?? "none";
    await scene.pass(0n);
    await scene.desk.cancel(SHOP, id);
    await scene.pass(HOUR);
    await scene.pass(HOUR);
    expect([scene.desk.find(id).state, scene.paid]).toEqual(["cancelled", []]);
  });

  it("is paid once when answers of gateway and wallet are lost, and after kills", async () => {
    const id = await scene.approved(300n);
    const faults: CallFault[] = ["none", "unanswered"];
    scene.hosted.fault = () => faults.shift() ?? "none";
    await scene.pass(0n);
    expect(scene.paid).toEqual([]);
    scene.killNext();
    await scene.pass(HOUR);
    scene.daemon.onDone = () => undefined;
    expect(scene.paid).toEqual([300n]);
    await scene.restart();
    // The gateway does not hear that it was paid.
    const later: CallFault[] = ["lost", "lost", "lost"];
    scene.hosted.fault = () => later.shift() ?? "none";
    for (let turn = 0; turn < 4; turn += 1) await scene.pass(HOUR);
    expect([scene.desk.find(id).state, scene.paid]).toEqual(["sent", [300n]]);
  });

  it("waits while the wallet lacks money, says why, and may be cancelled", async () => {
    scene.daemon.balance = 100n;
    const id = await scene.approved(300n);
    await scene.pass(0n);
    const missing = { state: "approved", error: { code: "wallet/insufficient-funds" } };
    expect(scene.desk.find(id)).toMatchObject({ ...missing, attempt: null });
    expect((await scene.desk.cancel(SHOP, id)).state).toBe("cancelled");
    scene.daemon.balance = 10_000n;
    await scene.pass(HOUR);
    expect(scene.paid).toEqual([]);
  });

  it("may be cancelled where the gateway's word was lost and no wallet was asked after it", async () => {
    scene.daemon.balance = 100n;
    const id = await scene.approved(300n);
    const faults: CallFault[] = ["none", "unanswered", "lost", "lost"];
    scene.hosted.fault = () => faults.shift() ?? "none";
    await scene.pass(0n);
    expect(scene.desk.find(id).attempt).not.toBeNull();
    await scene.pass(HOUR);
    expect(scene.desk.find(id)).toMatchObject({ error: { code: "wallet/insufficient-funds" } });
    expect((await scene.desk.cancel(SHOP, id)).state).toBe("cancelled");
  });

  it("is paid by no other wallet than the one that may have paid it", async () => {
    const id = await scene.approved(300n);
    const faults: LineFault[] = ["none", "unanswered"];
    scene.daemon.fault = () => faults.shift() ?? "none";
    await scene.pass(0n);
    scene.daemon.address = "svcsim:another";
    await scene.pass(HOUR);
    expect(scene.desk.find(id).error?.code).toBe("gateway/payout-wallet");
    scene.daemon.address = "svcsim:wallet";
    await scene.pass(HOUR);
    expect([scene.desk.find(id).state, scene.paid]).toEqual(["sent", [300n]]);
  });

  it("whose address is none fails, and frees what it offered for another claim", async () => {
    const id = await scene.approved(1_000n, NO_POINT);
    await scene.pass(0n);
    expect(scene.desk.find(id)).toMatchObject({
      state: "failed",
      error: { code: "address/bad-key" },
    });
    const again = await scene.approved(1_000n);
    await scene.pass(HOUR);
    expect([scene.desk.find(again).state, scene.paid]).toEqual(["sent", [1_000n]]);
  });
});

describe("a gateway that lies", () => {
  beforeEach(() => {
    scene.hosted.agrees = true;
  });

  /** A refund that nobody approved. */
  const forged = (
    [truth]: readonly DuePayout[],
    number: number,
    change: object = {},
  ): readonly DuePayout[] => {
    if (truth === undefined) return [];
    const id = asRefundId(`ref_${number.toString(16).padStart(32, "0")}`);
    const terms = { ...truth.refund.terms, id, ...change };
    return [
      { ...truth, refund: { ...truth.refund, terms, address: asAddressText("svcsim:thief") } },
    ];
  };

  it("makes the wallet pay no more than this scanner saw paid to the address, over all its refunds", async () => {
    await scene.approved(300n);
    scene.hosted.lies = (truth) =>
      Array.from({ length: FORGED }, (_, number) => forged(truth, number)).flat();
    for (let turn = 0; turn < HOURS; turn += 1) await scene.pass(HOUR);
    expect(scene.paid).toEqual([300n, 300n, 300n]);
    scene.hosted.lies = (truth) => forged(truth, 99, { amount: asSompi(1_001n) });
    await scene.pass(HOUR);
    expect(scene.paid).toEqual([300n, 300n, 300n]);
  });

  it("lets no more go to fees than this program gives", async () => {
    await scene.approved(300n);
    const maxFee = asSompi(1_000_000_000_000n);
    scene.hosted.lies = (truth) =>
      truth.map((told) => ({ ...told, refund: { ...told.refund, maxFee } }));
    await scene.pass(HOUR);
    // The model of the daemon pays by the usual bound alone.
    expect(scene.paid).toEqual([300n]);
  });

  it("makes it pay nothing for an address or a viewing key that received nothing", async () => {
    await scene.approved(300n);
    const elsewhere = asViewingKeyId(`key_${"e".repeat(16)}`);
    scene.hosted.lies = (truth) => [
      ...forged(truth, 1).map((told) => ({ ...told, index: INDEX + 1 })),
      ...forged(truth, 2).map((told) => ({ ...told, key: elsewhere })),
    ];
    for (let turn = 0; turn < 3; turn += 1) await scene.pass(HOUR);
    expect(scene.paid).toEqual([]);
  });

  it("makes it pay nothing of a payment that is not deep, and nothing that a reorganisation took back", async () => {
    await scene.approved(300n);
    const block = blockAt(1_021n, MADE_MS);
    const input = { kind: "mined", output: outputOf(2, 5_000n), block } as const;
    const fact = { key: KEY, index: INDEX + 1, input };
    const found = [{ chainIndex: asChainIndex(1_021n), fact }];
    const common = asChainIndex(1_020n);
    scene.outbox.takeStep({ common, blocks: [scannedBlock(1_021)], found }, RECENT);
    scene.hosted.lies = (truth) =>
      forged(truth, 1, { requiredBlueScore: asBlueScore(0n) }).map((told) => ({
        ...told,
        index: INDEX + 1,
      }));
    await scene.pass(HOUR);
    scene.outbox.takeStep({ common, blocks: [scannedBlock(1_040, 1)], found: [] }, RECENT);
    await scene.pass(HOUR);
    expect(scene.paid).toEqual([]);
  });

  it("gets a refund paid once, whatever it says of amount and address later, or that nothing was paid", async () => {
    scene.hosted.agrees = false;
    const id = await scene.approved(300n);
    scene.daemon.balance = 100n;
    await scene.pass(0n);
    let truth: readonly DuePayout[] = [];
    scene.hosted.lies = (told) => {
      truth = told.length === 0 ? truth : told;
      return truth.map((one) => {
        const terms = { ...one.refund.terms, id, amount: asSompi(1_000n) };
        return { ...one, refund: { ...one.refund, terms, address: asAddressText("svcsim:thief") } };
      });
    };
    await scene.pass(HOUR);
    scene.daemon.balance = 10_000n;
    await scene.pass(HOUR);
    scene.hosted.lies = () => truth;
    scene.hosted.agrees = true;
    await scene.restart();
    await scene.pass(HOUR);
    await scene.pass(HOUR);
    expect(scene.daemon.payments).toMatchObject([{ to: `svcsim:${id}`, amount: 300n }]);
    expect(JSON.stringify(scene.warnings)).toContain("told otherwise");
  });

  it("that answers without an end, or nothing that can be read, is not listened to", async () => {
    await scene.approved(300n);
    scene.hosted.lies = (truth) => Array.from({ length: 101 }, (_, at) => forged(truth, at)).flat();
    await scene.pass(HOUR);
    const { request } = scene.hosted;
    Object.assign(scene.hosted, { request: async () => new Response("x".repeat(2_000_000)) });
    await scene.pass(HOUR);
    expect(scene.paid).toEqual([]);
    Object.assign(scene.hosted, { request });
    scene.hosted.lies = (truth) => truth;
    await scene.pass(HOUR);
    expect(scene.paid).toEqual([300n]);
  });

  it("about one refund keeps no other waiting", async () => {
    scene.hosted.agrees = false;
    const id = await scene.approved(300n);
    scene.hosted.lies = (truth) => [...forged(truth, 1, { amount: asSompi(5_000n) }), ...truth];
    await scene.pass(HOUR);
    expect([scene.desk.find(id).state, scene.paid]).toEqual(["sent", [300n]]);
  });
});

const LINES: readonly LineFault[] = [
  "none",
  "none",
  "lost",
  "unanswered",
  "twice",
  "late",
  "proxy",
];
const CALLS: readonly CallFault[] = ["none", "none", "lost", "unanswered"];

/** A history; returns how many refunds it paid. */
async function playHistory(draw: (below: number) => number): Promise<number> {
  const world = await PayoutScene.open(tokenFile);
  const { daemon, hosted, desk } = world;
  let isCalm = false;
  daemon.balance = BigInt(draw(2_000));
  daemon.fault = () => (isCalm ? "none" : (LINES[draw(LINES.length)] ?? "none"));
  hosted.fault = () => (isCalm ? "none" : (CALLS[draw(CALLS.length)] ?? "none"));
  world.killNext(() => !isCalm && draw(5) === 0);
  const ids: RefundId[] = [];
  const refusedOnly = (thrown: unknown): void => {
    if (!SvcError.from(thrown).code.startsWith("gateway/refund-")) throw thrown;
  };
  for (let step = 0; step < 40; step += 1) {
    const id = ids[draw(Math.max(1, ids.length))];
    const choice = draw(6);
    if (choice === 0) {
      await world.approved(BigInt(1 + draw(400))).then((made) => ids.push(made), refusedOnly);
    } else if (choice === 1 && id !== undefined) {
      await desk.cancel(SHOP, id).catch(refusedOnly);
    } else if (choice === 2) {
      daemon.arrive();
      daemon.mine();
    } else {
      await world.pass(BigInt(draw(900_000)));
    }
    if (draw(6) === 0) await world.restart();
  }
  isCalm = true;
  daemon.arrive();
  daemon.balance += 100_000n;
  for (let turn = 0; turn < 12; turn += 1) {
    await world.restart();
    await world.pass(HOUR);
    daemon.mine();
    daemon.sink += 10;
  }
  const ends = ids.map((id) => desk.find(id));
  for (const { terms, state } of ends) {
    const own = daemon.payments.filter(({ to }) => to === `svcsim:${terms.id}`);
    expect(["confirmed", "cancelled"], state).toContain(state);
    expect(own.map(({ amount }) => amount)).toEqual(state === "confirmed" ? [terms.amount] : []);
  }
  expect(daemon.reused).toEqual([]);
  expect(world.paid.reduce((sum, amount) => sum + amount, 0n)).toBeLessThanOrEqual(1_000n);
  await world.close();
  return ends.filter(({ state }) => state === "confirmed").length;
}

it(`pays each refund of a hosted gateway once over ${HISTORIES} histories of lost answers and kills`, async () => {
  const random = mulberry32(testSeed(21));
  let confirmed = 0;
  for (let history = 0; history < HISTORIES; history += 1) {
    confirmed += await playHistory((below) => random() % below);
  }
  expect(confirmed).toBeGreaterThan(HISTORIES);
});
