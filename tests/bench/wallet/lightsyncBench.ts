/** Benchmark of what a wallet and a receipt prove: sizes of evidence, and what its checks cost on one core. */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import type { Bench, Report } from "../run/bench.ts";
import { syncFigures, type SyncFigures } from "./syncFigures.ts";
import { receiptFigures, type ReceiptFigures } from "./receiptFigures.ts";

/** The benchmark. */
export const lightsyncBench: Bench = {
  kind: "report",
  name: "lightsync",
  about:
    "evidence of a chain: what a wallet asks for and checks, receipts of payments 1,000 and 5,000,000 chain blocks deep",
  figures: [
    { field: "check_share", better: "lower" },
    { field: "evidence_kib.year", better: "lower" },
    { field: "nullifiers_per_s", better: "higher" },
    { field: "receipt_kib.5000000", better: "lower" },
    { field: "receipt_ms.5000000", better: "lower" },
  ],
  async run(options): Promise<Report> {
    const core = await loadCoreFile();
    const sync = syncFigures(core, options);
    const receipts = receiptFigures(core, options);
    return {
      fields: { ...sync, ...receipts },
      lines: [...syncLines(sync), ...receiptLines(receipts)],
    };
  },
};

function syncLines(sync: SyncFigures): string[] {
  const kib = Object.entries({ ...sync.evidence_kib, ...sync.evidence_kib_per_day });
  return [
    `committed checks are ${(sync.check_share * 100).toFixed(1)} % of scanning, ${sync.nullifiers_per_s.toFixed(0)} nullifiers a second`,
    `evidence of many minutes is judged in ${sync.judge_ms.toFixed(0)} ms`,
    ...kib.map(([name, size]) => `evidence, ${name}  ${size.toFixed(0)} KiB`),
  ];
}

function receiptLines({ receipt_kib: kib, receipt_ms: ms }: ReceiptFigures): string[] {
  return Object.entries(kib).map(([depth, size]) => {
    const blocks = Number(depth).toLocaleString("en");
    return `receipt, ${blocks} blocks deep  ${size.toFixed(2)} KiB, checked in ${(ms[depth] ?? 0).toFixed(2)} ms`;
  });
}
