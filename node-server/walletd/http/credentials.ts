/** What opens the daemon to a request: the wallet's token, the bearer of the transport, and the custody gate. */
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Credential, RouteScope } from "@svc/shared/protocol/wallet/route.ts";
import { BearerHash } from "../../platform/http/bearerHash.ts";
import {
  isScopedCredential,
  ownerAccess,
  requireOwner,
  requireScope,
  type Access,
  type TokenBook,
} from "../spend/tokens/tokenBook.ts";
import { isWalletToken, type WalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** Header of the wallet's token. */
export const TOKEN_HEADER = "X-Wallet-Token";
/** The wallet of who sends no token, where the operator allows it. */
const DEFAULT_TOKEN = "default";

const token = v.custom<WalletToken>((sent) => typeof sent === "string" && isWalletToken(sent));

/** What a handler is given, by the credential of its row. */
export const TOKENS = {
  none: v.null(),
  "token-if-given": v.nullable(token),
  token,
  "token-and-custodial": token,
} as const satisfies Readonly<Record<Credential, v.GenericSchema>>;

/** The operator's rules. */
export type CredentialRules = {
  /** Whether a request without a token means the wallet `default`. */
  readonly allowDefaultToken: boolean;
  /** False where the daemon holds no seeds. */
  readonly custodial: boolean;
  /** Whether only programs of this machine reach the daemon: short tokens are taken then. */
  readonly loopback: boolean;
  /** Scoped tokens; null where there are none. */
  readonly tokens: Pick<TokenBook, "resolve"> | null;
};

/**
 * What the token of a request opens; null for none where none is needed. Throws `api/no-custody` before anything else,
 * `api/missing-token`, `api/bad-token`, `api/short-token`, `api/unknown-token`.
 */
export function accessOf(
  credential: Credential,
  header: string | undefined,
  rules: CredentialRules,
): Access | null {
  if (credential === "none") return null;
  if (credential === "token-and-custodial" && !rules.custodial) {
    throw new SvcError("api/no-custody", {});
  }
  try {
    return requireAccess(header?.trim() ?? "", rules);
  } catch (error) {
    const isBadToken = error instanceof SvcError && error.code.startsWith("api/");
    if (isBadToken && credential === "token-if-given") return null;
    throw error;
  }
}

/** Checks that a token is good for a row. Throws `wallet/scope`. */
export function checkScope(access: Access | null, needed: RouteScope): void {
  if (access === null || needed === "any") return;
  if (needed === "owner") requireOwner(access);
  else requireScope(access, needed);
}

function requireAccess(sent: string, rules: CredentialRules): Access {
  if (rules.tokens === null || !isScopedCredential(sent)) {
    return ownerAccess(requireToken(sent, rules));
  }
  const access = rules.tokens.resolve(sent);
  if (access === null) throw new SvcError("api/unknown-token", {});
  return access;
}

function requireToken(sent: string, rules: CredentialRules): WalletToken {
  if (sent === "" && !rules.allowDefaultToken) throw new SvcError("api/missing-token", {});
  const text = sent === "" ? DEFAULT_TOKEN : sent;
  if (!isWalletToken(text)) throw new SvcError("api/bad-token", {});
  if (!rules.loopback && text.length < WALLETD_LIMITS.httpTokenChars) {
    throw new SvcError("api/short-token", { min: WALLETD_LIMITS.httpTokenChars });
  }
  return text;
}

/** The bearer token of the transport. Only its hash is kept. */
export class BearerCheck {
  readonly #hash: BearerHash;

  constructor(bearer: string) {
    this.#hash = new BearerHash(Buffer.from(bearer));
  }

  /** Throws `api/bad-bearer`. */
  require(header: string | undefined): void {
    if (!this.#hash.isIn(header)) throw new SvcError("api/bad-bearer", {});
  }
}
