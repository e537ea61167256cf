/** Component: a button of words alone, inside a field or beside a heading. */
import styles from "../Send.module.css";

/** The button. `label` says more to those who do not see what it stands beside; it begins with the text. */
export function ToolButton(props: { text: string; label?: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class={styles.toolText}
      aria-label={props.label}
      onClick={() => props.onClick()}
    >
      {props.text}
    </button>
  );
}
