/** Progress step of a payment: its stages while it is made, then its result. */
import { For, Match, Show, Switch } from "solid-js";
import { hrefOf } from "../../state/router.ts";
import type { PaymentPreview, SendView } from "../../wallet-api/walletApi.ts";
import { durationText, shortAddress } from "../../i18n/format.ts";
import { rivalText } from "../../i18n/rivalText.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { createNow } from "../../state/clock.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button, LinkButton } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { ProgressBar } from "../../ui/ProgressBar.tsx";
import styles from "./Send.module.css";
import { overallFraction, STAGES, stageState } from "./sendStages.ts";

/** A payment under way, then how it ended. */
export function SendProgress(props: {
  send: SendView;
  /** What was put up for review; null where another screen began the payment. */
  paid: PaymentPreview | null;
  onAnother: () => void;
  onRetry: () => void;
  /** What is left of a payment over several transactions is not to be sent. */
  onStop: (id: string) => void;
}) {
  return (
    <Card>
      <Switch fallback={<Running send={props.send} />}>
        <Match when={props.send.stage === "paused"}>
          <Paused send={props.send} onStop={props.onStop} />
        </Match>
        <Match when={props.send.stage === "sent"}>
          <Sent send={props.send} paid={props.paid} onAnother={props.onAnother} />
        </Match>
        <Match when={props.send.stage === "failed"}>
          <Failed send={props.send} onRetry={props.onRetry} />
        </Match>
      </Switch>
    </Card>
  );
}

function Running(props: { send: SendView }) {
  const { wallet } = useWallet();
  const now = createNow();
  const doing = () => STAGES.find(({ stage }) => stage === props.send.stage);
  const seconds = () => Math.max(0, Math.floor((now() - props.send.startedMs) / 1_000));
  return (
    <>
      <Show when={props.send.parts > 1}>
        <p class={styles.part} aria-live="polite" data-testid="part">
          {t("pay.part", { part: props.send.part, parts: props.send.parts })}
        </p>
      </Show>
      <ol class={styles.stages} data-testid="stage" data-stage={props.send.stage}>
        <For each={STAGES}>
          {(texts, index) => (
            <li class={styles.stage} data-state={stageState(texts.stage, props.send.stage)}>
              <span class={styles.bullet}>
                <Show
                  when={stageState(texts.stage, props.send.stage) === "done"}
                  fallback={index() + 1}
                >
                  <Icon name="check" size={14} />
                </Show>
              </span>
              {t(texts.name)}
            </li>
          )}
        </For>
      </ol>
      <ProgressBar label={t("send.progress")} value={overallFraction(props.send, seconds())} />
      <div class={styles.doing}>
        <p aria-live="polite">
          <Show when={doing()}>{(texts) => <>{t(texts().text)}</>}</Show>
        </p>
        <span class={`${styles.elapsed} number`}>
          <Show when={seconds() >= 3}>{t("send.elapsed", { time: durationText(seconds()) })}</Show>
        </span>
      </div>
      <Show when={props.send.cancellable}>
        <p class={styles.note}>
          {props.send.out === 0
            ? t("send.nothingYet")
            : t("pay.outSoFar", { count: props.send.out })}
        </p>
        <Button kind="danger" onClick={() => void wallet.cancelSend()}>
          {t(props.send.out === 0 ? "send.cancel" : "pay.stop")}
        </Button>
      </Show>
    </>
  );
}

/** Some transactions are out, and the others wait until the wallet may pay. */
function Paused(props: { send: SendView; onStop: (id: string) => void }) {
  return (
    <div class={styles.end} role="status" data-testid="paused">
      <span class={styles.seal}>
        <Icon name="history" size={28} />
      </span>
      <h2>{t("pay.pausedTitle")}</h2>
      <p>{t("pay.pausedText", { count: props.send.out })}</p>
      <div class={styles.buttons}>
        <Button kind="danger" onClick={() => props.onStop(props.send.id)}>
          {t("pay.stop")}
        </Button>
        <LinkButton kind="primary" href={hrefOf("home")}>
          {t("send.done")}
        </LinkButton>
      </div>
    </div>
  );
}

function Sent(props: { send: SendView; paid: PaymentPreview | null; onAnother: () => void }) {
  const rival = () => rivalText(props.send.rival, false);
  return (
    <div class={styles.end} role="status" data-testid="sent">
      <span class={styles.seal} data-bad={rival() !== null}>
        <Icon name={rival() === null ? "check" : "alert"} size={28} />
      </span>
      <h2>{t(sentTitle(props.send))}</h2>
      <Show when={props.paid}>
        {(paid) => (
          <>
            <p class={styles.sum}>
              <Amount value={paid().amount} />
            </p>
            <p>{sentToText(paid())}</p>
          </>
        )}
      </Show>
      <Show when={rival()}>{(text) => <Notice kind="warning">{text()}</Notice>}</Show>
      <p>{sentText(props.send)}</p>
      <Show when={props.send.txid}>
        {(txid) => (
          <>
            <p class={`${styles.txid} mono`}>{txid()}</p>
            <CopyButton text={txid()} label={t("send.copyTxid")} kind="quiet" />
          </>
        )}
      </Show>
      <div class={styles.buttons}>
        <Button onClick={() => props.onAnother()}>{t("send.another")}</Button>
        <LinkButton kind="primary" href={hrefOf("home")}>
          {t("send.done")}
        </LinkButton>
      </div>
    </div>
  );
}

function Failed(props: { send: SendView; onRetry: () => void }) {
  const cancelled = () => props.send.error?.code === "wallet/cancelled";
  return (
    <div class={styles.end}>
      <span class={styles.seal} data-bad={!cancelled()}>
        <Icon name={cancelled() ? "close" : "alert"} size={28} />
      </span>
      <h2>{t(failedTitle(props.send))}</h2>
      <Show when={props.send.out > 0}>
        <p>{t("pay.partlyText", { count: props.send.out })}</p>
      </Show>
      <Switch fallback={<ErrorNotice error={props.send.error} />}>
        <Match when={cancelled()}>
          <Show when={props.send.out === 0}>
            <p>{sentenceOrNull(props.send.error)}</p>
          </Show>
        </Match>
        <Match when={rivalText(props.send.rival, true)}>
          {(text) => <Notice kind="error">{text()}</Notice>}
        </Match>
      </Switch>
      <Button kind="primary" onClick={() => props.onRetry()}>
        {t("send.retry")}
      </Button>
    </div>
  );
}

function sentToText({ payees }: PaymentPreview): string {
  const [payee] = payees;
  if (payees.length > 1) return t("payees.sentTo", { count: payees.length });
  return t("send.sentTo", { address: shortAddress(payee?.address ?? "") });
}

function sentText({ queued, parts }: SendView): string {
  if (queued) return t("send.queuedText");
  return parts > 1 ? t("pay.allSent", { count: parts }) : t("send.sentText");
}

function sentTitle({ queued, rival }: SendView): PlainKey {
  if (rival !== null) return "send.rivalTitle";
  return queued ? "send.queuedTitle" : "send.sentTitle";
}

/** A node that refused a payment has its bytes: that it was not sent would not be true. */
function failedTitle({ error, rival, out }: SendView): PlainKey {
  if (out > 0) return "pay.partlyTitle";
  if (error?.code === "wallet/cancelled") return "send.cancelledTitle";
  if (rival !== null) return "send.replacedTitle";
  if (error?.code === "tx/anchor-too-old") return "row.expired";
  return error?.code === "wallet/payment-rejected" ? "send.refusedTitle" : "send.failedTitle";
}
