/** The signer page: its frame, and the step that its person is at. */
import { createSignal, For, Match, onCleanup, Show, Switch } from "solid-js";
import { t, type PlainKey } from "../i18n/translate.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import markUrl from "../ui/mark.svg";
import { ErrorNotice, Notice } from "../ui/Notice.tsx";
import { AnswerStep } from "./AnswerStep.tsx";
import type { SignerSession, Step } from "./signerSession.ts";
import { ReviewStep } from "./ReviewStep.tsx";
import { ScanStep } from "./ScanStep.tsx";
import { SeedStep } from "./SeedStep.tsx";
import styles from "./Signer.module.css";

const STEPS: readonly { readonly label: PlainKey; readonly kinds: readonly Step["kind"][] }[] = [
  { label: "signer.stepSeed", kinds: ["seed"] },
  { label: "signer.stepScan", kinds: ["scan"] },
  { label: "signer.stepReview", kinds: ["review", "refused"] },
  { label: "signer.stepAnswer", kinds: ["answer"] },
];

/** The whole page. */
export function SignerApp(props: { session: SignerSession }) {
  const { session } = props;
  const isOnline = createOnline();
  // A page that is left keeps nothing, also where the browser keeps the page.
  const leave = () => session.close();
  addEventListener("pagehide", leave);
  onCleanup(() => removeEventListener("pagehide", leave));
  const at = <K extends Step["kind"]>(kind: K): Extract<Step, { kind: K }> | null => {
    const step = session.step;
    return isStep(step, kind) ? step : null;
  };
  return (
    <div class={styles.page}>
      <header class={styles.top}>
        <img src={markUrl} alt="" width="32" height="32" />
        <h1 class={styles.title}>{t("signer.title")}</h1>
        <Show when={session.step.kind !== "seed"}>
          <Button kind="quiet" icon="lock" onClick={leave}>
            {t("signer.end")}
          </Button>
        </Show>
      </header>
      <StepList now={session.step.kind} />
      <main class={styles.main}>
        <Show when={isOnline()}>
          <Notice kind="warning">{t("signer.online")}</Notice>
        </Show>
        <Switch>
          <Match when={at("seed")}>
            <SeedStep session={session} />
          </Match>
          <Match when={at("scan")}>
            <ScanStep session={session} signsOn={session.networkNames} />
          </Match>
          <Match when={at("review")}>
            {(step) => (
              <ReviewStep
                review={step().review}
                onSign={() => session.confirm()}
                onReject={() => session.scan()}
              />
            )}
          </Match>
          <Match when={at("refused")}>
            {(step) => (
              <Card title={t("signer.refusedTitle")}>
                <ErrorNotice error={step().error} />
                <p class={styles.text}>{t("signer.refusedText")}</p>
                <Button onClick={() => session.scan()}>{t("signer.again")}</Button>
              </Card>
            )}
          </Match>
          <Match when={at("answer")}>
            {(step) => <AnswerStep frames={step().frames} onNext={() => session.scan()} />}
          </Match>
        </Switch>
      </main>
    </div>
  );
}

function isStep<K extends Step["kind"]>(step: Step, kind: K): step is Extract<Step, { kind: K }> {
  return step.kind === kind;
}

function StepList(props: { now: Step["kind"] }) {
  const now = () => STEPS.findIndex(({ kinds }) => kinds.includes(props.now));
  const stateOf = (index: number) => {
    if (index === now()) return "now";
    return index < now() ? "done" : "later";
  };
  return (
    <ol class={styles.steps} aria-label={t("signer.steps")}>
      <For each={STEPS}>
        {(step, index) => (
          <li
            class={styles.step}
            data-state={stateOf(index())}
            aria-current={index() === now() ? "step" : undefined}
          >
            {t(step.label)}
          </li>
        )}
      </For>
    </ol>
  );
}

/** Whether the browser believes to have a network. */
function createOnline() {
  const [isOnline, setOnline] = createSignal(navigator.onLine);
  const look = () => setOnline(navigator.onLine);
  addEventListener("online", look);
  addEventListener("offline", look);
  onCleanup(() => {
    removeEventListener("online", look);
    removeEventListener("offline", look);
  });
  return isOnline;
}
