/** Component: a description list of labels and values. */
import { For, type JSX } from "solid-js";
import styles from "./Facts.module.css";

/** One line of a list of facts. */
export type Fact = {
  readonly label: string;
  readonly value: JSX.Element;
  /** Hashes. */
  readonly mono?: boolean;
  /** On a line of its own below its label: addresses. */
  readonly wide?: boolean;
};

/** Labels and values, line by line. */
export function Facts(props: { rows: readonly Fact[] }) {
  return (
    <dl class={styles.facts}>
      <For each={props.rows}>
        {(row) => (
          <div class={styles.row} data-wide={row.wide === true}>
            <dt class={styles.label}>{row.label}</dt>
            <dd class={styles.value} classList={{ mono: row.mono === true }}>
              {row.value}
            </dd>
          </div>
        )}
      </For>
    </dl>
  );
}
