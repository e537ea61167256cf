/** Handlers of scoped tokens, and of the payments that wait for a wallet's owner. */
import {
  asRawAddress,
  asTimestampMs,
  type RawAddress,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { leavingSompi } from "../spend/tokens/spendLimits.ts";
import { decodeJobRequest } from "../spend/spendOrder.ts";
import type { SpendService } from "../spend/spendService.ts";
import type { TokenBook } from "../spend/tokens/tokenBook.ts";
import type { JobRow } from "../store/jobTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { TokenRow } from "../store/tokenTable.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { memoText } from "./answerValues.ts";
import type { DaemonWallets } from "./daemonWallets.ts";
import { jobAnswer } from "./jobAnswer.ts";
import type { WalletHandlers } from "./walletHandlers.ts";

/** Dependencies of the handlers. */
export type TokenHandlerParts = {
  readonly core: Pick<CoreGlue, "encodeAddress" | "decodeAddress">;
  /** Prefix of the network's addresses. */
  readonly hrp: string;
  readonly folder: Pick<WalletFolder, "facts">;
  readonly tokens: TokenBook;
  readonly spend: Pick<SpendService, "approvals" | "approve" | "job">;
};

type TokenHandlers = Pick<
  WalletHandlers,
  "createToken" | "tokens" | "revokeToken" | "approvals" | "approve" | "deny"
>;

/** Makes the handlers. That the caller is the owner was checked before them. */
export function tokenHandlers(
  parts: TokenHandlerParts,
  wallets: Pick<DaemonWallets, "open">,
): TokenHandlers {
  const { tokens, spend } = parts;
  const shown = (row: TokenRow): RouteAnswer<"revokeToken"> => tokenAnswer(parts, row);
  return {
    createToken: async ({ token, body }) => {
      await checkWallet(parts, token);
      const { credential, row } = tokens.create(token, {
        label: body.label ?? "",
        scope: body.scope,
        limits: {
          daySompi: body.day_limit_sompi ?? null,
          payees: body.payees?.map((text) => rawAddress(parts, text)) ?? null,
          approvalAboveSompi: body.approval_above_sompi ?? null,
        },
        expiresMs: timeOf(body.expires_unix ?? null),
      });
      return { token: credential, ...shown(row) };
    },
    tokens: async ({ token }) => {
      await checkWallet(parts, token);
      return { tokens: tokens.list(token).map(shown) };
    },
    revokeToken: async ({ token, params }) => {
      const { id } = params;
      const deny = (batch: StoreBatch): void => spend.approvals.denyOf(batch, token, id);
      return shown(tokens.revoke(token, id, deny));
    },
    approvals: async ({ token }) => {
      await checkWallet(parts, token);
      return { approvals: spend.approvals.waiting(token).map(approvalOf) };
    },
    approve: async ({ token, params }) => {
      const open = await wallets.open(token);
      return jobAnswer(spend.approve(open, params.id));
    },
    deny: async ({ token, params }) => {
      spend.approvals.deny(token, params.id);
      return jobAnswer(spend.job(token, params.id));
    },
  };
}

async function checkWallet(
  { folder }: Pick<TokenHandlerParts, "folder">,
  token: WalletToken,
): Promise<void> {
  if ((await folder.facts(token)) === null) throw new SvcError("wallet/no-wallet", {});
}

function rawAddress({ core, hrp }: TokenHandlerParts, text: string): RawAddress {
  const address = lowerCaseAddress(text.trim());
  return asRawAddress(encodeHex(callCore(() => core.decodeAddress(hrp, address))));
}

function tokenAnswer({ core, hrp }: TokenHandlerParts, row: TokenRow): RouteAnswer<"revokeToken"> {
  const { id, label, scope, limits, createdMs, expiresMs, revokedMs, usedMs } = row;
  const textOf = (raw: RawAddress): string =>
    callCore(() => core.encodeAddress(hrp, decodeHex(raw)));
  return {
    id,
    label,
    scope,
    day_limit_sompi: limits.daySompi,
    payees: limits.payees?.map(textOf) ?? null,
    approval_above_sompi: limits.approvalAboveSompi,
    created_unix: Number(createdMs / 1_000n),
    expires_unix: secondsOf(expiresMs),
    revoked_unix: secondsOf(revokedMs),
    used_unix: secondsOf(usedMs),
  };
}

function approvalOf(row: JobRow): RouteAnswer<"approvals">["approvals"][number] {
  const { order, by } = decodeJobRequest(row.request);
  const { payees, feeFloor } = order;
  return {
    job: row.id,
    kind: row.kind,
    amount_sompi: leavingSompi(payees),
    fee_floor_sompi: feeFloor,
    payees: payees.length,
    first_payees: payees
      .slice(0, PROTOCOL_LIMITS.approvalPayeesShown)
      .map(({ address, value, memo }) => ({
        to: address,
        amount_sompi: value,
        memo: memoText(memo),
      })),
    token_id: by?.id ?? "",
    created_unix: Number(row.createdMs / 1_000n),
    expires_unix: Number((row.createdMs + WALLETD_LIMITS.approvalMs) / 1_000n),
  };
}

function timeOf(seconds: number | null): TimestampMs | null {
  return seconds === null ? null : asTimestampMs(BigInt(seconds) * 1_000n);
}

function secondsOf(time: TimestampMs | null): number | null {
  return time === null ? null : Number(time / 1_000n);
}
