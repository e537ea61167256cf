/** The calls of the keyring worker: the page's, and the one door that it opens for the engine. */
import { transfer } from "comlink";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Keyring } from "./Keyring.ts";
import type { KeyringForEngine } from "./keyringApi.ts";

/** Offers `api` on a port. */
export type OpenPort = (api: KeyringForEngine, port: MessagePort) => void;

/**
 * The calls over a keyring. `connect` works once: a script that got into the page later cannot open a second door to
 * the keys. It throws `internal/unexpected` then.
 */
export function keyringCalls(keyring: Keyring, openPort: OpenPort) {
  let connected = false;
  return {
    connect(engine: MessagePort): void {
      if (connected) {
        throw new SvcError("internal/unexpected", { message: "the keyring has its engine" });
      }
      connected = true;
      openPort(keyring.forEngine, engine);
    },
    create: async (...request: Parameters<Keyring["create"]>) => {
      const made = await keyring.create(...request);
      return transfer(made, [made.seed.buffer]);
    },
    unlock: (...request: Parameters<Keyring["unlock"]>) => keyring.unlock(...request),
    reveal: async (...request: Parameters<Keyring["reveal"]>) => {
      const seed = await keyring.reveal(...request);
      return transfer(seed, [seed.buffer]);
    },
    pauseMs: () => keyring.pauseMs(),
    lock: () => keyring.lock(),
  };
}
