/** Payment fixtures of the verification benchmarks: distinct proved and signed payments, made once by this core and kept. */
import { readFileSync, writeFileSync } from "node:fs";
import { coreFingerprint } from "../../testkit/coreFingerprint.ts";
import { KeptThing } from "../../testkit/keptThing.ts";
import type { Answer, LineProcess } from "./lineProcess.ts";
import { startPlanner } from "./peers.ts";
import { oneCore, startOurs } from "./sides.ts";

/** The peer's made-up wallet that pays. */
const PAYER = 7;

/** Proves a plan and signs the payment: the figures of the proof, and the payment as hex. */
export async function provedPayment(
  ours: LineProcess,
  plan: object,
): Promise<{ proof: Answer; transaction: string }> {
  const proof = await ours.ask({ op: "prove", plan });
  return { proof, transaction: await signedPayment(ours, plan) };
}

/** Signs the payment of the program's last proof; as hex. */
export async function signedPayment(ours: LineProcess, plan: object): Promise<string> {
  return (await ours.ask({ op: "sign", plan, seed: PAYER })).text("transaction");
}

/** As many 2-action payments as asked for, as hex. Those that are missing are made by our prover. */
export async function twoActionPayments(
  count: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const maker = coreFingerprint();
  const kept = new KeptThing({ folder: "bench", name: "payments", maker, ending: ".json" });
  const payments = readStored(kept.path);
  if (payments.length >= count) return payments.slice(0, count);
  console.error(`making ${count - payments.length} payments, kept in ${kept.path}`);
  const [ours, planner] = [startOurs(oneCore(), signal), startPlanner(oneCore(), signal)];
  try {
    const { value: plan } = await planner.ask({ op: "plan", actions: 2 });
    await ours.ask({ op: "open", workers: 1, cacheFolder: null });
    while (payments.length < count) payments.push((await provedPayment(ours, plan)).transaction);
  } finally {
    ours.stop();
    planner.stop();
  }
  writeFileSync(kept.begin(), JSON.stringify(payments));
  kept.keep();
  return payments;
}

function readStored(file: string): string[] {
  try {
    const texts: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(texts) ? texts.map(String) : [];
  } catch {
    return [];
  }
}
