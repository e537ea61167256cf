/** The second try with real runs of vitest: a planted false alarm, the same with a row, and a planted fault. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ROOT } from "../lib/command.ts";
import { runSuites } from "../lib/runSuites.ts";
import type { Suite, Tier } from "../suites.ts";
import type { FlakyRow } from "./flakyRows.ts";
import { runGate } from "./runGate.ts";
import { aloneRunner, tryAgain } from "./secondTry.ts";
import { HANG_MS, STEP_HANG_MS } from "../../tests/testkit/hangMs.ts";

const COMMIT = "0123456789ab";
const OPTIONS = { size: "reduced", signal: new AbortController().signal } as const;

const folders: string[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A project of vitest below the root, where tests find vitest: one test fails when it runs first, another one always. */
function planted(tier: Tier, body: string, more = ""): Suite {
  const cache = join(ROOT, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "planted-"));
  folders.push(folder);
  const config = join(folder, "vitest.config.ts");
  const options = {
    root: folder,
    test: { name: "planted", include: ["*.test.ts"], testTimeout: HANG_MS },
  };
  writeFileSync(config, `export default ${JSON.stringify(options)};`);
  writeFileSync(
    join(folder, "a.test.ts"),
    `import { existsSync, writeFileSync } from "node:fs";
    import { beforeAll, describe, expect, it } from "vitest";
    ${more}
    it("holds", () => {});
    describe("a group", () => it("is as (planted)", () => {
      const mark = ${JSON.stringify(join(folder, "mark"))};
      const isSecond = existsSync(mark);
      writeFileSync(mark, "");
      ${body}
    }));`,
  );
  const seconds = { reduced: STEP_HANG_MS / 1_000, full: STEP_HANG_MS / 1_000 };
  const base = { name: "planted", tier, seconds, about: "planted tests" };
  return { ...base, kind: "vitest", arguments: ["planted"], config };
}

/** Runs it as the gate does. */
async function gate(suite: Suite, rows: readonly FlakyRow[] = []) {
  let told = "";
  const first = await runSuites([{ suite }], { ...OPTIONS, write: () => {} });
  const [end] = await tryAgain(first, {
    runAlone: aloneRunner(OPTIONS),
    rows,
    commit: COMMIT,
    seed: undefined,
    tell: (text) => void (told += text),
  });
  const { tally, failures } = end?.end ?? {};
  return { told, tally, failures, file: first[0]?.end.failures[0]?.file ?? null };
}

describe("a planted test", () => {
  const once = "expect(isSecond).toBe(true);";

  it("that fails once is tried again alone, counts as passed, and is told with its row", async () => {
    const { told, tally, file } = await gate(planted("T2", once));
    expect(tally).toEqual({ passed: 2, failed: 0, skipped: 0 });
    const row = { suite: "planted", file, test: "a group > is as (planted)", commit: COMMIT };
    expect(told).toContain("expected false to be true");
    expect(told).toMatch(/commit 0123456789ab, load [\d. ]+,/);
    expect(told).toContain(`add to tests/flaky.json: ${JSON.stringify(row)}`);
  });

  it("that has its row already fails the run", async () => {
    const suite = planted("T2", once);
    const file = join(".cache", suite.config?.split("/").at(-2) ?? "", "a.test.ts");
    const row = { suite: "planted", file, test: "a group > is as (planted)", commit: COMMIT };
    const { told, tally } = await gate(suite, [row]);
    expect(tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(told).toContain("mend it first");
  });

  it("that is wrong fails twice, and is no false alarm", async () => {
    const { told, tally } = await gate(planted("T2", "expect(isSecond).toBe(null);"));
    expect(tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(told).toBe("");
  });

  it("that fails once hides no group that failed beside it", async () => {
    const group = `describe("another group", () => {
      beforeAll(() => { throw new Error("no disk"); });
      it("is not run", () => {});
    });`;
    const { tally, told } = await gate(planted("T2", once, group));
    expect(tally).toEqual({ passed: 2, failed: 1, skipped: 1 });
    expect(told).not.toContain("no disk");
  });

  it("that fails once hides no error that no test caught", async () => {
    const error = `if (!existsSync(new URL("./mark", import.meta.url))) {
      void Promise.reject(new Error("nobody asked"));
    }`;
    const { tally, failures } = await gate(planted("T2", once, error));
    expect(tally).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(failures?.map(({ reason }) => reason)).toEqual([
      "an error that no test caught: nobody asked",
    ]);
  });

  it("of another size alone, in a file that was chosen, is skipped and no failure", async () => {
    const suite = planted("T2", once);
    const file = join(dirname(suite.config ?? ""), "b.test.ts");
    writeFileSync(file, `import { it } from "vitest"; it.skip("takes hours", () => {});`);
    const parts = { ...OPTIONS, write: () => {} };
    const [end] = await runSuites([{ suite, files: ["b.test.ts"] }], parts);
    expect(end?.end.tally).toEqual({ passed: 0, failed: 0, skipped: 1 });
    const [none] = await runSuites([{ suite, files: ["c.test.ts"] }], parts);
    expect(none?.end.tally).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("of the full size runs with a drawn seed, and is never tried again", async () => {
    const seeded = `${once} expect(process.env.SVC_SEED).toMatch(/^\\d+$/);`;
    const suite = { ...planted("T2", seeded), isSeeded: true } as const;
    const parts = { signal: OPTIONS.signal, write: () => {} };
    // Its table is none of this run's.
    vi.spyOn(console, "log").mockImplementation(() => {});
    const { tally, ends } = await runGate([{ suite }], { ...parts, size: "full" });
    expect(tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(ends[0]?.end.failures[0]?.reason).toContain("expected false to be true");
    const again = await runGate([{ suite }], { ...parts, size: "full" });
    expect(again.tally).toEqual({ passed: 2, failed: 0, skipped: 0 });
  });

  it("of T1 that fails once has failed at once", async () => {
    const { told, tally } = await gate(planted("T1", once));
    expect(tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(told).toBe("");
  });
});
