/**
 * The command `svc verify`: checks a database in a child process. The database is a file that is mapped into memory, and one
 * that was cut short ends the process that reads it, not with an error but with a signal.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { siblingModule } from "../../platform/thread/siblingModule.ts";
import { EXIT_STATUS, exitStatusOf } from "../program/exitStatus.ts";
import { parseFlags } from "../options/flags.ts";
import { helpText } from "../options/helpText.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { STOP_SIGNALS } from "../program/stopOnSignals.ts";

const ENTRY = fileURLToPath(siblingModule("verifyProcess", import.meta.url));

/** What ends a check by intent: the terminal, and the parent. */
const INTERRUPTS: ReadonlySet<string> = new Set(STOP_SIGNALS);

/**
 * Runs the check. Returns 0 when nothing differs, 1 when something does or the check is not possible, 65 when a file is
 * damaged, 130 after Ctrl-C.
 */
export async function runVerify(context: CommandContext): Promise<number> {
  const flags = parseFlags("verify", context.args, context.environment);
  if (flags.help) {
    context.print(helpText("verify"));
    return 0;
  }
  const child = fork(ENTRY, context.args, {
    execArgv: process.execArgv,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const closed = once(child, "close");
  const stop = (): void => void child.kill("SIGTERM");
  context.signal.addEventListener("abort", stop, { once: true });
  if (context.signal.aborted) stop();
  const [status, signal]: unknown[] = await closed;
  context.signal.removeEventListener("abort", stop);
  if (typeof status === "number") return status;
  if (context.signal.aborted || INTERRUPTS.has(String(signal))) {
    // It had not come so far that it answers to a signal.
    const interrupted = "interrupted after 0 blocks without a difference";
    context.print(flags.json ? '{"result":"interrupted","blocks":0}' : interrupted);
    return EXIT_STATUS.interrupted;
  }
  const error = new SvcError("verify/unreadable", { signal: String(signal) });
  if (!flags.json) throw error;
  const { code } = error;
  context.print(JSON.stringify({ result: "failed", blocks: 0, code, message: sentenceOf(error) }));
  return exitStatusOf(error);
}
