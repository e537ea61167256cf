/** Page: the graph of blocks, live or a minute of the past, as a drawing and as a list. */
import { createMemo, createSignal, For, Show } from "solid-js";
import { GRAPH_ROWS } from "@svc/shared/explorer/explorerPaths.ts";
import { BlockTable } from "../parts/BlockTable.tsx";
import { ColorBadge } from "../parts/ColorBadge.tsx";
import { CoverageNote } from "../parts/CoverageNote.tsx";
import { DataTable, type Column } from "../parts/DataTable.tsx";
import { HashLink } from "../parts/HashLink.tsx";
import { PartPlace } from "../parts/PartPlace.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import type { RestDocument } from "../live/restDocument.ts";

const MINUTE_MS = 60_000;

type GraphBlock = RestDocument<"blockWindow">["blocks"][number];

/** The page. */
export function Dag(props: { minute: string | null }) {
  const frame = useFrame();
  const { t } = frame.texts;
  const [played, setPlayed] = createSignal(props.minute);
  // What stands around the graph follows it, as soon as there is something to show.
  const minute = createMemo<string | null>((before) => {
    const wanted = played();
    return frame.store.readAny(listPath(wanted)).body === null ? before : wanted;
  }, props.minute);
  return (
    <>
      <div class="page-head">
        <h1>{t("dag.title")}</h1>
        <p class="lead">{t("dag.lead")}</p>
      </div>
      <Minutes minute={minute()} />
      <PartPlace
        part="dag"
        options={{
          query: frame.query,
          moved: (next) => setPlayed(next === null ? null : String(next)),
        }}
        title={t(minute() === null ? "dag.live" : "dag.replay")}
      >
        <p class="note scriptless">{t("dag.needsScript")}</p>
      </PartPlace>
      <Panel title={t("dag.list")}>
        <Show when={minute()} fallback={<LiveList />}>
          {(past) => <PastList minute={past()} />}
        </Show>
      </Panel>
      <CoverageNote />
      <p>
        <a href={hrefOf(frame, { kind: "extremes" })}>{t("dag.extremes")}</a>
      </p>
    </>
  );
}

/** The document that the list shows. */
function listPath(minute: string | null): string {
  return minute === null ? `/blocks/recent?limit=${GRAPH_ROWS}` : `/blocks/window?minute=${minute}`;
}

/** The minutes beside this one, each with its address. */
function Minutes(props: { minute: string | null }) {
  const frame = useFrame();
  const { texts } = frame;
  const shown = () => (props.minute === null ? null : Number(props.minute));
  const before = () => (shown() ?? Math.floor(frame.now() / MINUTE_MS)) - 1;
  const links = () => {
    const at = shown();
    return [
      { text: texts.t("dag.before"), minute: String(Math.max(0, before())) },
      ...(at === null ? [] : [{ text: texts.t("dag.after"), minute: String(at + 1) }]),
    ];
  };
  return (
    <nav class="pager" aria-label={texts.t("dag.minutes")}>
      <For each={links()}>
        {({ text, minute }) => <a href={hrefOf(frame, { kind: "dag", minute })}>{text}</a>}
      </For>
      <Show when={shown()}>
        {(minute) => (
          <>
            <strong>{texts.minute(minute() * MINUTE_MS)}</strong>
            <a class="scriptless" href={hrefOf(frame, { kind: "dag", minute: null })}>
              {texts.t("dag.toLive")}
            </a>
          </>
        )}
      </Show>
    </nav>
  );
}

function LiveList() {
  const { t } = useFrame().texts;
  return (
    <WithDocument row="recentBlocks" path={listPath(null)} lines={24}>
      {(blocks) => <BlockTable caption={t("dag.list")} blocks={blocks().slice(0, 40)} />}
    </WithDocument>
  );
}

function PastList(props: { minute: string }) {
  const { texts } = useFrame();
  const { t } = texts;
  const columns: readonly Column<GraphBlock>[] = [
    { title: t("block.block"), cell: (row) => <HashLink kind="block" hash={row().block_hash} /> },
    {
      title: t("block.place"),
      cell: (row) => <ColorBadge color={row().color} isChainBlock={row().isChainBlock} />,
    },
    {
      title: t("block.parents"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(row().parents.length),
    },
    {
      title: t("block.daaScore"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(row().daaScore),
    },
    {
      title: t("block.payments"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(Math.max(0, row().txCount - 1)),
    },
    { title: t("block.clock"), cell: (row) => texts.clock(Number(row().timestamp)) },
  ];
  return (
    <WithDocument row="blockWindow" path={listPath(props.minute)} lines={24}>
      {(window) => (
        <Show when={window().blocks.length > 0} fallback={<p class="note">{t("dag.empty")}</p>}>
          <DataTable
            caption={t("dag.list")}
            columns={columns}
            rows={window().blocks}
            keyOf={(block) => block.block_hash}
          />
        </Show>
      )}
    </WithDocument>
  );
}
