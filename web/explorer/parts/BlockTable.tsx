/** Component: blocks of the graph as a table, the newest first. */
import { Show } from "solid-js";
import { createHeld } from "../live/createHeld.ts";
import type { RestDocument } from "../live/restDocument.ts";
import { Age } from "./Age.tsx";
import { ColorBadge } from "./ColorBadge.tsx";
import { DataTable, type Column } from "./DataTable.tsx";
import { HashLink } from "./HashLink.tsx";
import { useFrame } from "../frame/pageFrame.ts";

type ListedBlock = RestDocument<"recentBlocks">[number];

/** The table. It stands still while it is read. */
export function BlockTable(props: { caption: string; blocks: RestDocument<"recentBlocks"> }) {
  const { texts } = useFrame();
  const held = createHeld<ListedBlock>(
    () => props.blocks,
    (block) => block.block_hash,
  );
  const columns: readonly Column<ListedBlock>[] = [
    {
      title: texts.t("block.block"),
      cell: (row) => <HashLink kind="block" hash={row().block_hash} />,
    },
    {
      title: texts.t("block.place"),
      cell: (row) => <ColorBadge color={row().color} isChainBlock={row().isChainBlock} />,
    },
    {
      title: texts.t("block.daaScore"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(row().daaScore),
    },
    {
      title: texts.t("block.blueScore"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(row().blueScore),
    },
    {
      title: texts.t("block.payments"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(Math.max(0, row().txCount - 1)),
    },
    { title: texts.t("block.age"), cell: (row) => <Age ms={Number(row().timestamp)} /> },
  ];
  return (
    <div
      data-testid="live-blocks"
      onFocusIn={held.hold}
      onPointerEnter={held.hold}
      onFocusOut={held.follow}
      onPointerLeave={held.follow}
    >
      <DataTable
        caption={props.caption}
        columns={columns}
        rows={held.rows()}
        keyOf={(block) => block.block_hash}
      />
      <p class="note held">
        <Show when={held.waiting() > 0} fallback={"\u00a0"}>
          {texts.t("blocks.held", { count: held.waiting() })}
        </Show>
      </p>
    </div>
  );
}
