/** Where secrets come from: an option, a file, or the environment, in this order. */
import { closeSync, openSync, readSync } from "node:fs";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** The variable that may hold the secret. */
export const SECRET_VARIABLE = "SVC_WALLET_SECRET";

/** What a daemon says at its start when it has no secret. */
export const PLAINTEXT_WARNING =
  "No wallet secret was given: seeds are stored in plaintext, readable by this user and by whoever copies the folder. Seal them with --wallet-secret-file FILE or SVC_WALLET_SECRET.";

/** What was given. */
export type SecretSource = {
  /** `--wallet-secret`. */
  readonly text: string | undefined;
  /** `--wallet-secret-file`, or the like. */
  readonly file: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What a secret is called where it is given. `option: null`: it is never written on a command line. */
export type SecretNames = {
  readonly option: string | null;
  readonly fileOption: string;
  readonly variable: string;
};

const WALLET_SECRET: SecretNames = {
  option: "--wallet-secret",
  fileOption: "--wallet-secret-file",
  variable: SECRET_VARIABLE,
};

/** The wallet secret. Throws as `readSecret`. */
export function readWalletSecret(source: SecretSource): Secret | null {
  return readSecret(WALLET_SECRET, source);
}

/**
 * A secret as UTF-8, or null when none was given. Of a file one line break at its end does not count. Throws `node/bad-option`
 * for an empty secret, for a file that cannot be read or is too long, and when both options were given.
 */
export function readSecret(
  { option, fileOption, variable }: SecretNames,
  { text, file, env }: SecretSource,
): Secret | null {
  if (option !== null && text !== undefined) {
    if (file !== undefined) throw badOption(fileOption, `${option} was given too`);
    return ofText(option, text);
  }
  if (file !== undefined) return ofFile(fileOption, file);
  const value = env[variable];
  return value === undefined ? null : ofText(variable, value);
}

function ofText(option: string, text: string): Secret {
  if (text === "") throw badOption(option, "it is empty");
  return new Secret(new TextEncoder().encode(text));
}

function ofFile(option: string, path: string): Secret {
  const most = WALLETD_LIMITS.secretFileBytes;
  // One byte more tells a file that is too long.
  const bytes = new Uint8Array(most + 1);
  try {
    const length = readUpTo(option, path, bytes);
    if (length > most) throw badOption(option, `it has more than ${most} bytes`);
    const end = lineEnd(bytes.subarray(0, length));
    if (end === 0) throw badOption(option, "it is empty");
    return new Secret(bytes.slice(0, end));
  } finally {
    bytes.fill(0);
  }
}

/** Reads until the buffer is full: the file may be a pipe, which gives its bytes in parts. */
function readUpTo(option: string, path: string, bytes: Uint8Array): number {
  let file: number | undefined;
  let length = 0;
  try {
    file = openSync(path, "r");
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    return length;
  } catch (error) {
    throw badOption(option, error instanceof Error ? error.message : String(error));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function lineEnd(bytes: Uint8Array): number {
  const [last, before] = [bytes.at(-1), bytes.at(-2)];
  if (last !== 0x0a) return bytes.length;
  return bytes.length - (before === 0x0d ? 2 : 1);
}

function badOption(option: string, reason: string): SvcError {
  return new SvcError("node/bad-option", { option, reason });
}
