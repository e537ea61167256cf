/** Checks that all that was wanted is paid once: by the chain alone, by the reports of batches, and by the balance that is left. */
import { expect } from "vitest";
import * as v from "valibot";
import { readCsv } from "@svc/shared/base/csv.ts";
import type { OwnNote, WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import type { InsistentClient } from "./insistentClient.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import type { WantedCall } from "./wantedCalls.ts";
import { options, PAYER, type WalletdScene } from "./walletdScene.ts";

/** The wanted payments, and the client that asked for them. */
export type PaidCalls = {
  readonly wanted: readonly WantedCall[];
  readonly client: InsistentClient;
};

const REPORT_BOUNDS = { records: 1_000, fields: 20, chars: 10_000 };
const merged = v.looseObject({
  txid: v.string(),
  consolidated: v.number(),
  value_sompi: v.bigint(),
});

/** Checks the chain, the reports and the balance, and that the same keys give the same answers and pay nothing. */
export async function expectAllPaid(of: WalletdScene, paid: PaidCalls): Promise<void> {
  const { wanted, client } = paid;
  const notes = [await of.scanned("shop"), await of.scanned("elsewhere")].flatMap(receivedBy);
  await expectOnChain(of, paid, notes);
  await expectReports(of, paid, notes);
  await expectBalance(of, paid);
  const before = await of.applied();
  for (const call of wanted) {
    const answer = client.answers.get(call.key);
    expect(await client.pay(call), call.key).toEqual(answer);
  }
  for (const job of client.jobs.values()) {
    expect(await of.client(PAYER).job(job, options())).toMatchObject({ state: "done", share: 1 });
  }
  expect(await of.applied()).toEqual(before);
  expect(await of.node.waiting()).toEqual([]);
}

/** The chain has the transactions of the answers, each once, and with them each payee's note, once. */
async function expectOnChain(
  of: WalletdScene,
  { wanted, client }: PaidCalls,
  notes: readonly OwnNote[],
): Promise<void> {
  const txids = [...client.answers.values()].flatMap((answer) => answer.txids);
  expect((await of.applied()).toSorted()).toEqual(txids.toSorted());
  const payees = wanted.flatMap((call) => call.payees);
  expect(notes.map(lineOf).toSorted()).toEqual(
    payees.map(({ memo, amount }) => `${encodeMemo(memo)} ${amount}`).toSorted(),
  );
  for (const { key, payees: own } of wanted) {
    const answered = client.answers.get(key)?.txids ?? [];
    const paying = notes.filter(({ value }) => own.some(({ amount }) => amount === value));
    expect(answered, key).toEqual(expect.arrayContaining(paying.map(({ txid }) => txid)));
  }
}

function receivedBy({ notes }: WalletState): readonly OwnNote[] {
  return notes.filter(({ kind }) => kind === "received");
}

function lineOf({ memo, value }: OwnNote): string {
  return `${memo.replace(/(?:00)+$/, "")} ${value}`;
}

/** The report of each batch tells of every line which transaction paid it. */
async function expectReports(
  of: WalletdScene,
  { wanted, client }: PaidCalls,
  notes: readonly OwnNote[],
): Promise<void> {
  for (const { key, kind, payees } of wanted) {
    if (kind !== "payout") continue;
    const job = client.jobs.get(key) ?? expect.unreachable();
    const report = await of.client(PAYER).payoutReport(job, options());
    const [, ...lines] = readCsv(report, REPORT_BOUNDS).map(({ fields }) => fields.slice(1));
    const expected = payees.map(({ to, amount }, place) => {
      const { txid } = notes.find(({ value }) => value === amount) ?? expect.unreachable();
      return [`${key}/${place}`, to, amount, "sent", amount, txid, "", ""].map(String);
    });
    expect(lines.map((fields) => fields.toSpliced(2, 1))).toEqual(expected);
  }
}

/** The balance is the mined sum less payments and fees, and no note of it is reserved. */
async function expectBalance(of: WalletdScene, { wanted, client }: PaidCalls): Promise<void> {
  const state = await of.scanned("payer");
  const mined = state.history.filter(({ kind }) => kind === "mined");
  const fees = [...client.answers.values()].map((answer) => answer.fee ?? mergeFee(state, answer));
  const paid = wanted.flatMap(({ payees }) => payees.map(({ amount }) => amount));
  const left = sum(mined.map(({ amount }) => amount)) - sum(paid) - sum(fees);
  expect(sum(state.notes.flatMap(({ spentBy, value }) => (spentBy === null ? value : [])))).toBe(
    left,
  );
  await of.untilSynced(PAYER);
  await untilSo(async () => (await of.status(PAYER))?.balance_sompi === left, PATIENCE_MS).catch(
    async () => expect(await of.status(PAYER)).toMatchObject({ balance_sompi: left }),
  );
  expect(await of.status(PAYER)).toMatchObject({ pending_out_sompi: 0n, error: null });
}

/** A merge pays its fee out of the notes that the chain shows as spent by it; its answer tells the rest. */
function mergeFee({ notes }: WalletState, { whole }: { readonly whole: unknown }): bigint {
  const { txid, consolidated, value_sompi: value } = v.parse(merged, whole);
  const spent = notes.filter(({ spentBy }) => spentBy?.txid === txid);
  expect(spent).toHaveLength(consolidated);
  expect(consolidated).toBeGreaterThan(1);
  expect(notes.find((note) => note.txid === txid)?.value).toBe(value);
  return sum(spent.map((note) => note.value)) - value;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
