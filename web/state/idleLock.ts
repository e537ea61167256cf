/** Auto-lock: locks the wallet when its owner is idle, in every tab. */
import { onCleanup } from "solid-js";
import { autoLockMs } from "../wallet-api/autoLock.ts";
import { isPaying } from "./isPaying.ts";
import type { WalletClient } from "./walletClient.ts";

const SIGNS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
const LOOK_EVERY_MS = 5_000;

/** What the lock needs of the client. */
type IdleClient = Pick<WalletClient, "snapshot" | "lock"> & {
  readonly wallet: { readonly noteActivity: () => unknown };
};

/**
 * Locks the wallet after the time without input that its owner chose, but not in the middle of a payment. A tab that only follows tells
 * the one with the wallet of its input.
 */
export function createIdleLock(client: IdleClient): void {
  let lastInput = Date.now();
  let lastLook = lastInput;
  let lastActivity = client.snapshot.tabs.activity;
  const touch = () => {
    lastInput = Date.now();
  };
  for (const sign of SIGNS) addEventListener(sign, touch, { passive: true });
  const timer = setInterval(() => {
    if (client.snapshot.tabs.following) {
      if (lastInput > lastLook) void client.wallet.noteActivity();
      lastLook = Date.now();
      return;
    }
    const { activity } = client.snapshot.tabs;
    if (isPaying(client.snapshot) || activity !== lastActivity) touch();
    lastActivity = activity;
    if (Date.now() - lastInput >= autoLockMs(client.snapshot.autoLock)) void client.lock();
  }, LOOK_EVERY_MS);
  onCleanup(() => {
    clearInterval(timer);
    for (const sign of SIGNS) removeEventListener(sign, touch);
  });
}
