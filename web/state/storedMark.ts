/**
 * Mark that this browser has stored a wallet of this page. Browsers remove a store as a whole, when their disk is full for
 * one, and then nothing else tells a removed wallet from none. The mark says nothing about the wallet.
 */
const KEY = "svc.wallet";

/** Sets the mark, once a wallet is stored, or removes it with the wallet. */
export function markStored(isStored: boolean): void {
  try {
    if (isStored) localStorage.setItem(KEY, "stored");
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is refused: a removed wallet looks like none.
  }
}

/** Whether the mark is set. */
export function isMarkedStored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
