/** Async action for buttons: runs once at a time, with a busy state and the last error. */
import { createSignal, type Accessor } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";

/** Something a button starts: whether it runs, and how it failed last. */
export type Task<Args extends unknown[]> = {
  readonly run: (...args: Args) => Promise<boolean>;
  readonly busy: Accessor<boolean>;
  readonly error: Accessor<ErrorJson | null>;
  readonly clearError: () => void;
};

/** Wraps `work` so that it runs once at a time and its error can be shown. `run` tells whether it succeeded. */
export function createTask<Args extends unknown[]>(
  work: (...args: Args) => Promise<unknown>,
): Task<Args> {
  const [busy, setBusy] = createSignal(false);
  const [error, setError] = createSignal<ErrorJson | null>(null);
  const run = async (...args: Args): Promise<boolean> => {
    if (busy()) return false;
    setBusy(true);
    setError(null);
    try {
      await work(...args);
      return true;
    } catch (thrown) {
      setError(SvcError.from(thrown).toJSON());
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error, clearError: () => setError(null) };
}
