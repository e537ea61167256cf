/** Two checkouts that are not what they seem: each has a program that answers at once. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { againstText, measureAgainst } from "./againstBench.ts";
import type { Bench } from "./bench.ts";
import { parseBenchCommand } from "./benchOptions.ts";

const options = {
  ...parseBenchCommand(["ingest", "--rounds", "3"]).options,
  log: () => ({ kept: [], add: () => {} }),
  signal: new AbortController().signal,
};

/** A checkout whose program writes down what it was asked and answers with this rate. */
function checkout(root: string, name: string, rate: number): string {
  const folder = join(root, name);
  mkdirSync(join(folder, "scripts"), { recursive: true });
  const lines = [
    `echo "${name} $*" >> ${join(root, "asked")}`,
    "echo made ready",
    `echo '{"rates": {"most": ${rate}}}'`,
  ];
  writeFileSync(join(folder, "scripts", "run.sh"), lines.join("\n"));
  return folder;
}

const report: Bench = {
  kind: "report",
  name: "ingest",
  about: "",
  figures: [{ field: "rates.most", better: "higher" }],
  run: () => Promise.reject(new Error("asked in this process")),
};

it("a bench of whole programs is run by each checkout's own", async () => {
  const root = folderOfTest();
  const checkouts = { here: checkout(root, "here", 90), ref: checkout(root, "ref", 100) };
  const answer = await measureAgainst(report, { options, command: "ingest --blocks 5", checkouts });
  expect(answer.figures).toMatchObject([
    {
      name: "rates.most",
      verdict: "lost",
      spread: 0,
      samples: { here: [90, 90, 90], ref: [100, 100, 100], again: [100, 100, 100] },
    },
  ]);
  expect(answer.figures[0]?.loss).toBeCloseTo(1 / 9);
  expect(againstText(answer)).toContain(
    "lost    rates.most: 90.00 here, 100.0 there, 11.1 % worse; the other against itself: 0.0 %",
  );
});

it("a bench against upstream measures our side of both, the other in two processes, and ends them", async () => {
  const made: string[] = [];
  const stopped: string[] = [];
  const comparison: Bench = {
    kind: "comparison",
    name: "scan",
    about: "",
    run: () => Promise.reject(new Error("upstream was measured")),
    subject: async (_, folder) => {
      made.push(folder);
      const measure = async () => ({ ms: folder === "this" ? 10 : 20 });
      return { measure, stop: () => stopped.push(folder) };
    },
  };
  const checkouts = { here: "this", ref: "other" };
  const answer = await measureAgainst(comparison, { options, command: "scan", checkouts });
  expect(made).toEqual(["this", "other", "other"]);
  expect(stopped).toEqual(made);
  expect(answer.figures).toMatchObject([
    { name: "ms", better: "lower", loss: -0.5, verdict: "kept" },
  ]);
});
