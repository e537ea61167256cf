/** Component: the badge "checked here" with the steps behind it. It is withdrawn once the page shows other values. */
import { For, Match, Show, Switch, type JSX } from "solid-js";
import {
  missingOf,
  verdictOf,
  type CheckKind,
  type CheckReport,
  type CheckStep,
  type Verdict as VerdictWord,
} from "./checkReport.ts";
import type { CheckTexts } from "./checkTexts.ts";
import { createCheck } from "./createCheck.ts";

/** How the states of a step are marked, beside their word: colour is never the only sign. */
const MARKS: { readonly [O in VerdictWord]: string } = {
  ok: "✓",
  partly: "≈",
  differs: "✗",
  notProvable: "–",
};

/** The panel. It begins by itself, and again once the page shows what was not compared. */
export function CheckPanel<Shown, R extends CheckReport>(props: {
  texts: CheckTexts;
  kind: CheckKind;
  /** What the page shows now. Reactive. */
  shown: () => Shown;
  run: (shown: Shown) => Promise<R>;
  /** Whether what is shown is of a later block than what was: the report names its block. */
  isLater?: (before: Shown, now: Shown) => boolean;
  /** What stands above the steps once they are there. */
  children?: (report: R) => JSX.Element;
}) {
  const check = createCheck<Shown, R>({
    shown: () => props.shown(),
    run: (shown) => props.run(shown),
    isLater: (before, now) => props.isLater?.(before, now) === true,
    isSettled: (done) => ["ok", "differs"].includes(verdictOf(props.kind, done)),
  });
  const { report, failure, isOutdated } = check;
  const verdict = () => {
    const done = report();
    return done === null ? null : verdictOf(props.kind, done);
  };
  /**
   * A difference stands until a later check finds none, and so does what names its block while the page has gone on to a newer one: what
   * changes beside them takes nothing back.
   */
  const isWithdrawn = () => isOutdated() && verdict() !== "differs" && !check.hasMovedOn();
  const t = () => props.texts.t;
  return (
    <div class="check" data-testid="check" data-stage={check.stage()}>
      <div
        role="status"
        aria-live={check.ended() > 1 && verdict() !== "differs" ? "off" : "polite"}
      >
        <Switch>
          <Match when={check.stage() === "running" && check.ended() === 0}>
            <p class="check-note">{t()("check.running")}</p>
          </Match>
          <Match when={isWithdrawn()}>
            <p class="check-verdict" data-testid="check-verdict" data-verdict="outdated">
              <span aria-hidden="true">…</span> {t()("check.outdated")}
            </p>
          </Match>
          <Match when={failure()}>
            {(code) => <p class="check-note">{t()("check.failed", { code: code() })}</p>}
          </Match>
          <Match when={report()}>
            {(done) => <Verdict texts={props.texts} kind={props.kind} report={done()} />}
          </Match>
        </Switch>
        <Show when={isOutdated()}>
          <p class="check-note" data-testid="check-outdated">
            {t()(check.hasMovedOn() ? "check.movedOnNote" : "check.outdatedNote")}
          </p>
        </Show>
      </div>
      <Show when={report()}>
        {(done) => (
          <div class="check-found" data-outdated={isOutdated()}>
            {props.children?.(done())}
            <Steps texts={props.texts} steps={done().steps} />
            <p class="check-note">{t()("check.program")}</p>
          </div>
        )}
      </Show>
      <button
        type="button"
        class="check-button"
        disabled={check.stage() === "running"}
        onClick={check.start}
      >
        {t()(report() === null ? "check.start" : "check.again")}
      </button>
    </div>
  );
}

/** The worst that the steps say, in words, and what is not proven. */
export function Verdict(props: { texts: CheckTexts; kind: CheckKind; report: CheckReport }) {
  const verdict = () => verdictOf(props.kind, props.report);
  const missing = () => (verdict() === "partly" ? missingOf(props.kind, props.report) : []);
  const t = () => props.texts.t;
  return (
    <>
      <p class="check-verdict" data-testid="check-verdict" data-verdict={verdict()}>
        <span aria-hidden="true">{MARKS[verdict()]}</span> {t()(`check.${verdict()}`)}
      </p>
      <p class="check-note">{t()(`check.${verdict()}Note`)}</p>
      <Show when={missing().length > 0}>
        <ul class="check-note" data-testid="check-missing">
          <For each={missing()}>
            {(step) => (
              <li>
                {props.texts.step(step)}: {props.texts.reason(step) || t()("outcome.notProvable")}
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={!props.report.isKnownNetwork}>
        <p class="check-note">{t()("check.unknownNetwork")}</p>
      </Show>
    </>
  );
}

/** The steps, those that differ first. */
export function Steps(props: { texts: CheckTexts; steps: readonly CheckStep[] }) {
  const t = () => props.texts.t;
  const differing = () => props.steps.filter(({ outcome }) => outcome === "differs");
  const others = () => props.steps.filter(({ outcome }) => outcome !== "differs");
  return (
    <details class="check-steps" open={differing().length > 0}>
      <summary>{t()("check.steps")}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t()("check.step")}</th>
            <th scope="col">{t()("check.result")}</th>
          </tr>
        </thead>
        <tbody>
          <For each={[...differing(), ...others()]}>
            {(step) => <StepRow texts={props.texts} step={step} />}
          </For>
        </tbody>
      </table>
    </details>
  );
}

function StepRow(props: { texts: CheckTexts; step: CheckStep }) {
  const t = () => props.texts.t;
  return (
    <tr data-step={props.step.step} data-outcome={props.step.outcome}>
      <th scope="row">
        <span class="check-subject">{props.texts.subject(props.step)}</span>{" "}
        {props.texts.step(props.step)}
      </th>
      <td>
        <strong>
          <span aria-hidden="true">{MARKS[props.step.outcome]}</span>{" "}
          {t()(`outcome.${props.step.outcome}`)}
        </strong>
        <Show when={props.texts.reason(props.step)}>
          {(reason) => <p class="check-note">{reason()}</p>}
        </Show>
        <Show when={props.step.outcome === "differs"}>
          <dl>
            <dt>{t()("check.expected")}</dt>
            <dd class="mono">{props.step.expected}</dd>
            <dt>{t()("check.found")}</dt>
            <dd class="mono">{props.step.found}</dd>
          </dl>
        </Show>
      </td>
    </tr>
  );
}
