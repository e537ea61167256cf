/** Component: the payees of a payment to several, each with its amount and its memo. */
import { For } from "solid-js";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import type { RowPayee } from "@svc/shared/wallet/view/rowPayees.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import { NamedAddress } from "../contacts/NamedAddress.tsx";
import styles from "./HistoryList.module.css";

/** The payees of an entry that paid several; null for every other one. */
export function severalPayees({ payees = [] }: HistoryView): readonly RowPayee[] | null {
  return payees.length > 1 ? payees : null;
}

/** The list, in the order in which they are paid. */
export function PayeeFacts(props: { payees: readonly RowPayee[] }) {
  return (
    <ol class={styles.payees} data-testid="row-payees">
      <For each={props.payees}>
        {(payee, index) => (
          <li>
            <h3>{t("payees.title", { number: index() + 1, count: props.payees.length })}</h3>
            <Facts rows={factsOf(payee)} />
          </li>
        )}
      </For>
    </ol>
  );
}

function factsOf({ address, value, memo }: RowPayee): readonly Fact[] {
  const said = memo.kind === "bytes" ? memo.hex : memo.kind === "text" ? plainText(memo.text) : "";
  const label = t(memo.kind === "bytes" ? "detail.memoBytes" : "detail.memo");
  const to = <NamedAddress address={address} />;
  return [
    { label: t("detail.to"), value: to, wide: true },
    { label: t("detail.amount"), value: <Amount value={value} /> },
    ...(said === "" ? [] : [{ label, value: <bdi>{said}</bdi>, mono: memo.kind === "bytes" }]),
  ];
}
