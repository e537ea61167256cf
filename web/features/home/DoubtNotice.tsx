/** Component: the notice about a node that contradicts the chain's work, or does not show it, with the buttons that help. */
import { Show } from "solid-js";
import type { WalletView } from "../../wallet-api/walletApi.ts";
import { t } from "../../i18n/translate.ts";
import { createNow } from "../../state/clock.ts";
import { NODE_HREF } from "../../state/router.ts";
import { useWallet } from "../../state/walletContext.ts";
import { LinkButton } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { doubtTexts } from "./doubtTexts.ts";
import styles from "./Home.module.css";
import { RescanButton } from "./ProblemNotice.tsx";

/** What the node was found at, and what stays proved; nothing when there is no doubt. */
export function DoubtNotice(props: { wallet: Pick<WalletView, "evidence" | "asOf"> }) {
  const { snapshot } = useWallet();
  const now = createNow();
  const texts = () =>
    doubtTexts(props.wallet.evidence, { asOfMs: props.wallet.asOf.timestamp, nowMs: now() });
  return (
    <Show when={texts()}>
      {(words) => (
        <Notice kind={words().isContradiction ? "error" : "warning"} title={words().title}>
          <p>{words().text}</p>
          <p data-testid="proved">{words().proved}</p>
          <div class={styles.helps}>
            <Show when={!snapshot.tabs.following && words().isOfNode}>
              <LinkButton href={NODE_HREF}>{t("doubt.ask")}</LinkButton>
            </Show>
            <Show when={words().isContradiction}>
              <RescanButton />
            </Show>
          </div>
        </Notice>
      )}
    </Show>
  );
}
