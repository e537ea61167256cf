/** Card of the first screen: asks once, after the first payment, whether payments shall be readable after a restore. */
import { Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { isPaying } from "../../state/isPaying.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import type { WalletView } from "../../wallet-api/walletApi.ts";
import styles from "../merging/MergeCard.module.css";

/** The offer, with its cost; nothing once either answer was given, and nothing for a wallet that has not paid. */
export function ReadBackOffer(props: { wallet: WalletView }) {
  const { snapshot, wallet } = useWallet();
  const choosing = createTask((on: boolean) => wallet.setRecoverableHistory(on));
  const isOffered = () =>
    snapshot.recoverableHistory === null &&
    !snapshot.watchOnly &&
    !snapshot.tabs.following &&
    !isPaying(snapshot) &&
    props.wallet.recent.some(({ kind }) => kind === "sent");
  return (
    <Show when={isOffered()}>
      <Card title={t("readBack.title")}>
        <div class={styles.offer}>
          <p>{t("readBack.text")}</p>
          <p>{t("readBack.cost")}</p>
          <div class={styles.actions}>
            <Button busy={choosing.busy()} onClick={() => void choosing.run(true)}>
              {t("readBack.yes")}
            </Button>
            <Button busy={choosing.busy()} onClick={() => void choosing.run(false)}>
              {t("readBack.no")}
            </Button>
          </div>
        </div>
        <ErrorNotice error={choosing.error()} />
      </Card>
    </Show>
  );
}
