/** Figures of receipts: their size, and how long their check takes, at two depths. The anchor log around them is made up. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import type { BenchOptions } from "../run/bench.ts";
import { median } from "../run/median.ts";

const VECTORS = new URL("../../vectors/", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, VECTORS), "utf8");
const form = v.object({
  profile: v.string(),
  receipts: v.array(
    v.object({ depth: v.number(), receipt: v.pipe(v.string(), v.transform(decodeHex)) }),
  ),
});
/** Checks of one sample. */
const CHECKS = 20;

/** Of each depth, in chain blocks. */
export type ReceiptFigures = {
  readonly receipt_kib: Readonly<Record<string, number>>;
  /** The median of the samples. */
  readonly receipt_ms: Readonly<Record<string, number>>;
};

/** Measures. Throws where a receipt does not hold, or lacks what it is to show. */
export function receiptFigures(
  core: Pick<CoreGlue, "EvidenceJudge" | "receiptHeader">,
  { rounds, signal }: Pick<BenchOptions, "rounds" | "signal">,
): ReceiptFigures {
  const told = v.parse(form, JSON.parse(text("receipt-depths.json")));
  const receipts = new CoreReceipts(core, text(told.profile));
  const kib: Record<string, number> = {};
  const ms: Record<string, number> = {};
  for (const { depth, receipt } of told.receipts) {
    if (receipts.check(receipt).blueScore === null) throw new Error("the receipt shows no block");
    const samples = Array.from({ length: rounds }, () => {
      throwIfAborted(signal);
      const began = performance.now();
      for (let times = 0; times < CHECKS; times += 1) receipts.check(receipt);
      return (performance.now() - began) / CHECKS;
    });
    kib[depth] = receipt.length / 1_024;
    ms[depth] = median(samples);
  }
  return { receipt_kib: kib, receipt_ms: ms };
}
