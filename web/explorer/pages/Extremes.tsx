/** Page: the minutes with the most blocks and the most red blocks, and the deepest reorganisations. */
import { Show } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { CoverageNote } from "../parts/CoverageNote.tsx";
import { DataTable, type Column } from "../parts/DataTable.tsx";
import { CsvLinks } from "../parts/CsvLinks.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import { ReorgTable } from "../parts/ReorgTable.tsx";

const MINUTE_MS = 60_000;
const PATH = "/info/extremes";

type Moment = RestDocument<"extremes">["widest"][number];

/** The page. Each minute is an address of its own, under which the graph is replayed. */
export function Extremes() {
  const { t } = useFrame().texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("extremes.title")}</h1>
        <p class="lead">{t("extremes.lead")}</p>
      </div>
      <WithDocument row="extremes" path={PATH} lines={24}>
        {(extremes) => (
          <>
            <div class="columns">
              <Panel title={t("extremes.widest")}>
                <Moments caption={t("extremes.widest")} moments={extremes().widest} />
              </Panel>
              <Panel title={t("extremes.reddest")}>
                <Moments caption={t("extremes.reddest")} moments={extremes().reddest} />
              </Panel>
            </div>
            <Panel title={t("extremes.deepest")}>
              <ReorgTable caption={t("extremes.deepest")} reorgs={extremes().deepest} />
            </Panel>
          </>
        )}
      </WithDocument>
      <CsvLinks path={PATH} />
      <CoverageNote />
    </>
  );
}

function Moments(props: { caption: string; moments: readonly Moment[] }) {
  const frame = useFrame();
  const { texts } = frame;
  const columns: readonly Column<Moment>[] = [
    {
      title: texts.t("extremes.minute"),
      cell: (row) => (
        <a href={hrefOf(frame, { kind: "dag", minute: String(row().minute) })}>
          {texts.minute(row().minute * MINUTE_MS)}
        </a>
      ),
    },
    { title: texts.t("extremes.blocks"), isNumber: true, cell: (row) => texts.count(row().count) },
  ];
  return (
    <Show when={props.moments.length > 0} fallback={<p class="note">{texts.t("extremes.none")}</p>}>
      <DataTable caption={props.caption} columns={columns} rows={props.moments} />
    </Show>
  );
}
