import { onCleanup } from "solid-js";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { isPaying } from "./isPaying.ts";
import type { WalletClient } from "./WalletClient.ts";

const SIGNS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
const LOOK_EVERY_MS = 5_000;

/** Locks the wallet after a time without input, but not in the middle of a payment. */
export function createIdleLock(client: WalletClient): void {
  let lastInput = Date.now();
  const touch = () => {
    lastInput = Date.now();
  };
  for (const sign of SIGNS) addEventListener(sign, touch, { passive: true });
  const timer = setInterval(() => {
    if (isPaying(client.snapshot)) touch();
    if (Date.now() - lastInput >= LIMITS.walletIdleLockMs) void client.lock();
  }, LOOK_EVERY_MS);
  onCleanup(() => {
    clearInterval(timer);
    for (const sign of SIGNS) removeEventListener(sign, touch);
  });
}
