/** Component: the synchronisation status of the wallet as a badge. */
import type { WalletPhase } from "@svc/shared/wallet/view/status.ts";
import type { WalletView } from "../wallet-api/walletApi.ts";
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

/** What the wallet is doing, in two words. It is not up to date with a node that is in doubt. */
export function SyncBadge(props: { wallet: Pick<WalletView, "status" | "evidence"> }) {
  const phase = (): WalletPhase => {
    const { status, evidence } = props.wallet;
    return status.phase === "ready" && evidence.doubt !== null ? "degraded" : status.phase;
  };
  return (
    <span class={styles.badge} data-tone={TONES[phase()]} role="status">
      <span class={styles.dot} aria-hidden="true" />
      {t(TEXTS[phase()])}
    </span>
  );
}
