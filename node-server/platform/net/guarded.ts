/**
 * Error boundary of every listener that foreign bytes reach: a fault in it ends one connection, and never the program.
 *
 * A listener of an event emitter that throws ends the process, and so does one whose promise rejects. `tests/architecture`
 * fails on a listener of a foreign source that does not go through here.
 */
import { infoOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../log/log.ts";

/**
 * Wraps a listener so that its faults are caught: what it throws, or what the promise that it returns rejects with, goes to
 * `onFault` as an error of the registry, with the arguments of the event. `onFault` ends the connection and logs the code.
 */
export function guarded<Args extends readonly unknown[]>(
  listener: (...args: Args) => unknown,
  onFault: (fault: SvcError, ...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    const fail = (thrown: unknown): void => {
      try {
        onFault(SvcError.from(thrown), ...args);
      } catch {
        // The connection is as good as gone: there is nobody left to tell.
      }
    };
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
}

/** Logs a fault that ended a connection or a request, by its code and at the level that the registry gives it. */
export function logFault(log: Log, fault: SvcError): void {
  log[infoOf(fault).log](
    { code: fault.code, err: fault },
    "a fault ended a connection or a request",
  );
}
