/** Card of the settings: the way to the room of signed messages. */
import { t } from "../../i18n/translate.ts";
import { MESSAGES_HREF } from "../../state/router.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import styles from "../settings/Settings.module.css";

/** The card. */
export function MessagesCard() {
  return (
    <Card title={t("messages.title")}>
      <div class={styles.line}>
        <p>{t("messages.text")}</p>
        <Button onClick={() => (location.hash = MESSAGES_HREF)}>{t("messages.open")}</Button>
      </div>
    </Card>
  );
}
