/** Keyring for page tests: the worker's own code, with a key stretching and pauses that take no time. */
import * as glue from "../../../../wasm-core/pkg/core/core.js";
import { Keyring } from "../../../keyring/keyring.ts";
import { cheapArgon2id } from "../../../keyring/testkit/cheapArgon2id.ts";
import { coreModule } from "../../../node/wasmModules.ts";

/** The passphrase of wallets of page tests. */
export const PASSPHRASE = "four unrelated words here";

/** Makes one over the core, with nothing open. */
export async function cheapKeyring(): Promise<Keyring> {
  const keyring = new Keyring({ ...glue, argon2id: cheapArgon2id }, () => 0);
  keyring.forWallet.init(await coreModule());
  return keyring;
}
