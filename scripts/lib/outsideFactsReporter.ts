/** Vitest reporter of what its JSON report leaves out (`outsideFacts.ts`). */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { relative } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { ROOT } from "./command.ts";
import { FACTS_VARIABLE, type OutsideFacts } from "./outsideFacts.ts";

/** Writes the facts when the run has ended. Vitest makes it by itself, from the name of this file. */
export class OutsideFactsReporter implements Reporter {
  readonly #loads: Record<string, number[]> = {};

  onTestCaseResult(test: TestCase): void {
    if (test.result().state === "failed") this.#loads[pathOf(test.module)] ??= loadavg();
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const path = process.env[FACTS_VARIABLE];
    if (path === undefined) return;
    const facts: OutsideFacts = {
      groups: modules.flatMap(groupsOf),
      uncaught: errors.map(({ message }) => message),
      seconds: Object.fromEntries(modules.map((one) => [pathOf(one), secondsOf(one)])),
      loads: this.#loads,
    };
    writeFileSync(path, JSON.stringify(facts));
  }
}

export default OutsideFactsReporter;

function groupsOf(module: TestModule): OutsideFacts["groups"] {
  return Array.from(module.children.allSuites()).flatMap((suite) =>
    suite.errors().map(({ message }) => ({ file: pathOf(module), group: suite.fullName, message })),
  );
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

function pathOf({ moduleId }: TestModule): string {
  return relative(ROOT, moduleId);
}
