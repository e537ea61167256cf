/** RPC interface of the keyring worker: the page's calls, and the one channel that it opens for the wallet worker. */
import { transfer } from "comlink";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Keyring } from "./keyring.ts";
import type { KeyringForWallet } from "../wallet-api/keyringApi.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";

/** Offers `api` on a port. */
export type OpenPort = (api: KeyringForWallet, port: MessagePort) => void;

/**
 * The calls over a keyring. `connect` works once: a script that was injected into the page later cannot open a second
 * channel to the keys. It throws `internal/unexpected` then.
 */
export function keyringCalls(keyring: Keyring, openPort: OpenPort) {
  let connected = false;
  return {
    connect(wallet: MessagePort): void {
      if (connected) {
        throw new SvcError("internal/unexpected", { message: "the keyring has its wallet" });
      }
      connected = true;
      openPort(keyring.forWallet, wallet);
    },
    create: async (...request: Parameters<Keyring["create"]>) => {
      const made = await keyring.create(...request);
      return transfer(made, [made.seed.buffer]);
    },
    watch: (...request: Parameters<Keyring["watch"]>) => keyring.watch(...request),
    unlock: (...request: Parameters<Keyring["unlock"]>) => keyring.unlock(...request),
    confirm: (...request: Parameters<Keyring["confirm"]>) => keyring.confirm(...request),
    addDevice: (...request: Parameters<Keyring["addDevice"]>) => keyring.addDevice(...request),
    deviceQuestion: (vault: VaultRecord) => keyring.deviceQuestion(vault),
    unlockByDevice: (...request: Parameters<Keyring["unlockByDevice"]>) =>
      keyring.unlockByDevice(...request),
    reveal: async (...request: Parameters<Keyring["reveal"]>) => {
      const seed = await keyring.reveal(...request);
      return transfer(seed, [seed.buffer]);
    },
    backUp: async (...request: Parameters<Keyring["backUp"]>) => {
      const file = await keyring.backUp(...request);
      return transfer(file, [file.buffer]);
    },
    exportKey: async (...request: Parameters<Keyring["exportKey"]>) => {
      const key = await keyring.exportKey(...request);
      return transfer(key, [key.buffer]);
    },
    signMessage: (...request: Parameters<Keyring["signMessage"]>) =>
      keyring.signMessage(...request),
    restoreFile: (...request: Parameters<Keyring["restoreFile"]>) =>
      keyring.restoreFile(...request),
    changePassphrase: (...request: Parameters<Keyring["changePassphrase"]>) =>
      keyring.changePassphrase(...request),
    pauseMs: () => keyring.pauseMs(),
    lock: () => keyring.lock(),
  };
}
