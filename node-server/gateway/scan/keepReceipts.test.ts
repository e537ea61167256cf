/** Stored receipts after steps of the scan and rollbacks, at a desk and in the outbox of a scanner that tells a hosted gateway. */
import { describe, expect, it, onTestFinished } from "vitest";
import { asBlueScore, asChainIndex } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { decodeFactBatch, type FactBatch } from "@svc/shared/invoice/factBatch.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { applyScan } from "../desk/applyScan.ts";
import { FactOutbox } from "../hosted/factOutbox.ts";
import { OutboxStore } from "../hosted/outboxStore.ts";
import { UNPROVED } from "../proof/scanProof.ts";
import type { ScanStep } from "./chainScan.ts";
import { DeskHost } from "../testkit/deskHost.ts";
import { paidNote } from "../testkit/paidNotes.ts";
import { minedPayment, scannedBlock } from "../testkit/scannedChain.ts";
import type { MadeReceipt, PaidNote } from "../receipts/paidNote.ts";

const RECENT = 100;
const COVERED = { leaves: [], proof: null };
const at = (index: number) => asChainIndex(BigInt(index));

/** A block that accepts payments, behind the one before it. */
function stepOf(block: number, payments: readonly PaidNote[], fork = 0): ScanStep {
  const accepting = scannedBlock(block, fork);
  const found = payments.map(({ key, index, cmx, note }) => {
    const { input } = minedPayment(0, accepting);
    if (input.kind !== "mined") throw new TypeError("a payment that no block accepts");
    const output = { ...input.output, cmx, amount: note.value };
    const fact = { key, index, input: { ...input, output } };
    return { chainIndex: accepting.chainIndex, fact, note };
  });
  return { common: at(block - 1), blocks: [accepting], found, covered: COVERED };
}

/** A state of the chain up to a block was proved, and gave receipts. */
function proofOf(
  tip: number,
  receipts: readonly MadeReceipt[],
  base: number | null = null,
): ScanStep {
  const moved = base === null ? null : { chainIndex: at(base), tree: "" };
  const covered = { leaves: [], proof: { ...UNPROVED, base: moved } };
  return { common: at(tip), blocks: [], found: [], covered, receipts };
}

function cutTo(block: number): ScanStep {
  return { common: at(block), blocks: [], found: [], covered: COVERED };
}

function made(paid: PaidNote, state: number, byte = 7): MadeReceipt {
  return { paid, bytes: new Uint8Array(9).fill(byte), state: at(state), work: 1n };
}

describe("receipts at a desk", () => {
  async function scene(folder: string | null = null) {
    const host = await DeskHost.open(folder);
    onTestFinished(() => host.close());
    const key = await host.issueKey("shop", ["invoices:read", "invoices:write"]);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ orderId: "1", amountSompi: "3", requiredBlueScore: 2 });
    const answer = await host.fetch("/api/v1/invoices", { method: "POST", headers, body });
    const { id } = Object(await answer.json());
    const address = await host.addressOf(id);
    const paid = (block: number, fork = 0) => ({ ...paidNote(2, block, fork), ...address });
    const step = (one: ScanStep): void => applyScan({ ...host, recentBlocks: RECENT }, one);
    const look = async (tip: number): Promise<number | null> => {
      host.looks.moveTip(asBlueScore(BigInt(tip)));
      await host.pass(0n);
      const { cmx } = paid(5);
      const file = await host.fetch(`/api/v1/checkout/${id}/receipts/${cmx}`);
      return file.status === 200 ? (new Uint8Array(await file.arrayBuffer())[0] ?? null) : null;
    };
    return { host, paid, step, look };
  }

  it("are made of payments of invoices alone, and given once they are confirmed", async () => {
    const { host, paid, step, look } = await scene();
    const stray = paidNote(9, 5);
    step(stepOf(5, [paid(5), stray]));
    expect([...host.store.receipts.open(at(9), 10)]).toMatchObject([{ cmx: paid(5).cmx }]);
    step(proofOf(6, [made(paid(5), 5), made(stray, 5)]));
    expect(await look(6)).toBeNull();
    expect(await look(7)).toBe(7);
    expect(host.store.receipts.receipt(stray.cmx, stray.block)).toBeNull();
  });

  it("go with a reorganisation that takes the payment, and come with it on the new branch", async () => {
    const { paid, step, look } = await scene();
    step(stepOf(5, [paid(5)]));
    step(proofOf(6, [made(paid(5), 5)]));
    expect(await look(9)).toBe(7);
    step(cutTo(4));
    expect(await look(9)).toBeNull();
    step(stepOf(5, [paid(5, 1)], 1));
    expect(await look(9)).toBeNull();
    step(proofOf(6, [made(paid(5, 1), 5, 8)]));
    expect(await look(9)).toBe(8);
  });

  it("go with a reorganisation that takes their header alone, and are made anew", async () => {
    const { host, paid, step, look } = await scene();
    step(stepOf(5, [paid(5)]));
    step(proofOf(8, [made(paid(5), 7)]));
    expect(await look(9)).toBe(7);
    step(cutTo(7));
    expect(await look(9)).toBeNull();
    expect([...host.store.receipts.open(at(9), 10)]).toHaveLength(1);
    step(proofOf(9, [made(paid(5), 8, 9)]));
    expect(await look(9)).toBe(9);
  });

  it("stay when no reorganisation reaches them, and over a start", async () => {
    const folder = folderOfTest();
    const { host, paid, step, look } = await scene(folder);
    step(stepOf(5, [paid(5)]));
    step(proofOf(8, [made(paid(5), 5)], 6));
    expect([...host.store.receipts.open(at(9), 10)]).toEqual([]);
    step(cutTo(7));
    expect(await look(9)).toBe(7);
    await host.close();
    const again = await DeskHost.open(folder);
    onTestFinished(() => again.close());
    expect(again.store.receipts.receipt(paid(5).cmx, paid(5).block)).toHaveLength(9);
  });

  it("are none where the node is believed", async () => {
    const { host, paid, step, look } = await scene();
    step({ ...stepOf(5, [paid(5)]), covered: null });
    expect([...host.store.receipts.open(at(9), 10)]).toEqual([]);
    expect(await look(9)).toBeNull();
  });
});

describe("receipts for a hosted gateway", () => {
  async function scene() {
    const store = await OutboxStore.open(null);
    onTestFinished(() => store.close());
    const clock = new ManualClock(0n);
    const open = (scanner: string) => new FactOutbox({ store, scanner, clock });
    const told = (): readonly FactBatch[] => {
      const all: FactBatch[] = [];
      for (let sequence = 1n; store.batch(sequence) !== undefined; sequence += 1n) {
        all.push(decodeFactBatch(store.batch(sequence) ?? ""));
      }
      return all;
    };
    return { store, open, told };
  }
  const files = (batches: readonly FactBatch[]) =>
    batches.flatMap(({ receipts = [] }) => receipts.map(({ index, receipt }) => [index, receipt]));

  it("are told behind their payments, and that they stand no more", async () => {
    const { open, told } = await scene();
    const outbox = open("scanner");
    const paid = paidNote(1, 5);
    outbox.takeStep(stepOf(5, [paid, { ...paidNote(2, 5), index: 7 }]), RECENT);
    outbox.takeStep(proofOf(6, [made(paid, 5)]), RECENT);
    outbox.takeStep(cutTo(5), RECENT);
    expect(told().map(({ facts, receipts }) => [facts.length, receipts?.length])).toEqual([
      [2, undefined],
      [0, 1],
      [0, 1],
    ]);
    const { key, index, cmx, block } = paid;
    expect(told().flatMap(({ receipts = [] }) => receipts)).toEqual([
      { key, index, cmx, block, receipt: encodeHex(new Uint8Array(9).fill(7)) },
      { key, index, cmx, block, receipt: null },
    ]);
  });

  it("are not told where their payment goes, which says it", async () => {
    const { open, told } = await scene();
    const outbox = open("scanner");
    const paid = paidNote(1, 5);
    outbox.takeStep(stepOf(5, [paid]), RECENT);
    outbox.takeStep(proofOf(6, [made(paid, 5)]), RECENT);
    outbox.takeStep(cutTo(4), RECENT);
    expect(told().at(-1)).toMatchObject({ facts: [{ kind: "orphaned" }] });
    expect(files(told())).toHaveLength(1);
  });

  it("come in batches of as many as one holds, are handed over, and told again under another name", async () => {
    const { store, open, told } = await scene();
    const outbox = open("scanner");
    const most = INVOICE_LIMITS.factBatchReceipts;
    const all = Array.from({ length: most + 1 }, (_, payment) => paidNote(payment, 5));
    const late = paidNote(most + 1, 6);
    outbox.takeStep(stepOf(5, all), RECENT);
    outbox.takeStep(
      proofOf(
        6,
        all.map((paid) => made(paid, 5)),
      ),
      RECENT,
    );
    expect(told().map(({ receipts = [] }) => receipts.length)).toEqual([0, most, 1]);
    outbox.takeStep(stepOf(6, [late]), RECENT);
    outbox.takeStep(proofOf(7, [made(late, 6)], 5), RECENT);
    expect(all.every(({ cmx, block }) => store.receipts.receipt(cmx, block) === null)).toBe(true);
    const before = files(told());
    outbox.acknowledge(outbox.heardAtMost(4n) + 1n);
    open("other");
    const again = files(told());
    expect(again.at(-1)).toEqual(before.at(-1));
    expect(told().every(({ scanner }) => scanner === "other")).toBe(true);
  });
});
