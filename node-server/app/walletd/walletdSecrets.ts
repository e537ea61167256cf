/** The secrets of the wallet commands: from options, files or the environment, else asked for at the terminal. */
import type { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readSecret, readWalletSecret, type SecretNames } from "../../walletd/keys/secretSource.ts";
import type { Environment } from "../options/readOptions.ts";
import type { FolderFlags } from "./parseWalletd.ts";
import { askTwice, type AskSecret } from "../program/promptSecret.ts";

const NEW_SECRET: SecretNames = {
  option: null,
  fileOption: "--new-wallet-secret-file",
  variable: "SVC_NEW_WALLET_SECRET",
};
const PASSPHRASE: SecretNames = {
  option: null,
  fileOption: "--passphrase-file",
  variable: "SVC_BACKUP_PASSPHRASE",
};

const WEBHOOK_SECRET: SecretNames = {
  option: null,
  fileOption: "--webhook-secret-file",
  variable: "SVC_WEBHOOK_SECRET",
};

/** Where secrets come from; `ask` is null where there is no terminal. */
export type SecretSources = { readonly env: Environment; readonly ask: AskSecret | null };

/**
 * Does work with the wallet secret, which the work owns. Where none was given and the folder turns out to be sealed, it is asked
 * for and the work done again: it must have changed nothing when it rejects with `wallet/no-secret`.
 */
export async function withWalletSecret<T>(
  { secret }: FolderFlags,
  { ask }: SecretSources,
  work: (secret: Secret | null) => Promise<T>,
): Promise<T> {
  const given = readWalletSecret(secret);
  try {
    return await work(given);
  } catch (error) {
    const isMissing = given === null && SvcError.is(error, "wallet/no-secret");
    if (!isMissing || ask === null) throw error;
    return await work(await ask("Wallet secret"));
  }
}

/** The secret to be. Rejects with `node/bad-option` when there is none and nobody to ask. */
export function newWalletSecret(file: string | undefined, sources: SecretSources): Promise<Secret> {
  return given(NEW_SECRET, file, sources, (ask) => askTwice(ask, "New wallet secret"));
}

/** The passphrase of a new backup. Rejects like `newWalletSecret`. */
export function newPassphrase(file: string | undefined, sources: SecretSources): Promise<Secret> {
  return given(PASSPHRASE, file, sources, (ask) => askTwice(ask, "Passphrase for the backup"));
}

/** The passphrase of a backup. Rejects like `newWalletSecret`. */
export function knownPassphrase(file: string | undefined, sources: SecretSources): Promise<Secret> {
  return given(PASSPHRASE, file, sources, (ask) => ask("Passphrase of the backup"));
}

/** The secret of the webhook's signatures, as text. Throws `node/bad-option` when there is none, and for one that is no text. */
export function webhookSecret(file: string | undefined, env: Environment): string {
  const { fileOption, variable } = WEBHOOK_SECRET;
  using found = readSecret(WEBHOOK_SECRET, { text: undefined, file, env });
  if (found === null) {
    const reason = `give it or set ${variable}: webhooks are signed`;
    throw new SvcError("node/bad-option", { option: fileOption, reason });
  }
  try {
    return found.reveal((bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // What the decoder says may show a part of it.
    throw new SvcError("node/bad-option", { option: fileOption, reason: "it is no text" });
  }
}

async function given(
  names: SecretNames,
  file: string | undefined,
  { env, ask }: SecretSources,
  question: (ask: AskSecret) => Promise<Secret>,
): Promise<Secret> {
  const found = readSecret(names, { text: undefined, file, env });
  if (found !== null) return found;
  if (ask !== null) return await question(ask);
  const reason = `give it or set ${names.variable}: there is no terminal to ask at`;
  throw new SvcError("node/bad-option", { option: names.fileOption, reason });
}
