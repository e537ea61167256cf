/** Wallet folders of tests: a core whose key derivation costs nothing, and folders with the parts that a test leaves out. */
import { createHash } from "node:crypto";
import { Secret } from "@svc/shared/base/secret.ts";
import { loadCoreFile } from "../../../platform/files/wasmFiles.ts";
import { WalletFolder, type WalletCore, type WalletFolderParts } from "../walletFolder.ts";
import { asWalletToken, type WalletToken } from "../walletToken.ts";

const core = await loadCoreFile();

/** The time at which wallets of tests are made, in Unix seconds. */
export const MADE_UNIX = 1_790_000_000;
/** The network of tests, and its prefix. */
export const TEST_NETWORK: { readonly network: string; readonly hrp: string } = {
  network: "simnet",
  hrp: JSON.parse(core.builtInProfile("simnet")).hrp,
};
/** A token as clients make them. */
export const TOKEN: WalletToken = asWalletToken("0123456789abcdef0123456789abcdef");
/** The secret of tests. */
export const SECRET_TEXT = "correct horse battery";

/** The core as it is: a derivation takes some 50 ms. */
export const realCore: WalletCore = core;

/** The core with a hash in place of Argon2id, which counts how often it is asked. */
export function cheapCore(): WalletCore & { derivations: number } {
  const cheap = {
    derivations: 0,
    argon2id: (passphrase: Uint8Array, salt: Uint8Array, memory: number, passes: number) => {
      cheap.derivations += 1;
      const hash = createHash("sha256").update(salt).update(`${memory}/${passes}/`);
      return new Uint8Array(hash.update(passphrase).digest());
    },
    generateSeed: core.generateSeed,
    fullViewingKey: core.fullViewingKey,
    addressAt: core.addressAt,
    encodeAddress: core.encodeAddress,
  };
  return cheap;
}

/** A secret of a text. */
export function secretOf(text: string): Secret {
  return new Secret(new TextEncoder().encode(text));
}

/** The bytes of a secret. */
export function bytesOf(secret: Secret): Uint8Array {
  return secret.reveal((bytes) => bytes.slice());
}

/** Opens a folder under the secret of tests with a cheap core, but for what is given. */
export function openFolder(
  path: string,
  parts: Partial<WalletFolderParts> = {},
): Promise<WalletFolder> {
  return WalletFolder.open({
    ...TEST_NETWORK,
    path,
    core: cheapCore(),
    secret: secretOf(SECRET_TEXT),
    nowUnix: () => MADE_UNIX,
    ...parts,
  });
}
