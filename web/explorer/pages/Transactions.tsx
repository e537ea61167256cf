/** Page: what the newest blocks carry. Payments are opaque: none of them shows an amount. */
import { Show } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { createHeld } from "../live/createHeld.ts";
import { LIST_ROWS } from "@svc/shared/explorer/explorerPaths.ts";
import { Age } from "../parts/Age.tsx";
import { CoverageNote } from "../parts/CoverageNote.tsx";
import { DataTable, type Column } from "../parts/DataTable.tsx";
import { HashLink } from "../parts/HashLink.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import { Stat } from "../parts/Stat.tsx";
import { carriedIn, type CarriedTransaction } from "../view/carriedIn.ts";
import { recentPath } from "./Blocks.tsx";

/** The page. */
export function Transactions(props: { before: string | null }) {
  const frame = useFrame();
  const { t } = frame.texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("transactions.title")}</h1>
        <p class="lead">{t("transactions.lead")}</p>
      </div>
      <Counts />
      <Panel title={t("transactions.newest")}>
        <WithDocument row="recentBlocks" path={recentPath(props.before)} lines={24}>
          {(blocks) => (
            <>
              <Carried blocks={blocks()} />
              <nav class="pager" aria-label={t("pager.label")}>
                <Show when={props.before !== null}>
                  <a href={hrefOf(frame, { kind: "transactions", before: null })}>
                    {t("pager.newest")}
                  </a>
                </Show>
                <Show when={blocks().length === LIST_ROWS && blocks().at(-1)}>
                  {(last) => (
                    <a
                      rel="next"
                      href={hrefOf(frame, {
                        kind: "transactions",
                        before: `${last().daaScore}-${last().block_hash}`,
                      })}
                    >
                      {t("pager.older")}
                    </a>
                  )}
                </Show>
              </nav>
            </>
          )}
        </WithDocument>
        <p class="note">{t("transactions.carriedNote")}</p>
      </Panel>
      <CoverageNote />
    </>
  );
}

function Counts() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <WithDocument row="transactionCount" path="/transactions/count" lines={4}>
      {(counts) => (
        <dl class="stats">
          <Stat
            label={t("transactions.applied")}
            value={texts.count(counts().regular)}
            note={t("transactions.appliedNote")}
          />
          <Stat
            label={t("transactions.dropped")}
            value={texts.count(counts().dropped)}
            note={t("transactions.droppedNote")}
          />
          <Stat
            label={t("transactions.coinbases")}
            value={texts.count(counts().coinbase)}
            note={t("transactions.coinbasesNote")}
          />
        </dl>
      )}
    </WithDocument>
  );
}

function Carried(props: { blocks: RestDocument<"recentBlocks"> }) {
  const { texts } = useFrame();
  const { t } = texts;
  const held = createHeld<CarriedTransaction>(
    () => carriedIn(props.blocks, LIST_ROWS),
    (row) => row.txid,
  );
  const columns: readonly Column<CarriedTransaction>[] = [
    {
      title: t("transaction.transaction"),
      cell: (row) => <HashLink kind="transaction" hash={row().txid} />,
    },
    { title: t("transaction.kind"), cell: (row) => t(`kind.${row().kind}`) },
    {
      title: t("transaction.actions"),
      isNumber: true,
      isWide: true,
      cell: (row) => (row().kind === "coinbase" ? "—" : texts.count(row().actions)),
    },
    {
      title: t("transaction.carriedBy"),
      isWide: true,
      cell: (row) => <HashLink kind="block" hash={row().block} />,
    },
    { title: t("block.age"), cell: (row) => <Age ms={row().timestamp} /> },
  ];
  return (
    <div
      onFocusIn={held.hold}
      onPointerEnter={held.hold}
      onFocusOut={held.follow}
      onPointerLeave={held.follow}
    >
      <DataTable
        caption={t("transactions.newest")}
        columns={columns}
        rows={held.rows()}
        keyOf={(row) => row.txid}
      />
      <p class="note held">
        <Show when={held.waiting() > 0} fallback={"\u00a0"}>
          {t("transactions.held", { count: held.waiting() })}
        </Show>
      </p>
    </div>
  );
}
