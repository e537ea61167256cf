/** Component: an amount of money. */
import { Show } from "solid-js";
import { amountParts, unitText } from "../i18n/format.ts";
import styles from "./Amount.module.css";

/** An amount of money; `sign` puts a plus before what comes in and a minus before what leaves. */
export function Amount(props: {
  value: bigint;
  unit?: boolean;
  sign?: "+" | "−" | "";
  /** The one large number of a screen: its fraction is set smaller. */
  large?: boolean;
}) {
  const parts = () => amountParts(props.value);
  return (
    <span class={styles.amount} data-large={props.large === true}>
      {props.sign}
      {parts().whole}
      <span class={styles.fraction}>{parts().fraction}</span>
      <Show when={props.unit !== false}>
        <span class={styles.unit}>{unitText(props.value)}</span>
      </Show>
    </span>
  );
}
