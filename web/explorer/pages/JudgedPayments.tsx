/** Component: the payments to which a chain block gave effect, and those that it dropped, each with its reason. */
import { Show } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { DataTable, type Column } from "../parts/DataTable.tsx";
import { HashLink } from "../parts/HashLink.tsx";
import { StatusBadge } from "../parts/StatusBadge.tsx";
import { useFrame } from "../frame/pageFrame.ts";
import { dropReasonText } from "../view/dropReason.ts";

type Extra = RestDocument<"block">["extra"];
type Applied = NonNullable<Extra["applied"]>;
type Dropped = NonNullable<Extra["dropped"]>;
type Judged = Applied[number] & { readonly reason: string | null };

/** The table. */
export function JudgedPayments(props: { applied: Applied; dropped: Dropped }) {
  const { t } = useFrame().texts;
  const rows = (): readonly Judged[] => [
    ...props.applied.map((payment) => ({ ...payment, reason: null })),
    ...props.dropped,
  ];
  const columns: readonly Column<Judged>[] = [
    {
      title: t("transaction.transaction"),
      cell: (row) => <HashLink kind="transaction" hash={row().transaction_id} />,
    },
    {
      title: t("block.carrier"),
      isWide: true,
      cell: (row) => <HashLink kind="block" hash={row().block_hash} />,
    },
    { title: t("block.effect"), cell: (row) => <Effect reason={row().reason} /> },
  ];
  return (
    <Show when={rows().length > 0} fallback={<p class="note">{t("block.judgedNone")}</p>}>
      <DataTable
        caption={t("block.judged")}
        columns={columns}
        rows={rows()}
        keyOf={(row) => `${row.transaction_id} ${row.block_hash}`}
      />
      <p class="note">{t("block.judgedNote")}</p>
    </Show>
  );
}

function Effect(props: { reason: string | null }) {
  const { texts } = useFrame();
  return (
    <Show when={props.reason} fallback={<StatusBadge status="applied" />}>
      {(code) => (
        <>
          <StatusBadge status="dropped" /> {dropReasonText(code(), texts)}
        </>
      )}
    </Show>
  );
}
