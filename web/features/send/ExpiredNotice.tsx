/** Component: the warning that the payee of a link wanted to be paid earlier, by the clock of this browser. */
import { Show } from "solid-js";
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { dateText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createNow } from "../../state/clock.ts";
import { Notice } from "../../ui/Notice.tsx";
import styles from "./Send.module.css";

/** The warning once the end has passed, announced when it comes; nothing without an end. */
export function ExpiredNotice(props: { expiresMs: TimestampMs | null }) {
  const now = createNow();
  const passed = () => {
    const end = props.expiresMs;
    return end !== null && end <= BigInt(now()) ? { end } : null;
  };
  return (
    <div class={styles.caution} role="status">
      <Show when={passed()}>
        {(found) => (
          <Notice kind="warning" title={t("expired.title")}>
            <p>{t("expired.text", { date: dateText(found().end) })}</p>
          </Notice>
        )}
      </Show>
    </div>
  );
}
