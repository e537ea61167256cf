/** Line of the settings: how long the open wallet waits for input before it locks itself. */
import { durationText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Choices } from "../../ui/Choices.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { AUTO_LOCKS, autoLockMs, type AutoLock } from "../../wallet-api/autoLock.ts";
import styles from "../settings/Settings.module.css";

/** The choice, which this wallet keeps. */
export function AutoLockChoice() {
  const { snapshot, wallet } = useWallet();
  const choosing = createTask((choice: AutoLock) => wallet.setAutoLock(choice));
  const options = AUTO_LOCKS.map((value) => ({
    value,
    text: durationText(autoLockMs(value) / 1_000),
  }));
  return (
    <div class={styles.line}>
      <p aria-hidden="true">{t("keys.lockAfter")}</p>
      <Choices
        label={t("keys.lockAfter")}
        options={options}
        value={snapshot.autoLock}
        onChange={(choice) => void choosing.run(choice)}
      />
      <ErrorNotice error={choosing.error()} />
    </div>
  );
}
