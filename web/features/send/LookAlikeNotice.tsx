/** Component: looks at a payee's address while it is typed, and warns of one that only looks like a known one. */
import { createEffect, createSignal, on } from "solid-js";
import type { KnownAddress } from "@svc/shared/wallet/plan/lookAlike.ts";
import { useWallet } from "../../state/walletContext.ts";
import { LookAlikeWarning } from "./LookAlikeWarning.tsx";
import styles from "./Send.module.css";

/** The warning beside a field, announced when it comes. An answer to an older text is dropped. */
export function LookAlikeNotice(props: { address: string }) {
  const { wallet } = useWallet();
  const [known, setKnown] = createSignal<KnownAddress | null>(null);
  let asked = 0;
  const look = async (address: string): Promise<void> => {
    asked += 1;
    const number = asked;
    setKnown(null);
    if (address.trim() === "") return;
    // Locked meanwhile: this form goes with the wallet.
    const found = await wallet.lookAlike(address).catch(() => null);
    if (asked === number) setKnown(found);
  };
  createEffect(
    on(
      () => props.address,
      (address) => void look(address),
    ),
  );
  return (
    <div class={styles.caution} role="status">
      <LookAlikeWarning known={known()} />
    </div>
  );
}
