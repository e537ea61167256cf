/** Distinct proved and signed payments for the verifiers to check, made once and kept. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LineProcess } from "./lineProcess.ts";

const folder = new URL("../../.cache/bench/", import.meta.url);
const stored = new URL("payments.json", folder);
/** The peer's made-up wallet that pays. */
const PAYER = 7;

/** As many 2-action payments as asked for, as hex. Those that are missing are made by our prover. */
export async function twoActionPayments(
  count: number,
  ours: LineProcess,
  peer: LineProcess,
): Promise<readonly string[]> {
  const payments = readStored();
  if (payments.length < count) {
    console.error(`making ${count - payments.length} payments, kept in ${fileURLToPath(stored)}`);
    const { value: plan } = await peer.ask({ op: "plan", actions: 2 });
    await ours.ask({ op: "open", workers: 1, cacheFolder: null });
    while (payments.length < count) {
      const paid = await ours.ask({ op: "pay", plan, seed: PAYER });
      payments.push(paid.text("transaction"));
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(stored, JSON.stringify(payments));
  }
  return payments.slice(0, count);
}

function readStored(): string[] {
  try {
    const texts: unknown = JSON.parse(readFileSync(stored, "utf8"));
    return Array.isArray(texts) ? texts.map(String) : [];
  } catch {
    return [];
  }
}
