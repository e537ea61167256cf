/** Dialog: confirms a lock that would cancel a payment. */
import { t } from "../i18n/translate.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import styles from "./LockDialog.module.css";

/** Asks before a lock ends a payment that is being prepared. */
export function LockDialog(props: { onStay: () => void; onLock: () => void }) {
  return (
    <Dialog title={t("lock.title")} onClose={props.onStay}>
      <p>{t("lock.text")}</p>
      <div class={styles.buttons}>
        <Button kind="danger" onClick={() => props.onLock()}>
          {t("lock.confirm")}
        </Button>
        <Button kind="primary" onClick={() => props.onStay()}>
          {t("lock.stay")}
        </Button>
      </div>
    </Dialog>
  );
}
