/** Component of the settings: what the node has shown of the chain's work, and what was found at it. */
import type { ShownBlock } from "@svc/shared/wallet/view/shownChain.ts";
import type { WalletView } from "../../wallet-api/walletApi.ts";
import { dateText, workTimeText } from "../../i18n/format.ts";
import { sentenceOf } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { Card } from "../../ui/Card.tsx";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import styles from "./Settings.module.css";

/** How far the chain is proved, under how much work, and when its newest block was made. */
export function NodeShown(props: { wallet: WalletView }) {
  const rows = (): readonly Fact[] => {
    const { asOf, evidence } = props.wallet;
    const tip = asOf.timestamp === 0n ? t("shown.none") : dateText(asOf.timestamp);
    const shown: Fact[] = [
      { label: t("shown.far"), value: shownText(evidence.far) },
      { label: t("shown.near"), value: shownText(evidence.near) },
      { label: t("shown.tip"), value: tip },
    ];
    if (evidence.doubt !== null) {
      shown.push({ label: t("shown.fault"), value: sentenceOf(evidence.doubt) });
    }
    return shown;
  };
  return (
    <Card title={t("shown.title")}>
      <p class={styles.text}>{t("shown.text")}</p>
      <Facts rows={rows()} />
    </Card>
  );
}

function shownText(shown: ShownBlock | null): string {
  if (shown === null) return t("shown.none");
  const { backing, chainIndex: block } = shown;
  if (backing.kind === "work")
    return t("shown.blockWork", { time: workTimeText(backing.ms), block });
  return t(backing.kind === "unmeasured" ? "shown.unmeasured" : "shown.blockNoWork", { block });
}
