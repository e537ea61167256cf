import type { Snapshot } from "../engine/engineApi.ts";

/** What is shown until the engine has spoken. */
export function startSnapshot(url: string): Snapshot {
  return {
    access: "starting",
    problem: null,
    node: {
      url,
      state: "connecting",
      live: false,
      network: null,
      tip: null,
      minesOnRequest: false,
      problem: null,
    },
    network: null,
    backupConfirmed: false,
    otherTabPays: false,
    wallet: null,
    send: null,
  };
}
