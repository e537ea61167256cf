/** Component of the block explorer: an SVG drawing of the newest part of the block DAG. */
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
            {(square, index) => <Edges square={square} first={index() === 0} />}
          </For>
          <For each={squares()}>{(square) => <Squares square={square} />}</For>
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

/** The lines of a column. All lines are drawn before all squares, so none crosses one. */
function Edges(props: { square: ChainSquare; first: boolean }) {
  return (
    <g>
      <For each={props.square.merged}>{(block) => <path class={styles.edge} d={block.line} />}</For>
      <Show when={!props.first}>
        <path
          class={`${styles.edge} ${styles.chainEdge}`}
          d={`M${props.square.x - STRIP.step} ${STRIP.middle}H${props.square.x}`}
        />
      </Show>
    </g>
  );
}

function Squares(props: { square: ChainSquare }) {
  return (
    <g>
      <For each={props.square.merged}>
        {(block) => <Square kind={block.color} x={block.x} y={block.y} side={STRIP.small} />}
      </For>
      <Square kind="chain" x={props.square.x} y={STRIP.middle} side={STRIP.side} />
      <Show when={props.square.row.applied.length > 0}>
        <circle class={styles.mark} cx={props.square.x} cy={STRIP.middle} r="4" />
      </Show>
      <text class={styles.label} x={props.square.x} y={STRIP.height - 4}>
        {countText(props.square.row.index)}
      </text>
    </g>
  );
}

function Square(props: { kind: "chain" | "blue" | "red"; x: number; y: number; side: number }) {
  return (
    <rect
      class={styles[props.kind]}
      x={props.x - props.side / 2}
      y={props.y - props.side / 2}
      width={props.side}
      height={props.side}
      rx={props.side * 0.28}
    />
  );
}
