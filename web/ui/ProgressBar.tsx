/** Component: a progress bar. */
import styles from "./ProgressBar.module.css";

/** How far something has come, 0 to 1; unknown when null. */
export function ProgressBar(props: { label: string; value: number | null }) {
  return (
    <progress
      class={styles.bar}
      aria-label={props.label}
      max={1}
      {...(props.value === null ? {} : { value: props.value })}
    />
  );
}
