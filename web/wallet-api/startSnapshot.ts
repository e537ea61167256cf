/** Initial state of the page, before the wallet worker has sent its first snapshot. */
import { AUTO_LOCK_USUAL } from "./autoLock.ts";
import type { Snapshot } from "./walletApi.ts";

/** The snapshot that is shown until the wallet worker has sent its first one. */
export function startSnapshot(url: string): Snapshot {
  return {
    access: "starting",
    core: { state: "loading", problem: null },
    problem: null,
    node: {
      url,
      state: "connecting",
      live: false,
      answerMs: null,
      network: null,
      tip: null,
      minesOnRequest: false,
      problem: null,
    },
    others: { asked: null, pays: url, words: [] },
    network: null,
    backupConfirmed: false,
    watchOnly: false,
    deviceUnlock: false,
    autoLock: AUTO_LOCK_USUAL,
    mergesNotes: false,
    recoverableHistory: null,
    otherTabPays: false,
    tabs: { following: false, activity: 0, holderEnded: false },
    wallets: { list: [], current: null, beside: null },
    wallet: null,
    send: null,
  };
}
