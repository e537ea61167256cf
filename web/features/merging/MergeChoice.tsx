/** Card of the settings: whether notes may be merged in the background. */
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { amountText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Card } from "../../ui/Card.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import styles from "../settings/Settings.module.css";

/** The choice, which this wallet keeps; off until its owner allows it. */
export function MergeChoice() {
  const { snapshot, wallet } = useWallet();
  const choosing = createTask((on: boolean) => wallet.setMergesNotes(on));
  const slots = () => ({
    above: String(WALLET_LIMITS.mergeBackgroundAbove),
    fee: amountText(asSompi(WALLET_LIMITS.mergeBackgroundFee)),
  });
  return (
    <Card title={t("merge.settings")}>
      <label class={styles.consent}>
        <input
          type="checkbox"
          checked={snapshot.mergesNotes}
          onChange={(event) => void choosing.run(event.currentTarget.checked)}
        />
        <span>{t("merge.auto")}</span>
      </label>
      <p class={styles.text}>{t("merge.autoText", slots())}</p>
      <p class={styles.text}>{t("merge.autoPrivacy")}</p>
      <ErrorNotice error={choosing.error()} />
    </Card>
  );
}
