/** Component: the details of one history entry, with a retry for a payment that failed. */
import { Show } from "solid-js";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { countText, dateText } from "../../i18n/format.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { goTo } from "../../state/router.ts";
import { createTask } from "../../state/createTask.ts";
import { useDraft } from "../../state/draftContext.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button, LinkButton } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { AddContact } from "../contacts/AddContact.tsx";
import { NamedAddress } from "../contacts/NamedAddress.tsx";
import { endedPayment, retryTexts } from "./endedPayment.ts";
import { OrderParts } from "./OrderParts.tsx";
import { PayRest } from "./PayRest.tsx";
import { PayeeFacts, severalPayees } from "./PayeeFacts.tsx";
import { ReceiptMaker } from "./ReceiptMaker.tsx";
import { Remark } from "./Remark.tsx";
import styles from "./HistoryList.module.css";
import { backingText, depthText, failureText, kindText, signOf } from "./rowTexts.ts";

/** All that the wallet knows of one history entry. */
export function HistoryDetail(props: {
  row: HistoryView;
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={kindText(props.row)} onClose={props.onClose}>
      <Show when={failureText(props.row)}>{(text) => <Notice kind="error">{text()}</Notice>}</Show>
      <Show when={props.row.order}>
        {(order) => <PayRest rest={order().rest} onClose={props.onClose} />}
      </Show>
      <Show when={severalPayees(props.row)} fallback={<Memo row={props.row} />}>
        {(payees) => <PayeeFacts payees={payees()} />}
      </Show>
      <Facts rows={factsOf(props.row)} />
      <Remark row={props.row} />
      <Show when={props.row.order}>
        {(order) => <OrderParts id={props.row.id} order={order()} onOpen={props.onOpen} />}
      </Show>
      <Show when={props.row.txid}>
        {(txid) => <Transaction txid={txid()} inBlock={props.row.chainIndex !== null} />}
      </Show>
      <Show when={payeeOf(props.row)}>{(address) => <AddContact address={address()} />}</Show>
      <Show when={canHaveReceipt(props.row)}>
        <ReceiptMaker row={props.row} />
      </Show>
      <Ended row={props.row} onClose={props.onClose} />
    </Dialog>
  );
}

/** The transaction's name to copy, and the explorer's search, which hides the name among others (docs/privacy.md). */
function Transaction(props: { txid: string; inBlock: boolean }) {
  return (
    <>
      <div class={styles.actions}>
        <CopyButton text={props.txid} label={t("detail.copyTxid")} />
        <Show when={props.inBlock}>
          <LinkButton icon="blocks" newTab href={`/explorer/search#${props.txid}`}>
            {t("detail.lookUp")}
          </LinkButton>
        </Show>
      </div>
      <Show when={props.inBlock}>
        <p class={styles.receiptText}>{t("detail.lookUpNote")}</p>
      </Show>
    </>
  );
}

/** The one payee of a payment to somebody else; null for every other entry. */
function payeeOf(row: HistoryView): string | null {
  return row.kind === "sent" && severalPayees(row) === null ? row.counterparty : null;
}

/** A block has what this wallet received, or paid to somebody else. */
function canHaveReceipt({ kind, chainIndex, txid }: HistoryView): boolean {
  return kind !== "self" && chainIndex !== null && txid !== null;
}

/** A payment that came to nothing can be made once more, or leave the list. */
function Ended(props: { row: HistoryView; onClose: () => void }) {
  const { snapshot, wallet } = useWallet();
  const draft = useDraft();
  const forgetting = createTask(async (id: string) => {
    await wallet.forgetPayment(id);
    props.onClose();
  });
  const again = () => {
    draft.setPayees(retryTexts(props.row));
    props.onClose();
    goTo("send");
  };
  return (
    <Show when={snapshot.tabs.following ? null : endedPayment(props.row)}>
      {(id) => (
        <>
          <ErrorNotice error={forgetting.error()} />
          <div class={styles.actions}>
            <Button busy={forgetting.busy()} onClick={() => void forgetting.run(id())}>
              {t("detail.forget")}
            </Button>
            <Show when={retryTexts(props.row).length > 0}>
              <Button kind="primary" icon="send" onClick={again}>
                {t("detail.again")}
              </Button>
            </Show>
          </div>
        </>
      )}
    </Show>
  );
}

function Memo(props: { row: HistoryView }) {
  const text = () => {
    const { memo } = props.row;
    if (memo.kind === "empty") return null;
    return memo.kind === "text" ? plainText(memo.text) : memo.hex;
  };
  return (
    <Show when={text()}>
      {(memo) => (
        <p
          dir="auto"
          class={styles.memo}
          classList={{ mono: props.row.memo.kind === "bytes" }}
          aria-label={t(props.row.memo.kind === "bytes" ? "detail.memoBytes" : "detail.memo")}
          data-testid="memo"
        >
          {memo()}
        </p>
      )}
    </Show>
  );
}

/** An own address by its name, where it has one, and its number. */
function Named(props: { name: string | undefined; number: string }) {
  return (
    <Show when={props.name} fallback={props.number}>
      {(name) => (
        <>
          <bdi>{plainText(name())}</bdi> · {props.number}
        </>
      )}
    </Show>
  );
}

function factsOf(row: HistoryView): readonly Fact[] {
  const rows: Fact[] = [
    { label: t("detail.amount"), value: <Amount value={row.amount} sign={signOf(row)} /> },
  ];
  const { order } = row;
  if (order !== undefined && order.confirmed !== row.amount) {
    rows.push({ label: t("pay.confirmed"), value: <Amount value={order.confirmed} /> });
  }
  if (row.fee !== null) rows.push({ label: t("detail.fee"), value: <Amount value={row.fee} /> });
  if (row.counterparty !== null && severalPayees(row) === null) {
    const value = <NamedAddress address={row.counterparty} />;
    rows.push({ label: t("detail.to"), value, wide: true });
  }
  if (row.addressIndex !== null) {
    const number = t("detail.address", { number: row.addressIndex + 1 });
    const value = <Named name={row.addressLabel} number={number} />;
    rows.push({ label: t("detail.at"), value });
  }
  rows.push({ label: t("detail.state"), value: depthText(row) });
  const backing = backingText(row);
  if (backing !== null) rows.push({ label: t("backing.label"), value: backing });
  if (row.timestamp !== null) {
    rows.push({ label: t("detail.date"), value: dateText(row.timestamp) });
  }
  if (row.chainIndex !== null && order === undefined) {
    rows.push({ label: t("detail.block"), value: countText(row.chainIndex) });
  }
  if (row.txid !== null) rows.push({ label: t("detail.transaction"), value: row.txid, mono: true });
  return rows;
}
