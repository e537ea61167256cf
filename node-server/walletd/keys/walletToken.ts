/** Wallet tokens: the credential of a wallet, and the name of its files. */
import { createHash } from "node:crypto";
import type { Brand } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** A checked token. It holds no dot and no separator, so no token leads out of a folder or names a file of another kind. */
export type WalletToken = Brand<string, "WalletToken">;

const FORM = new RegExp(`^[A-Za-z0-9_-]{1,${WALLETD_LIMITS.tokenChars}}$`);
/** Hex digits of a label: enough to tell thousands of wallets apart, too few to find a token by. */
const LABEL_DIGITS = 8;

/** Checks foreign text as a token. Throws `wallet/bad-token`, which does not repeat the text: it may be a credential. */
export function asWalletToken(text: string): WalletToken {
  if (!isWalletToken(text)) throw new SvcError("wallet/bad-token", {});
  return text;
}

/** Whether a text has the form of a token. */
export function isWalletToken(text: string): text is WalletToken {
  return FORM.test(text);
}

/** The name of a wallet in logs and errors, `wallet-1a2b3c4d`: a token is a credential and appears in neither. */
export function walletLabel(token: WalletToken): string {
  const digest = createHash("sha256").update(`svc-walletd/label\0${token}`).digest("hex");
  return `wallet-${digest.slice(0, LABEL_DIGITS)}`;
}
