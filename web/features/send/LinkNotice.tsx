/** Component: says that a payment link came from outside, from where, and what that means. */
import { Match, Switch } from "solid-js";
import { sentenceOf } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { LinkOffer } from "./createLinkOffer.ts";
import styles from "./Send.module.css";

/** What became of the link; nothing without one. */
export function LinkNotice(props: {
  offer: LinkOffer | null;
  onTake: () => void;
  onKeep: () => void;
}) {
  const of = (kind: "asks" | "filled") => {
    const { offer } = props;
    return offer !== null && offer.kind === kind ? offer : null;
  };
  const refused = () => (props.offer?.kind === "refused" ? props.offer : null);
  return (
    <div class={styles.link} aria-live="polite" data-testid="link">
      <Switch>
        <Match when={of("filled")}>
          {(offer) => (
            <Notice kind="info" title={t("link.filled")}>
              <p>
                {fromText(offer().from)} {t("link.check")}
              </p>
            </Notice>
          )}
        </Match>
        <Match when={of("asks")}>
          {(offer) => (
            <Notice kind="warning" title={t("link.asks")}>
              <p>
                {fromText(offer().from)} {t("link.replaces")}
              </p>
              <div class={styles.linkButtons}>
                <Button onClick={() => props.onTake()}>{t("link.take")}</Button>
                <Button onClick={() => props.onKeep()}>{t("link.keep")}</Button>
              </div>
            </Notice>
          )}
        </Match>
        <Match when={refused()}>
          {(offer) => (
            <Notice kind="error" title={t("link.refused")}>
              <p>
                {sentenceOf(offer().error)} {t("link.refusedText")}
              </p>
            </Notice>
          )}
        </Match>
      </Switch>
    </div>
  );
}

function fromText(from: string | null): string {
  return from === null ? t("link.fromOutside") : t("link.from", { origin: from });
}
