/** Component: reorganisations of the selected chain that the node saw, as a table. */
import { Show } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { Age } from "./Age.tsx";
import { DataTable, type Column } from "./DataTable.tsx";
import { HashLink } from "./HashLink.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";

type Reorg = RestDocument<"reorgs">["recent"][number];

const MINUTE_MS = 60_000;

/** The table. Each time is the address under which the graph of its minute is replayed. */
export function ReorgTable(props: { caption: string; reorgs: readonly Reorg[] }) {
  const frame = useFrame();
  const { texts } = frame;
  const { t } = texts;
  const minuteOf = (ms: number) => String(Math.floor(ms / MINUTE_MS));
  const columns: readonly Column<Reorg>[] = [
    {
      title: t("reorg.when"),
      cell: (row) => (
        <a href={hrefOf(frame, { kind: "dag", minute: minuteOf(row().t) })}>
          <Age ms={row().t} />
        </a>
      ),
    },
    { title: t("reorg.depth"), isNumber: true, cell: (row) => texts.count(row().depth) },
    {
      title: t("reorg.left"),
      cell: (row) => <HashLink kind="block" hash={row().oldTip} ends={4} />,
    },
    {
      title: t("reorg.came"),
      cell: (row) => <HashLink kind="block" hash={row().newTip} ends={4} />,
    },
    {
      title: t("reorg.fork"),
      isWide: true,
      cell: (row) => (
        <Show when={row().forkPoint} fallback={t("reorg.forkUnknown")}>
          {(hash) => <HashLink kind="block" hash={hash()} ends={4} />}
        </Show>
      ),
    },
  ];
  return (
    <Show when={props.reorgs.length > 0} fallback={<p class="note">{t("reorg.none")}</p>}>
      <DataTable caption={props.caption} columns={columns} rows={props.reorgs} />
    </Show>
  );
}
