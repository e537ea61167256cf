/** Auto-lock: locks the wallet when its owner is idle. */
import { onCleanup } from "solid-js";
import { autoLockMs } from "../wallet-api/autoLock.ts";
import { isPaying } from "./isPaying.ts";
import type { WalletClient } from "./walletClient.ts";

const SIGNS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
const LOOK_EVERY_MS = 5_000;

/** Locks the wallet after the time without input that its owner chose, but not in the middle of a payment. */
export function createIdleLock(client: WalletClient): void {
  let lastInput = Date.now();
  const touch = () => {
    lastInput = Date.now();
  };
  for (const sign of SIGNS) addEventListener(sign, touch, { passive: true });
  const timer = setInterval(() => {
    if (isPaying(client.snapshot)) touch();
    if (Date.now() - lastInput >= autoLockMs(client.snapshot.autoLock)) void client.lock();
  }, LOOK_EVERY_MS);
  onCleanup(() => {
    clearInterval(timer);
    for (const sign of SIGNS) removeEventListener(sign, touch);
  });
}
