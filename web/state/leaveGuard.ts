/** Guard against leaving the page during a payment (`beforeunload`, screen wake lock). */
import { createEffect, onCleanup } from "solid-js";
import { isPaying } from "./isPaying.ts";
import type { WalletClient } from "./walletClient.ts";

/** While a payment of this tab is on its way: asks before the page is closed, and keeps the screen awake. */
export function createLeaveGuard(client: WalletClient): void {
  createEffect(() => {
    if (!isPaying(client.snapshot) || client.snapshot.tabs.following) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    // Refused without a battery to spare, or where there is no screen: the proof goes on anyway.
    const awake = navigator.wakeLock?.request("screen").catch(() => null);
    onCleanup(() => {
      removeEventListener("beforeunload", ask);
      void awake?.then((lock) => lock?.release());
    });
  });
}
