/** `svc walletd change-secret`, `backup` and `restore`. What is secret is never read from their arguments, nor printed. */
import { randomBytes } from "node:crypto";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { asWalletToken, walletLabel } from "../../walletd/keys/walletToken.ts";
import { backupWallet, restoreWallet } from "../../walletd/tools/backupWallet.ts";
import { changeFolderSecret } from "../../walletd/tools/changeFolderSecret.ts";
import { readNamedFile, writeNamedFile } from "../../walletd/tools/foreignFile.ts";
import { requireFolder } from "../../walletd/tools/offlineFolder.ts";
import { WALLETD_LIMITS } from "../../walletd/walletdLimits.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { EXIT_STATUS } from "../program/exitStatus.ts";
import type { FolderFlags, WalletdCall } from "./parseWalletd.ts";
import type { WalletFolderOptions } from "./walletFolderOptions.ts";
import {
  knownPassphrase,
  newPassphrase,
  newWalletSecret,
  withWalletSecret,
  type SecretSources,
} from "./walletdSecrets.ts";

/** What a command on a wallet folder works with. */
export type SecretCommand = {
  readonly context: CommandContext;
  readonly folder: FolderFlags;
  readonly options: WalletFolderOptions;
  readonly sources: SecretSources;
};

type CallOf<C extends WalletdCall["command"]> = Extract<WalletdCall, { readonly command: C }>;

const TOKEN_BYTES = 16;

/** Changes the secret of the folder; the status is 1 when something was left as it was. */
export async function runChangeSecret(
  { context, folder, options, sources }: SecretCommand,
  { newSecretFile, plaintext }: Pick<CallOf<"change-secret">, "newSecretFile" | "plaintext">,
): Promise<number> {
  const { print, signal } = context;
  const { path, network, core } = options.partsWith(null);
  requireFolder(path);
  using next = plaintext ? null : await newWalletSecret(newSecretFile, sources);
  const report = await withWalletSecret(folder, sources, (from) => {
    const to = next === null ? "plaintext" : copyOf(next);
    return changeFolderSecret({ path, network, core, from, to, signal });
  });
  for (const { file, code } of report.left) print(`left as it was: ${file} [${code}]`);
  const done = plaintext ? "are in plaintext" : "are sealed under the new secret";
  print(`${report.changed} wallets ${done}`);
  return report.left.length === 0 ? EXIT_STATUS.fine : EXIT_STATUS.failed;
}

/** Prints the backup of a wallet, or writes it to a file. */
export async function runBackup(
  { context, folder, options, sources }: SecretCommand,
  { token, passphraseFile, out }: Pick<CallOf<"backup">, "token" | "passphraseFile" | "out">,
): Promise<number> {
  using passphrase = await newPassphrase(passphraseFile, sources);
  const text = await withWalletSecret(folder, sources, (secret) =>
    backupWallet(options.partsWith(secret), token, passphrase),
  );
  if (out === null) context.print(text.trimEnd());
  else {
    await writeNamedFile("--out", out, text);
    context.print(`the backup of ${walletLabel(token)} is in ${out}`);
  }
  return EXIT_STATUS.fine;
}

/** Makes a wallet of a backup; prints its address, and its token when that is a new one. */
export async function runRestore(
  { context, folder, options, sources }: SecretCommand,
  call: Pick<CallOf<"restore">, "file" | "token" | "passphraseFile">,
): Promise<number> {
  // In UTF-8 a character has at most four bytes.
  const bytes = await readNamedFile("FILE", call.file, WALLETD_LIMITS.backupChars * 4);
  const text = new TextDecoder().decode(bytes);
  using passphrase = await knownPassphrase(call.passphraseFile, sources);
  const token = call.token ?? asWalletToken(encodeHex(randomBytes(TOKEN_BYTES)));
  const address = await withWalletSecret(folder, sources, (secret) =>
    restoreWallet(options.partsWith(secret), token, { text, passphrase }),
  );
  context.print(`address  ${address}`);
  if (call.token === null) context.print(`token    ${token}`);
  return EXIT_STATUS.fine;
}

function copyOf(secret: Secret): Secret {
  return new Secret(secret.reveal((bytes) => bytes.slice()));
}
