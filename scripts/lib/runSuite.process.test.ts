/** Tests of how a suite ends, with fake test programs. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import type { Suite } from "../suites.ts";
import { ROOT, TIMED_OUT } from "./command.ts";
import { endLine, runSuite } from "./runSuite.ts";

/** The time of a suite, which passes in the test that moves the clock alone. */
const SECONDS = 600;
/** ms. More than a suite's time with the moment that it gets to end by itself. */
const OVER_MS = 2 * SECONDS * 1000;

afterEach(() => {
  vi.useRealTimers();
});

/** A suite that is this script. */
function fakeSuite(script: string): Suite {
  const path = join(folderOfTest(), "fake.mjs");
  writeFileSync(path, script);
  const bounds = { reduced: SECONDS, full: SECONDS };
  return {
    name: "fake",
    tier: "T2",
    kind: "program",
    arguments: [path],
    seconds: bounds,
    about: "a fake",
  };
}

const run = (suite: Suite) => runSuite(suite, { size: "reduced" });

/** A script that starts a process which starts another, both deaf to SIGTERM, and writes their numbers down; then it waits. */
function family(numbers: string): string {
  const child = `trap "" TERM; sh -c 'trap "" TERM; echo $$ >> "$1"; exec tail -f /dev/null' sh "$1" & echo $$ >> "$1"; wait`;
  return `
    import { spawn } from "node:child_process";
    import { readFileSync } from "node:fs";
    spawn("sh", ["-c", ${JSON.stringify(child)}, "sh", ${JSON.stringify(numbers)}], { stdio: ["pipe", "inherit", "inherit"] });
    const timer = setInterval(() => {
      let text = "";
      try { text = readFileSync(${JSON.stringify(numbers)}, "utf8"); } catch {}
      if (text.trim().split("\\n").length < 2) return;
      clearInterval(timer);
      console.log("family is there");
      setInterval(() => {}, 1_000);
    }, 10);
  `;
}

/** Whether a process is there and not a dead one that nobody has asked about. */
function isAlive(pid: string): boolean {
  return existsSync(`/proc/${pid}/fd/1`);
}

const numbersIn = (path: string): string[] => readFileSync(path, "utf8").trim().split("\n");

describe("a suite", () => {
  it("has the counts and the size that its program names", async () => {
    const suite =
      fakeSuite(`console.log("3 passed, 0 failed, 1 skipped", process.env.SVC_TEST_SIZE === "reduced" ? "" : "?");
      console.log("3 passed, 0 failed, 1 skipped");`);
    expect((await run(suite)).tally).toEqual({ passed: 3, failed: 0, skipped: 1 });
  });

  it("names what failed in it", async () => {
    const suite = fakeSuite(
      `console.log("test a::b ... FAILED"); console.log("1 passed, 1 failed")`,
    );
    const end = await run(suite);
    expect(endLine("fake", end)).toMatch(
      /^fake +1 passed, 1 failed, 0 skipped .*\n {2}failed: a::b$/,
    );
  });

  it("in which nothing ran has failed, though it says that all is well", async () => {
    expect((await run(fakeSuite(""))).tally.failed).toBe(1);
    const none = fakeSuite(`console.log("0 passed, 0 failed, 5 skipped")`);
    expect((await run(none)).tally).toEqual({ passed: 0, failed: 1, skipped: 5 });
  });

  it("that ends badly without a failed test has failed", async () => {
    const suite = fakeSuite(`console.log("7 passed, 0 failed"); process.exitCode = 3`);
    expect((await run(suite)).tally).toEqual({ passed: 7, failed: 1, skipped: 0 });
  });

  it("beyond its time ends with everything that it started", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const numbers = join(folderOfTest(), "pids");
    const show = (chunk: string | Uint8Array) => {
      if (Buffer.from(chunk).includes("family is there")) vi.advanceTimersByTime(OVER_MS);
    };
    const suite = fakeSuite(family(numbers));
    const { tally, status } = await runSuite(suite, { size: "reduced", show });
    expect(status).toBe(TIMED_OUT);
    expect(tally.failed).toBe(1);
    expect(numbersIn(numbers)).toHaveLength(2);
    expect(numbersIn(numbers).filter(isAlive)).toEqual([]);
  });

  it("that leaves a process behind ends with it", async () => {
    const numbers = join(folderOfTest(), "pids");
    const leaving = family(numbers).replace(
      'console.log("family is there");',
      'console.log("1 passed, 0 failed"); process.exit(0);',
    );
    expect((await run(fakeSuite(leaving))).tally).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(numbersIn(numbers)).toHaveLength(2);
    expect(numbersIn(numbers).filter(isAlive)).toEqual([]);
  });

  it("that is interrupted ends with everything, and is counted", async () => {
    const numbers = join(folderOfTest(), "pids");
    // Two run at a time.
    const suites = [
      fakeSuite(family(numbers)),
      fakeSuite("setInterval(() => {}, 1_000)"),
      fakeSuite(`console.log("9 passed, 0 failed")`),
    ];
    const driver = join(folderOfTest(), "driver.mjs");
    writeFileSync(
      driver,
      `import { interruption } from ${JSON.stringify(`${ROOT}scripts/lib/interruption.ts`)};
      import { runSuites } from ${JSON.stringify(`${ROOT}scripts/lib/runSuites.ts`)};
      import { sumTallies, tallyText } from ${JSON.stringify(`${ROOT}scripts/lib/tally.ts`)};
      const signal = interruption();
      const chosen = ${JSON.stringify(suites)}.map((suite) => ({ suite }));
      const ends = await runSuites(chosen, { size: "reduced", signal });
      for (const { end } of ends) console.log(end.failures[0].reason);
      console.log(tallyText(sumTallies(ends.map(({ end }) => end.tally))));`,
    );
    const child = spawn(process.execPath, [driver], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const isFamilyThere = () => existsSync(numbers) && numbersIn(numbers).length === 2;
    await expect.poll(isFamilyThere).toBe(true);
    child.kill("SIGINT");
    await once(child, "close");
    expect(numbersIn(numbers)).toHaveLength(2);
    expect(numbersIn(numbers).filter(isAlive)).toEqual([]);
    expect(output).toContain("not run");
    expect(output.trim().split("\n").at(-1)).toBe("0 passed, 3 failed, 0 skipped");
  });
});
