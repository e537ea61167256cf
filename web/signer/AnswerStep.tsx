/** Step of the signer page: the signatures as codes. */
import type { UrEncoder } from "@svc/shared/signer/airgap/urEncoder.ts";
import { t } from "../i18n/translate.ts";
import { AnimatedQr } from "../ui/AnimatedQr.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import styles from "./Signer.module.css";

/** Shows the signatures until the other device has them. */
export function AnswerStep(props: { frames: UrEncoder; onNext: () => void }) {
  const text = () =>
    Array.from({ length: props.frames.count }, (_, at) => props.frames.frame(at + 1)).join("\n");
  return (
    <Card title={t("signer.answerTitle")}>
      <p class={styles.text}>{t("signer.answerText")}</p>
      <div class={styles.middle}>
        <AnimatedQr
          frame={(sequence) => props.frames.frame(sequence)}
          count={props.frames.count}
          label={t("signer.answerQr")}
        />
      </div>
      <div class={styles.actions}>
        <CopyButton text={text()} label={t("signer.answerCopy")} />
        <Button kind="primary" onClick={() => props.onNext()}>
          {t("signer.next")}
        </Button>
      </div>
    </Card>
  );
}
