/** Component: the text of a signed message, line by line, and without what would turn the text around it. */
import { plainText } from "../../i18n/plainText.ts";
import styles from "./Messages.module.css";

/** The text. */
export function MessageShown(props: { text: string }) {
  return (
    <span class={styles.message} dir="auto">
      {plainText(props.text)}
    </span>
  );
}
