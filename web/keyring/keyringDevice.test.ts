/** The keyring erases what a device gives it, whether it opens the wallet or not. */
import { ABI_VERSION } from "@svc/shared/core/loadCore.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { expect, test } from "vitest";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { passphraseBytes } from "../wallet-api/passphraseBytes.ts";
import { vaultIdOf } from "../wallet-api/vaultId.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";
import { Keyring } from "./keyring.ts";
import { cheapArgon2id } from "./testkit/cheapArgon2id.ts";
import { createVault } from "./vault.ts";

const PASSPHRASE = "correct horse battery";
const QUESTION = { credential: new Uint8Array(16).fill(1), prfSalt: new Uint8Array(32).fill(2) };
const ZEROS = new Uint8Array(32);
/** The smallest module that there is. */
const EMPTY = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));

/** A core of which the keyring uses the key derivation alone. */
const CORE: Readonly<Record<string, unknown>> = {
  initSync: () => ({ memory: new WebAssembly.Memory({ initial: 1 }) }),
  abiVersion: () => ABI_VERSION,
  argon2id: cheapArgon2id,
  fullViewingKey: () => new Uint8Array(96).fill(6),
};
const glue = new Proxy(
  {},
  {
    // A promise is kept with it: what has a `then` would be waited for.
    get: (_, name) => (name === "then" ? undefined : (CORE[String(name)] ?? (() => undefined))),
  },
);

function keyringWithCore(): Keyring {
  const keyring = new Keyring(glue, () => 0);
  keyring.forWallet.init(EMPTY);
  return keyring;
}

function newVault(): VaultRecord {
  const contents = {
    seed: new Secret(new Uint8Array(32).fill(5)),
    passphrase: new Secret(passphraseBytes(PASSPHRASE)),
    network: "ab".repeat(32),
  };
  return createVault(contents, cheapArgon2id, {
    memoryKib: PAGE_LIMITS.vaultKdfMemoryMinKib,
    passes: PAGE_LIMITS.vaultKdfPassesMin,
  }).record;
}

test("the device's secret opens the wallet, and is erased each time", async () => {
  const keyring = keyringWithCore();
  const plain = newVault();
  expect(keyring.deviceQuestion(plain)).toBeNull();

  const given = { secret: new Uint8Array(32).fill(7), passphrase: passphraseBytes(PASSPHRASE) };
  const vault = await keyring.addDevice(plain, { ...QUESTION, ...given });
  expect(given.secret).toEqual(ZEROS);
  expect(given.passphrase.every((byte) => byte === 0)).toBe(true);
  expect(keyring.deviceQuestion(vault)).toEqual(QUESTION);

  const wrong = new Uint8Array(32).fill(8);
  expect(await keyring.unlockByDevice(vault, wrong)).toBe(false);
  expect(wrong).toEqual(ZEROS);
  expect(() => keyring.forWallet.viewingKeys()).toThrow("wallet/locked");

  const right = new Uint8Array(32).fill(7);
  expect(await keyring.unlockByDevice(vault, right)).toBe(true);
  expect(right).toEqual(ZEROS);
  const open = keyring.forWallet.viewingKeys();
  expect(open.vaultId).toBe(vaultIdOf(plain));
  await keyring.unlock(plain, passphraseBytes(PASSPHRASE));
  expect(keyring.forWallet.viewingKeys()).toEqual(open);
});

test("a wrong passphrase or a damaged slot leaves no secret behind either", async () => {
  const keyring = keyringWithCore();
  const secret = new Uint8Array(32).fill(7);
  const request = { ...QUESTION, secret, passphrase: passphraseBytes("not the passphrase") };
  await expect(keyring.addDevice(newVault(), request)).rejects.toThrow("wallet/wrong-passphrase");
  expect(secret).toEqual(ZEROS);
  await expect(keyring.confirm(newVault(), passphraseBytes("not the passphrase"))).rejects.toThrow(
    "wallet/wrong-passphrase",
  );

  const deviceSlot = { header: "{", sealed: new Uint8Array(80) };
  const again = new Uint8Array(32).fill(7);
  await expect(keyring.unlockByDevice({ ...newVault(), deviceSlot }, again)).rejects.toThrow(
    "store/corrupt",
  );
  expect(again).toEqual(ZEROS);
});
