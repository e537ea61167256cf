/** Component: the last step of a dialog about keys, which says that it is done. */
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import styles from "../settings/Settings.module.css";

/** The step; its button closes the dialog and has the keyboard's place. */
export function DoneStep(props: { text: string; onClose: () => void }) {
  return (
    <>
      <div role="status">
        <Notice kind="good">{props.text}</Notice>
      </div>
      <div class={styles.buttons}>
        <Button kind="primary" autofocus onClick={() => props.onClose()}>
          {t("keys.close")}
        </Button>
      </div>
    </>
  );
}
