/** The keyring worker: no network, holds the seed while the wallet is open. */
import "./disposePolyfill.ts";
import { expose, transfer } from "comlink";
import * as glue from "../../wasm-core/pkg/core/core.js";
import { Keyring } from "../keyring/Keyring.ts";
import { installRpcErrors } from "./rpcErrors.ts";

installRpcErrors();
const keyring = new Keyring(glue, () => performance.now());

expose({
  connect: (engine: MessagePort) => expose(keyring.forEngine, engine),
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
});
