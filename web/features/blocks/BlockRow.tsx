/** Component of the block explorer: one row of the block list. */
import { createUniqueId, Show } from "solid-js";
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import { ageText, countText, shortId } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { BlockDetail } from "./BlockDetail.tsx";
import styles from "./Blocks.module.css";
import { mergedBeside, mintedBy } from "./chainRows.ts";

/** The row of one chain block; pressing it opens the block's details. */
export function BlockRow(props: {
  row: ChainFacts;
  nowMs: number;
  addressText: (recipient: string) => string;
  open: boolean;
  onToggle: () => void;
}) {
  const detailId = createUniqueId();
  const count = (color: "blue" | "red") =>
    mergedBeside(props.row).filter((block) => block.color === color).length;
  return (
    <li data-testid="chain-row" data-hash={props.row.hash}>
      <button
        type="button"
        class={styles.row}
        aria-expanded={props.open}
        aria-controls={props.open ? detailId : undefined}
        aria-label={t("blocks.details", { index: props.row.index })}
        onClick={() => props.onToggle()}
      >
        <span class={`${styles.index} number`}>{countText(props.row.index)}</span>
        <span class={`${styles.hash} mono`}>{shortId(props.row.hash)}</span>
        <span class={`${styles.chips} ${styles.mergedChips}`}>
          <Chip tone="blue" count={count("blue")} text={t("blocks.blue")} />
          <Chip tone="red" count={count("red")} text={t("blocks.red")} />
          <Show when={count("blue") + count("red") === 0}>
            <span class={styles.none}>{t("blocks.parentOnly")}</span>
          </Show>
        </span>
        <span class={`${styles.chips} ${styles.paymentChips}`}>
          <Show when={props.row.applied.length > 0}>
            <span class={styles.chip} data-tone="good">
              {t("blocks.applied", { count: props.row.applied.length })}
            </span>
          </Show>
          <Show when={props.row.dropped.length > 0}>
            <span class={styles.chip} data-tone="red">
              {t("blocks.dropped", { count: props.row.dropped.length })}
            </span>
          </Show>
        </span>
        <span class={styles.minted}>
          <Show when={mintedBy(props.row) > 0n}>
            <Amount value={mintedBy(props.row)} unit={false} sign="+" />
          </Show>
        </span>
        <span class={`${styles.age} number`}>{ageText(props.row.timestamp, props.nowMs)}</span>
        <span class={styles.chevron}>
          <Icon name="chevron" />
        </span>
      </button>
      <Show when={props.open}>
        <BlockDetail id={detailId} row={props.row} addressText={props.addressText} />
      </Show>
    </li>
  );
}

function Chip(props: { tone: "blue" | "red"; count: number; text: string }) {
  return (
    <Show when={props.count > 0}>
      <span class={styles.chip} data-tone={props.tone}>
        {countText(props.count)} {props.text}
      </span>
    </Show>
  );
}
