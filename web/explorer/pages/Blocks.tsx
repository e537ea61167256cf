/** Page: the newest blocks of the graph, and older ones behind them. */
import { Show } from "solid-js";
import { LIST_ROWS } from "@svc/shared/explorer/explorerPaths.ts";
import { BlockTable } from "../parts/BlockTable.tsx";
import { CoverageNote } from "../parts/CoverageNote.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";

/** The page. `before`: the cursor of the last block of the page before it. */
export function Blocks(props: { before: string | null }) {
  const frame = useFrame();
  const { t } = frame.texts;
  const path = () => recentPath(props.before);
  return (
    <>
      <div class="page-head">
        <h1>{t("blocks.title")}</h1>
        <p class="lead">{t("blocks.lead")}</p>
      </div>
      <Panel title={t(props.before === null ? "overview.newest" : "blocks.older")}>
        <WithDocument row="recentBlocks" path={path()} lines={24}>
          {(blocks) => (
            <>
              <BlockTable caption={t("blocks.title")} blocks={blocks()} />
              <p class="note">{t("blocks.places")}</p>
              <nav class="pager" aria-label={t("pager.label")}>
                <Show when={props.before !== null}>
                  <a href={hrefOf(frame, { kind: "blocks", before: null })}>{t("pager.newest")}</a>
                </Show>
                <Show when={blocks().length === LIST_ROWS && blocks().at(-1)}>
                  {(last) => (
                    <a
                      rel="next"
                      href={hrefOf(frame, {
                        kind: "blocks",
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
      </Panel>
      <CoverageNote />
    </>
  );
}

/** The path of a page of the list. */
export function recentPath(before: string | null): string {
  const path = `/blocks/recent?limit=${LIST_ROWS}`;
  return before === null ? path : `${path}&before=${before}`;
}
