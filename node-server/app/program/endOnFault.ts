/**
 * The handler of uncaught exceptions and rejections. After such a fault the state in memory can no longer be trusted, so the
 * fault is logged and the program stops as on Ctrl-C.
 */
import { APP_LIMITS } from "../appLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { EXIT_STATUS } from "./exitStatus.ts";

/** Dependencies of the handler. */
export type EndingParts = {
  readonly log: Pick<Log, "error">;
  /** Begins a clean stop; heard once. */
  readonly stop: () => void;
  /** Ends the process at once. */
  readonly exit: (status: number) => void;
};

/** The source of uncaught faults: the process. */
export type FaultSource = {
  on(
    event: "uncaughtException" | "unhandledRejection",
    listener: (thrown: unknown) => void,
  ): unknown;
};

/** Whether a fault has ended the program. */
export type FaultWatch = { readonly hasFailed: boolean };

/** Handles uncaught faults from now on. A second one, or a stop that takes too long, ends the process at once. */
export function endOnFault(source: FaultSource, { log, stop, exit }: EndingParts): FaultWatch {
  const watch = { hasFailed: false };
  const onFault = (thrown: unknown): void => {
    const fault = SvcError.from(thrown);
    log.error({ code: fault.code, err: fault }, "a fault that nothing caught ends the program");
    if (watch.hasFailed) return exit(EXIT_STATUS.fault);
    watch.hasFailed = true;
    setTimeout(() => exit(EXIT_STATUS.fault), APP_LIMITS.faultStopMs).unref();
    stop();
  };
  source.on("uncaughtException", onFault);
  source.on("unhandledRejection", onFault);
  return watch;
}
