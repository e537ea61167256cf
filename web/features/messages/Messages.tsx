/** Room of signed messages: signs a text in the name of an own address, and checks what others signed. */
import { onMount, Show } from "solid-js";
import type { WalletView } from "../../wallet-api/walletApi.ts";
import { t } from "../../i18n/translate.ts";
import { goTo } from "../../state/router.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Screen } from "../../ui/Card.tsx";
import styles from "../settings/Settings.module.css";
import { SignMessage } from "./SignMessage.tsx";
import { VerifyMessage } from "./VerifyMessage.tsx";

/** The room. A wallet that only watches has nothing to sign with. */
export function Messages(props: { wallet: WalletView }) {
  const { snapshot } = useWallet();
  let top: HTMLDivElement | undefined;
  onMount(() => {
    scrollTo(0, 0);
    top?.focus({ preventScroll: true });
  });
  return (
    <Screen title={t("messages.title")}>
      <div class={styles.line} ref={top} tabindex={-1}>
        <p class={styles.text}>{t("messages.text")}</p>
        <Button onClick={() => goTo("settings")}>{t("messages.back")}</Button>
      </div>
      <Show when={!snapshot.watchOnly}>
        <Card title={t("sign.title")}>
          <SignMessage wallet={props.wallet} />
        </Card>
      </Show>
      <Card title={t("verify.title")}>
        <VerifyMessage />
      </Card>
    </Screen>
  );
}
