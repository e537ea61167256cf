/** Page of the settings that is printed or copied: the seed with its check digits, its QR code, and the birthday. */
import { onCleanup, Show, untrack } from "solid-js";
import { dateText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { QrCode } from "../../ui/QrCode.tsx";
import type { BackupFacts } from "../../wallet-api/backupFacts.ts";
import { SeedGroups } from "../backup/Backup.tsx";
import { seedGroups } from "../backup/seedGroups.ts";
import { birthdayText } from "./birthdayText.ts";
import styles from "./PaperBackup.module.css";

/** What the page shows. */
export type Paper = { readonly seed: Uint8Array; readonly birthday: BackupFacts["birthday"] };

/** The page; it erases the seed when it goes. */
export function PaperBackup(props: { paper: Paper; onClose: () => void }) {
  const { snapshot } = useWallet();
  // When the page goes there are no properties to read any more.
  const seed = untrack(() => props.paper.seed);
  onCleanup(() => seed.fill(0));
  // A QR code is made of text: capitals make it smaller. The groups beside it are text on the page as well.
  const digits = () => seedGroups(seed).join("").toUpperCase();
  return (
    <article class={styles.paper} aria-label={t("paper.title")}>
      <h1 class={styles.title} tabindex={-1} ref={(title) => queueMicrotask(() => title.focus())}>
        {t("paper.title")}
      </h1>
      <div class={styles.screenOnly}>
        <Notice kind="warning">{t("paper.warning")}</Notice>
      </div>
      <SeedGroups seed={seed} hidden={false} />
      <div class={styles.below}>
        <QrCode text={digits()} label={t("paper.qr")} />
        <div class={styles.facts}>
          <Facts
            rows={[
              { label: t("paper.network"), value: snapshot.network?.name ?? "" },
              { label: t("paper.birthday"), value: birthdayText(props.paper.birthday) },
              { label: t("paper.made"), value: dateText(Date.now()) },
            ]}
          />
          <p class={styles.how}>{t("paper.how")}</p>
        </div>
      </div>
      <div class={`${styles.buttons} ${styles.screenOnly}`}>
        <Button onClick={() => props.onClose()}>{t("keys.close")}</Button>
        <Show when={typeof print === "function"}>
          <Button kind="primary" onClick={() => print()}>
            {t("paper.print")}
          </Button>
        </Show>
      </div>
    </article>
  );
}
