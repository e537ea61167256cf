/** Component: makes the receipt of a payment that was received, and hands it out as a file and as text. */
import { createSignal, For, Match, onMount, Show, Switch } from "solid-js";
import type { OwnReceipts } from "@svc/shared/wallet/sync/ownReceipts.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { fitsChallenge, receiptFileName, saveReceipt } from "./receiptFile.ts";
import styles from "./HistoryList.module.css";

type Made = Extract<OwnReceipts, { kind: "made" }>;

/** The button, then the form behind it, then what came of it. */
export function ReceiptMaker(props: { rowId: string; txid: string }) {
  const [isOpen, setOpen] = createSignal(false);
  return (
    <Show
      when={isOpen()}
      fallback={
        <div class={styles.actions}>
          <Button onClick={() => setOpen(true)}>{t("receipt.open")}</Button>
        </div>
      }
    >
      <ReceiptForm rowId={props.rowId} txid={props.txid} />
    </Show>
  );
}

function ReceiptForm(props: { rowId: string; txid: string }) {
  const { wallet } = useWallet();
  const [challenge, setChallenge] = createSignal("");
  const [outcome, setOutcome] = createSignal<OwnReceipts | null>(null);
  const making = createTask(async () => {
    setOutcome(null);
    setOutcome(await wallet.receipts(props.rowId, challenge()));
  });
  const fits = () => fitsChallenge(challenge());
  return (
    <section class={styles.receipt} aria-label={t("receipt.title")}>
      <p class={styles.receiptText}>{t("receipt.text")}</p>
      <TextField
        label={t("receipt.challenge")}
        hint={t("receipt.challengeHint")}
        error={fits() ? null : t("receipt.challengeLong")}
        value={challenge()}
        onInput={(event) => {
          setChallenge(event.currentTarget.value);
          setOutcome(null);
        }}
      />
      <div class={styles.actions}>
        <Button
          kind="primary"
          busy={making.busy()}
          disabled={!fits()}
          onClick={() => void making.run()}
        >
          {t("receipt.make")}
        </Button>
      </div>
      <ErrorNotice error={making.error()} />
      <div aria-live="polite">
        <Outcome outcome={outcome()} txid={props.txid} />
      </div>
    </section>
  );
}

function Outcome(props: { outcome: OwnReceipts | null; txid: string }) {
  const made = (): Made | null => (props.outcome?.kind === "made" ? props.outcome : null);
  const young = () => (props.outcome?.kind === "young" ? props.outcome : null);
  return (
    <Switch>
      <Match when={made()}>
        {(found) => <HandOut receipts={found().receipts} txid={props.txid} />}
      </Match>
      <Match when={young()}>
        {(found) => (
          <Notice kind="info">{t("receipt.young", { count: Number(found().blocksLeft) })}</Notice>
        )}
      </Match>
      <Match when={props.outcome?.kind === "forgotten"}>
        <Notice kind="warning">{t("receipt.forgotten")}</Notice>
      </Match>
    </Switch>
  );
}

function HandOut(props: { receipts: readonly Uint8Array[]; txid: string }) {
  let place: HTMLDivElement | undefined;
  // On a phone it would lie below the end of the dialog.
  onMount(() => place?.scrollIntoView({ block: "nearest" }));
  const count = () => props.receipts.length;
  return (
    <div class={styles.receipt} data-testid="receipt" ref={place}>
      <Notice kind="good">{t("receipt.made", { count: count() })}</Notice>
      <For each={props.receipts}>
        {(receipt, index) => {
          const part = index() + 1;
          const isOnly = count() === 1;
          return (
            <div class={styles.actions}>
              <CopyButton
                text={receiptText(receipt)}
                label={isOnly ? t("receipt.copy") : t("receipt.copyPart", { part })}
              />
              <Button
                kind="primary"
                onClick={() =>
                  saveReceipt(receipt, receiptFileName(props.txid, isOnly ? null : part))
                }
              >
                {isOnly ? t("receipt.file") : t("receipt.filePart", { part })}
              </Button>
            </div>
          );
        }}
      </For>
      <p class={styles.receiptText}>{t("receipt.before")}</p>
    </div>
  );
}
