/** A part of a merchant's list of refunds. So many rows are looked at for one answer, and its cursor goes on from there. */
import { asRefundId, type MerchantId } from "@svc/shared/base/brand.ts";
import type { Page } from "@svc/shared/gateway/gatewayPorts.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import { readTimeCursor, timeCursor } from "@svc/shared/protocol/contract/timeCursor.ts";
import type { RefundState } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { RefundPlace, RefundTable } from "../store/refundTable.ts";

/** What is asked for. */
export type RefundQuestion = {
  readonly merchant: MerchantId;
  /** Empty for all. */
  readonly states: readonly RefundState[];
  /** Of an answer before; null for the beginning. */
  readonly cursor: string | null;
  readonly limit: number;
};

const CURSOR = { prefix: "ref", digits: 19, field: "cursor" };
const LOOK_AT_ONCE = 100;

/** Answers it, each refund as `now` gives it. Throws `api/bad-field` for a cursor that is none. */
export function listRefunds(
  table: Pick<RefundTable, "list">,
  { merchant, states, cursor, limit }: RefundQuestion,
  now: (refund: Refund) => Refund,
): Page<Refund> {
  const rows: Refund[] = [];
  let place = cursor === null ? null : placeOf(cursor);
  for (let looked = 0; looked < GATEWAY_LIMITS.listLook;) {
    const count = Math.min(GATEWAY_LIMITS.listLook - looked, Math.max(limit, LOOK_AT_ONCE));
    const page = table.list(merchant, place, count);
    looked += page.length;
    for (const stored of page) {
      const refund = now(stored);
      place = { createdMs: refund.terms.createdMs, id: refund.terms.id };
      if (states.length > 0 && !states.includes(refund.state)) continue;
      rows.push(refund);
      if (rows.length === limit) return { rows, next: cursorOf(place) };
    }
    if (page.length < count) return { rows, next: null };
  }
  return { rows, next: place === null ? null : cursorOf(place) };
}

function cursorOf({ createdMs, id }: RefundPlace): string {
  return timeCursor(createdMs, id);
}

function placeOf(cursor: string): RefundPlace {
  const { ms, id } = readTimeCursor(cursor, CURSOR);
  return { createdMs: ms, id: asRefundId(id) };
}
