/** Card of the settings: whether payments can be read back from the chain after a restore. */
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Card } from "../../ui/Card.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import styles from "../settings/Settings.module.css";

/** The choice, which this wallet keeps; off until its owner turns it on. */
export function ReadBackChoice() {
  const { snapshot, wallet } = useWallet();
  const choosing = createTask((on: boolean) => wallet.setRecoverableHistory(on));
  return (
    <Card title={t("readBack.title")}>
      <label class={styles.consent}>
        <input
          type="checkbox"
          checked={snapshot.recoverableHistory === true}
          onChange={(event) => void choosing.run(event.currentTarget.checked)}
        />
        <span>{t("readBack.choice")}</span>
      </label>
      <p class={styles.text}>{t("readBack.text")}</p>
      <p class={styles.text}>{t("readBack.cost")}</p>
      <ErrorNotice error={choosing.error()} />
    </Card>
  );
}
