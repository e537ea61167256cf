/** Component: lets the browser open payment links with this wallet. */
import { createSignal, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { hrefOf } from "../../state/router.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import styles from "./Settings.module.css";

/** The card; nothing where the browser has no such registration. */
export function PaymentLinks() {
  const { snapshot } = useWallet();
  const [asked, setAsked] = createSignal(false);
  const scheme = () => `web+${snapshot.network?.hrp ?? ""}`;
  const register = () => {
    const page = `${location.origin}${location.pathname}${hrefOf("send")}?payment=%s`;
    navigator.registerProtocolHandler(scheme(), page);
    setAsked(true);
  };
  return (
    <Show when={"registerProtocolHandler" in navigator && snapshot.network !== null}>
      <Card title={t("links.title")}>
        <div class={styles.line}>
          <p>{t("links.text", { scheme: scheme() })}</p>
          <Button onClick={register}>{t("links.set")}</Button>
        </div>
        <p role="status" class={styles.text}>
          <Show when={asked()}>{t("links.asked")}</Show>
        </p>
      </Card>
    </Show>
  );
}
