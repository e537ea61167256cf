import { For, Show, type JSX } from "solid-js";
import { countText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import type { ChainRows } from "./chainRows.ts";
import styles from "./DagStrip.module.css";
import { STRIP, stripLayout, stripWidth, type ChainSquare } from "./stripLayout.ts";

const COLUMNS = 24;

/** A picture of the newest chain blocks and what they merged. The list below says the same in words. */
export function DagStrip(props: { rows: ChainRows; children?: JSX.Element }) {
  const squares = () => stripLayout(props.rows, COLUMNS);
  const width = () => stripWidth(squares().length);
  return (
    <figure class={styles.figure}>
      <div class={styles.window}>
        <svg
          class={styles.strip}
          width={width()}
          height={STRIP.height}
          viewBox={`0 0 ${width()} ${STRIP.height}`}
          role="img"
          aria-label={t("blocks.strip")}
        >
          <For each={squares()}>
            {(square, index) => <Column square={square} first={index() === 0} />}
          </For>
        </svg>
      </div>
      <figcaption class={styles.legend}>
        <span>
          <i class={styles.swatch} data-kind="chain" />
          {t("blocks.stripLegendChain")}
        </span>
        <span>
          <i class={styles.swatch} data-kind="blue" />
          {t("blocks.stripLegendBlue")}
        </span>
        <span>
          <i class={styles.swatch} data-kind="red" />
          {t("blocks.stripLegendRed")}
        </span>
        {props.children}
      </figcaption>
    </figure>
  );
}

function Column(props: { square: ChainSquare; first: boolean }) {
  const corner = (side: number) => side / 2;
  const payments = () => props.square.row.applied.length;
  return (
    <g>
      <Show when={!props.first}>
        <path
          class={`${styles.edge} ${styles.chainEdge}`}
          d={`M${props.square.x - STRIP.step} ${STRIP.middle}H${props.square.x}`}
        />
      </Show>
      <For each={props.square.merged}>
        {(block) => (
          <>
            <path class={styles.edge} d={block.line} />
            <rect
              class={styles[block.color]}
              x={block.x - corner(STRIP.small)}
              y={block.y - corner(STRIP.small)}
              width={STRIP.small}
              height={STRIP.small}
              rx="4"
            />
          </>
        )}
      </For>
      <rect
        class={styles.chain}
        x={props.square.x - corner(STRIP.side)}
        y={STRIP.middle - corner(STRIP.side)}
        width={STRIP.side}
        height={STRIP.side}
        rx="6"
      />
      <Show when={payments() > 0}>
        <circle class={styles.mark} cx={props.square.x} cy={STRIP.middle} r="4" />
      </Show>
      <text class={styles.label} x={props.square.x} y={STRIP.height - 4}>
        {countText(props.square.row.index)}
      </text>
    </g>
  );
}
