/** Component: the transactions that a block carries. That it carries one says nothing of its effect. */
import { For, Show } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { DataTable, type Column } from "../parts/DataTable.tsx";
import { HashLink } from "../parts/HashLink.tsx";
import { useFrame } from "../frame/pageFrame.ts";

type Transaction = RestDocument<"block">["transactions"][number];

/** The table. */
export function BlockTransactions(props: { block: RestDocument<"block"> }) {
  const { texts } = useFrame();
  const { t } = texts;
  const columns: readonly Column<Transaction>[] = [
    {
      title: t("transaction.transaction"),
      cell: (row) => <HashLink kind="transaction" hash={row().verboseData.transactionId} />,
    },
    {
      title: t("transaction.kind"),
      isWide: true,
      cell: (row) => t(row().shielded ? "kind.payment" : "kind.coinbase"),
    },
    { title: t("transaction.shows"), cell: (row) => <Shown transaction={row()} /> },
  ];
  return (
    <Show when={props.block.extra.hasBody} fallback={<p class="note">{t("block.noBody")}</p>}>
      <DataTable
        caption={t("block.transactions")}
        columns={columns}
        rows={props.block.transactions}
        keyOf={(row) => row.verboseData.transactionId}
      />
      <p class="note">{t("block.carriedNote")}</p>
    </Show>
  );
}

/** Outputs of a coinbase are public; of a payment nothing is. */
function Shown(props: { transaction: Transaction }) {
  const { texts } = useFrame();
  return (
    <Show
      when={!props.transaction.shielded && props.transaction.outputs.length > 0}
      fallback={texts.t(props.transaction.shielded ? "payment.opaque" : "coinbase.none")}
    >
      <ul class="outputs">
        <For each={props.transaction.outputs}>
          {(output) => (
            <li>
              <strong class="number">{texts.coins(String(output.amount))}</strong>{" "}
              <span class="mono">{output.verboseData.scriptPublicKeyAddress ?? ""}</span>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
