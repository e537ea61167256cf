/**
 * The work of `svc verify` in its own process: checks a database and prints the first difference, as sentences or as one line
 * of JSON.
 */
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { APP_LIMITS } from "../appLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CheckProgress } from "../../engine/check/storeCheck.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { userFolder } from "../folder/dataFolder.ts";
import { EXIT_STATUS, exitStatusOf } from "../program/exitStatus.ts";
import { parseFlags, type NodeFlags } from "../options/flags.ts";
import { loadNetwork } from "../program/network.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { blocksPerSecond, verifyStore } from "./verifyStore.ts";

/**
 * Runs the check, whose database must be a whole file. Returns 0 when nothing differs, 1 when something does or the check is
 * not possible, 130 after Ctrl-C.
 */
export async function verifyHere(context: CommandContext): Promise<number> {
  const flags = parseFlags("verify", context.args, context.environment);
  const line = new ProgressLine();
  try {
    const result = await verify(flags, context, line);
    line.end();
    const { blocks, notes } = result;
    if (flags.json) {
      const codes = notes.map(({ code }) => code);
      context.print(JSON.stringify({ result: "same", blocks, notes: codes }));
    } else {
      if (blocks > 0) context.print(`${blocks} blocks: every record is what the blocks come to`);
      else context.print("the records agree with each other");
      for (const note of notes) context.print(sentenceOf(note));
    }
    return 0;
  } catch (thrown) {
    line.end();
    return tell(SvcError.from(thrown), line.blocks, flags, context);
  }
}

async function verify(flags: NodeFlags, { signal }: CommandContext, line: ProgressLine) {
  const core = await loadCoreFile();
  const { profileFile, network } = flags;
  const profile = loadNetwork(
    core,
    profileFile === null ? { name: network } : { file: profileFile },
  );
  return verifyStore({
    core,
    profile,
    appdir: flags.appdir ?? userFolder(),
    assumeProofs: flags.assumeProofs,
    proofs: { prover: flags.prover, threads: flags.proofThreads },
    clock: systemClock,
    log: createLog(flags.logLevel),
    progress: (progress) => line.show(progress, flags.json),
    signal,
  });
}

function tell(error: SvcError, blocks: number, flags: NodeFlags, context: CommandContext): number {
  const isAborted = error.code === "run/aborted";
  const isDifference = error.code === "verify/difference";
  if (flags.json) {
    const failed = isDifference ? "different" : "failed";
    const result = isAborted ? "interrupted" : failed;
    const said = isDifference ? error.data : { code: error.code, message: sentenceOf(error) };
    context.print(JSON.stringify({ result, blocks, ...(isAborted ? {} : said) }));
  } else if (isAborted) {
    context.print(`interrupted after ${blocks} blocks without a difference`);
  } else if (isDifference) {
    const { table = "", key = "", stored = "", computed = "" } = error.data;
    context.print(`the first difference is in table ${table} at ${key}`);
    context.print(`  stored    ${stored}`);
    context.print(`  computed  ${computed}`);
  } else throw error;
  return isAborted ? EXIT_STATUS.interrupted : exitStatusOf(error);
}

/** One line in the terminal that is written over itself; none where the output is no terminal. */
class ProgressLine {
  #blocks = 0;
  readonly #startedMs = Number(systemClock.steadyMs());
  #shownMs = 0;

  /** Blocks compared so far. */
  get blocks(): number {
    return this.#blocks;
  }

  show({ blocks, total, part }: CheckProgress, quiet: boolean): void {
    this.#blocks = blocks;
    const nowMs = Number(systemClock.steadyMs());
    if (quiet || !process.stderr.isTTY || nowMs - this.#shownMs < APP_LIMITS.progressLineMs) return;
    this.#shownMs = nowMs;
    const rate = blocksPerSecond(blocks, nowMs - this.#startedMs);
    process.stderr.write(`\r\u001B[K${blocks} of ${total} blocks, ${rate} a second, ${part}`);
  }

  end(): void {
    if (this.#shownMs > 0) process.stderr.write("\r\u001B[K");
    this.#shownMs = 0;
  }
}
