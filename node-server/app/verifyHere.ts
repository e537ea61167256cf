/** `svc verify` in this process: checks a database and says the first difference, as sentences or as one line of JSON. */
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CheckProgress } from "../consensus/storeCheck.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { loadCoreFile } from "../platform/wasmFiles.ts";
import { userFolder } from "./dataFolder.ts";
import { exitStatus } from "./exitStatus.ts";
import { parseFlags, type NodeFlags } from "./flags.ts";
import { loadNetwork } from "./network.ts";
import type { CommandContext } from "./runNode.ts";
import { blocksPerSecond, verifyStore } from "./verifyStore.ts";

/** Exit status after Ctrl-C, as the shell counts it. */
const INTERRUPTED = 130;

/** Runs the check, whose database must be a whole file. Returns 0 when nothing differs, 1 when something does or the check is not possible, 65 when a file is damaged, 130 after Ctrl-C. */
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
  return isAborted ? INTERRUPTED : exitStatus(error);
}

/** One line in the terminal that is written over itself; none where the output is no terminal. */
class ProgressLine {
  #blocks = 0;
  readonly #startedMs = Number(systemClock.nowMs());
  #shownMs = 0;

  /** Blocks compared so far. */
  get blocks(): number {
    return this.#blocks;
  }

  show({ blocks, total, part }: CheckProgress, quiet: boolean): void {
    this.#blocks = blocks;
    const nowMs = Number(systemClock.nowMs());
    if (quiet || !process.stderr.isTTY || nowMs - this.#shownMs < LIMITS.progressLineMs) return;
    this.#shownMs = nowMs;
    const rate = blocksPerSecond(blocks, nowMs - this.#startedMs);
    process.stderr.write(`\r\u001B[K${blocks} of ${total} blocks, ${rate} a second, ${part}`);
  }

  end(): void {
    if (this.#shownMs > 0) process.stderr.write("\r\u001B[K");
    this.#shownMs = 0;
  }
}
