/** Component: the last step of a dialog about keys, which says that it is done. */
import type { JSX } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import styles from "../settings/Settings.module.css";

/** The step, with `children` below its text; its button closes the dialog and has the keyboard's place. */
export function DoneStep(props: { text: string; children?: JSX.Element; onClose: () => void }) {
  return (
    <>
      <div class={styles.form} role="status">
        <Notice kind="good">{props.text}</Notice>
        {props.children}
      </div>
      <div class={styles.buttons}>
        <Button kind="primary" autofocus onClick={() => props.onClose()}>
          {t("keys.close")}
        </Button>
      </div>
    </>
  );
}
