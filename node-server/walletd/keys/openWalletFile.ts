/** Reading and opening of wallet files of either form, with the errors that tell a wrong secret from damage. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { DerivedKeys, Kdf } from "./derivedKeys.ts";
import { openReferenceWallet, readReferenceWallet } from "./referenceFile.ts";
import {
  isOwnWallet,
  openOwnWallet,
  readOwnWallet,
  type ParsedWallet,
  type WalletContent,
} from "./walletFile.ts";
import type { WalletToken } from "./walletToken.ts";

/** Whose file it is, and what stands for it in errors. */
export type FileOwner = { readonly token: WalletToken; readonly label: string };

/** The secret at hand, and the salt of the folder whose secret it is known to be. */
export type OpeningKeys = { readonly keys: DerivedKeys; readonly folderKdf: Kdf | null };

/** Reads a wallet file. Throws `wallet/file-damaged`, `wallet/file-version`. */
export function parseWalletFile(bytes: Uint8Array, label: string): ParsedWallet {
  let text: string;
  let json: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw new SvcError("wallet/file-damaged", { file: label, reason: "it is no JSON" });
  }
  return isOwnWallet(json) ? readOwnWallet(json, text, label) : readReferenceWallet(json, label);
}

/**
 * Opens a wallet file. Throws `wallet/no-secret` for a sealed one without a secret, `wallet/wrong-secret` when it is sealed under
 * another, `wallet/file-damaged` when it has the folder's own salt and does not open all the same.
 */
export function openWalletFile(
  parsed: ParsedWallet,
  { token, label }: FileOwner,
  secret: OpeningKeys | null,
): WalletContent {
  const { sealing } = parsed;
  if (sealing !== null && secret === null) throw new SvcError("wallet/no-secret", {});
  const key = sealing === null || secret === null ? null : secret.keys.keyOf(sealing);
  const content =
    parsed.form === "own"
      ? openOwnWallet(parsed, token, label, key)
      : openReferenceWallet(parsed, key);
  if (content !== null) return content;
  if (sealing !== null && sealing.salt === secret?.folderKdf?.salt) {
    throw new SvcError("wallet/file-damaged", { file: label, reason: "its bytes were changed" });
  }
  throw new SvcError("wallet/wrong-secret", { file: label });
}

/** Overwrites the keys of a content. */
export function eraseContent({ key, dataKey }: WalletContent): void {
  key.erase();
  dataKey?.erase();
}
