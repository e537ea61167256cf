/** Component: makes the receipt of a payment that was received or sent, and hands it out as a file and as text. */
import { createSignal, For, Match, Show, Switch } from "solid-js";
import type { OwnReceipt, OwnReceipts } from "@svc/shared/wallet/sync/ownReceipts.ts";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { amountText, shortAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { saveFile } from "../../ui/saveFile.ts";
import { fitsChallenge, receiptFileName } from "./receiptFile.ts";
import styles from "./HistoryList.module.css";

type Made = Extract<OwnReceipts, { kind: "made" }>;

/** The button, then the form behind it, then what came of it. */
export function ReceiptMaker(props: { row: HistoryView }) {
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
      <ReceiptForm row={props.row} />
    </Show>
  );
}

function ReceiptForm(props: { row: HistoryView }) {
  const { wallet } = useWallet();
  const [challenge, setChallenge] = createSignal("");
  const [outcome, setOutcome] = createSignal<OwnReceipts | null>(null);
  let place: HTMLDivElement | undefined;
  const making = createTask(async () => {
    setOutcome(null);
    setOutcome(await wallet.receipts(props.row.id, challenge()));
    // On a phone it would lie below the end of the dialog.
    place?.scrollIntoView({ block: "nearest" });
  });
  const fits = () => fitsChallenge(challenge());
  const isSent = () => props.row.kind === "sent";
  return (
    <section class={styles.receipt} aria-label={t("receipt.title")}>
      <p class={styles.receiptText}>{t(isSent() ? "receipt.textSent" : "receipt.text")}</p>
      <TextField
        label={t("receipt.challenge")}
        hint={t(isSent() ? "receipt.challengeSent" : "receipt.challengeHint")}
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
      <div aria-live="polite" ref={place}>
        <Outcome outcome={outcome()} txid={props.row.txid ?? ""} />
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
      <Match when={props.outcome?.kind === "undisclosed"}>
        <Notice kind="warning">{t("receipt.undisclosed")}</Notice>
      </Match>
    </Switch>
  );
}

function HandOut(props: { receipts: readonly OwnReceipt[]; txid: string }) {
  const count = () => props.receipts.length;
  const made = () =>
    props.receipts.some(({ payee }) => payee !== null) ? "receipt.madeSent" : "receipt.made";
  return (
    <div class={styles.receipt} data-testid="receipt">
      <Notice kind="good">{t(made(), { count: count() })}</Notice>
      <For each={props.receipts}>
        {(receipt, index) => (
          <OneReceipt
            receipt={receipt}
            part={count() === 1 ? null : index() + 1}
            txid={props.txid}
          />
        )}
      </For>
      <p class={styles.receiptText}>{t("receipt.before")}</p>
    </div>
  );
}

/** `part`: its number where there are several; then it also says who was paid. */
function OneReceipt(props: { receipt: OwnReceipt; part: number | null; txid: string }) {
  const { bytes, value, payee } = props.receipt;
  const { part } = props;
  return (
    <>
      <Show when={part !== null && payee}>
        {(address) => (
          <p class={styles.receiptText}>
            {t("receipt.payee", { amount: amountText(value), address: shortAddress(address()) })}
          </p>
        )}
      </Show>
      <div class={styles.actions}>
        <CopyButton
          text={receiptText(bytes)}
          label={part === null ? t("receipt.copy") : t("receipt.copyPart", { part })}
        />
        <Button kind="primary" onClick={() => saveFile(bytes, receiptFileName(props.txid, part))}>
          {part === null ? t("receipt.file") : t("receipt.filePart", { part })}
        </Button>
      </div>
    </>
  );
}
