/** Component: the synchronisation status of the wallet as a badge. */
import type { WalletPhase, WalletStatus } from "@svc/shared/wallet/view/status.ts";
import { t, type PlainKey } from "../i18n/translate.ts";
import styles from "./SyncBadge.module.css";

const TEXTS: { readonly [P in WalletPhase]: PlainKey } = {
  locked: "status.opening",
  opening: "status.opening",
  offline: "status.offline",
  scanning: "status.scanning",
  "catching-up": "status.catchingUp",
  ready: "status.ready",
  degraded: "status.degraded",
};

const TONES: { readonly [P in WalletPhase]: "good" | "work" | "bad" } = {
  locked: "work",
  opening: "work",
  offline: "bad",
  scanning: "work",
  "catching-up": "work",
  ready: "good",
  degraded: "bad",
};

/** What the wallet is doing, in two words. */
export function SyncBadge(props: { status: WalletStatus }) {
  return (
    <span class={styles.badge} data-tone={TONES[props.status.phase]} role="status">
      <span class={styles.dot} aria-hidden="true" />
      {t(TEXTS[props.status.phase])}
    </span>
  );
}
