/**
 * A check of what a page shows, which goes on being shown: it begins when the page has nothing else to do, is outdated as soon as the page
 * shows what it did not compare, and begins again after a pause. What is asked for follows from the page's address and from public
 * documents alone.
 */
import {
  batch,
  createEffect,
  createMemo,
  createSignal,
  onCleanup,
  onMount,
  untrack,
  type Accessor,
} from "solid-js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { isSameShown } from "./comparedPart.ts";
import { whenIdle } from "./whenIdle.ts";

/** How a check ended, and the shown values that it was about. */
type Ended<Shown, R> = {
  readonly shown: Shown;
  readonly report: R | null;
  /** Code of the error; null for a report. */
  readonly failure: string | null;
};

/** The check as a panel shows it. */
export type RunningCheck<R> = {
  readonly stage: Accessor<"idle" | "running" | "done" | "failed">;
  /** Of the newest check that has ended. */
  readonly report: Accessor<R | null>;
  readonly failure: Accessor<string | null>;
  /** The page shows other values than those that were compared. */
  readonly isOutdated: Accessor<boolean>;
  /** These others are of a later block. */
  readonly hasMovedOn: Accessor<boolean>;
  /** Checks that have ended. */
  readonly ended: Accessor<number>;
  /** Begins one, unless one is under way. */
  readonly start: () => void;
};

/** Parts of a check. */
export type CheckParts<Shown, R> = {
  /** Reactive. */
  readonly shown: Accessor<Shown>;
  readonly run: (shown: Shown) => Promise<R>;
  /** Whether what is shown now is of a later block than what was compared. */
  readonly isLater: (before: Shown, now: Shown) => boolean;
  /** Whether a later check of the same values can say no more. */
  readonly isSettled: (report: R) => boolean;
};

/** Makes it, within a component. */
export function createCheck<Shown, R>({
  shown: toShow,
  run,
  isLater,
  isSettled,
}: CheckParts<Shown, R>): RunningCheck<R> {
  const shown = createMemo(toShow);
  const [isRunning, setRunning] = createSignal(false);
  const [ended, setEnded] = createSignal(0);
  const [last, setLast] = createSignal<Ended<Shown, R> | null>(null);
  const isOutdated = createMemo(() => {
    const done = last();
    return done !== null && !isSameShown(done.shown, shown());
  });
  const hasMovedOn = createMemo(() => {
    const done = last();
    return done !== null && done.report !== null && isLater(done.shown, shown());
  });
  const finish = (how: Ended<Shown, R>) => {
    batch(() => {
      setLast(() => how);
      setEnded((count) => count + 1);
      setRunning(false);
    });
  };
  const start = () => {
    if (untrack(isRunning)) return;
    setRunning(true);
    const about = untrack(shown);
    run(about).then(
      (report) => finish({ shown: about, report, failure: null }),
      (error: unknown) =>
        finish({ shown: about, report: null, failure: SvcError.from(error).code }),
    );
  };
  onMount(() => onCleanup(whenIdle(start)));
  /** What the newest check left open may be proven once the chain has moved, which the page shows by any change. */
  const isDue = createMemo(() => {
    const done = last();
    if (done === null || isRunning()) return false;
    const isOpen = done.report === null || !isSettled(done.report);
    return isOutdated() || (isOpen && done.shown !== shown());
  });
  repeatWhenDue({ isDue, isOutdated, start });
  return {
    stage: () => {
      if (isRunning()) return "running";
      const done = last();
      if (done === null) return "idle";
      return done.report === null ? "failed" : "done";
    },
    report: () => last()?.report ?? null,
    failure: () => last()?.failure ?? null,
    isOutdated,
    hasMovedOn,
    ended,
    start,
  };
}

type Repeated = {
  readonly isDue: Accessor<boolean>;
  readonly isOutdated: Accessor<boolean>;
  readonly start: () => void;
};

/** Begins the check again after a pause, twice as long each time that it is of the same values. */
function repeatWhenDue({ isDue, isOutdated, start }: Repeated): void {
  let ofSame = 0;
  createEffect(() => {
    if (!isDue()) return;
    ofSame = isOutdated() ? 0 : ofSame + 1;
    const pause = PAGE_LIMITS.checkAgainMs * 2 ** ofSame;
    let endIdle: () => void = () => undefined;
    // Further changes do not begin the pause anew: a server that never rests is checked, too.
    const timer = setTimeout(
      () => {
        endIdle = whenIdle(start);
      },
      Math.min(pause, PAGE_LIMITS.explorerRetryLongestMs),
    );
    onCleanup(() => {
      clearTimeout(timer);
      endIdle();
    });
  });
}
