/** Vitest reporter that names the slow files of the unit suite, the slowest first, when the run has ended. */
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { ROOT } from "../lib/command.ts";
import { judgeUnit, NAMED_SECONDS, unitLine } from "./unitSeconds.ts";

/** Names them. Vitest makes it by itself, from the name of this file. */
export class UnitSecondsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slow = modules
      .flatMap((module) => {
        const { unitSeconds } = module.meta();
        if (unitSeconds === undefined || judgeUnit(unitSeconds) === "quick") return [];
        return [{ file: relative(ROOT, module.moduleId), unitSeconds }];
      })
      .toSorted((a, b) => b.unitSeconds.seconds - a.unitSeconds.seconds);
    if (slow.length === 0) return;
    console.log(`\nunit files above ${NAMED_SECONDS} s of the processor:`);
    for (const { file, unitSeconds } of slow) console.log(`  ${unitLine(file, unitSeconds)}`);
  }
}

export default UnitSecondsReporter;
