/** Prepare order: what a device asks to be prepared, checked as a whole before anything waits or is reserved. */
import { timingSafeEqual } from "node:crypto";
import { asAddressText, asRawAddress, asSompi, type Sompi } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import type { Payee } from "@svc/shared/wallet/state/payment.ts";
import type { ScopedAccess } from "../spend/tokens/tokenBook.ts";

/** What is asked for. */
export type PrepareRequest = {
  /** The full viewing key of the device's wallet, 96 bytes. */
  readonly fvk: Uint8Array;
  /** Address of the payee. */
  readonly to: string;
  readonly amount: Sompi;
  /** The least fee of the transaction; its size may demand more. */
  readonly feeFloor: Sompi | null;
  /** Text. */
  readonly memo: string;
  /** Whether a part of the amount may be paid where one transaction cannot pay it all. */
  readonly allowPartial: boolean;
  /** The scoped token of the caller; null or left out for the owner. */
  readonly by?: ScopedAccess | null;
};

/** A checked request. */
export type PrepareOrder = {
  /** The address as it was asked for: the device compares it letter by letter. */
  readonly to: string;
  readonly payee: Payee;
  readonly feeFloor: Sompi;
  readonly mode: "part" | "one";
};

/** What the check needs to know about keys and addresses. */
export type OrderParts = {
  readonly core: Pick<CoreGlue, "addressAt" | "addressIndexOf" | "decodeAddress">;
  /** Prefix of the network's addresses. */
  readonly hrp: string;
};

/**
 * Checks a request of a wallet with this viewing key. Throws `keys/bad-viewing-key`, `wallet/other-viewing-key`, `address/*`,
 * `wallet/memo-too-long`.
 */
export function prepareOrder(
  { core, hrp }: OrderParts,
  fvk: Uint8Array,
  request: PrepareRequest,
): PrepareOrder {
  checkKey(core, fvk, request.fvk);
  const address = lowerCaseAddress(request.to.trim());
  const raw = callCore(() => core.decodeAddress(hrp, address));
  const payee = {
    address: asAddressText(address),
    recipient: asRawAddress(encodeHex(raw)),
    value: request.amount,
    memo: encodeMemo(request.memo),
    own: callCore(() => core.addressIndexOf(fvk, raw)) !== undefined,
  };
  const feeFloor = request.feeFloor ?? asSompi(0n);
  return { to: request.to, payee, feeFloor, mode: request.allowPartial ? "part" : "one" };
}

/** Whoever has the key sees all payments, so how far another one is right is not to be measured. */
function checkKey(core: OrderParts["core"], own: Uint8Array, asked: Uint8Array): void {
  if (own.length === asked.length && timingSafeEqual(own, asked)) return;
  callCore(() => core.addressAt(asked, 0));
  throw new SvcError("wallet/other-viewing-key", {});
}
