/** Job answer: a job as `GET /api/jobs/{id}` tells of it. */
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { apiErrorOf } from "@svc/shared/protocol/wallet/apiError.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { PayoutResult } from "@svc/shared/wallet/plan/payoutReport.ts";
import type { JobView } from "../spend/jobView.ts";

/** Makes it. The answer of the job is written as it was kept. `payouts`: the results of a batch that has ended. */
export function jobAnswer(
  view: JobView,
  payouts: readonly PayoutResult[] | null = null,
): RouteAnswer<"job"> {
  const { total, done, body, error } = view;
  const isOver = view.state === "done";
  return {
    id: view.id,
    kind: view.kind,
    state: view.state,
    phase: view.phase,
    share: isOver ? 1 : total === 0 ? 0 : done / total,
    seconds_left: view.secondsLeft === null ? null : Math.ceil(view.secondsLeft),
    created_unix: Number(view.createdMs / 1_000n),
    updated_unix: Number(view.updatedMs / 1_000n),
    committed: done > 0,
    answer: body === null ? null : JSON.parse(body),
    error: refusalOf(error),
    payouts: payouts?.map(payoutOf) ?? null,
  };
}

function payoutOf({ row, status, sent, txids, error }: PayoutResult) {
  const { line, reference, payee } = row;
  return {
    line,
    reference,
    to: payee.address,
    amount_sompi: payee.value,
    status,
    sent_sompi: sent,
    txids,
    error: refusalOf(error),
  };
}

function refusalOf(error: ErrorJson | null) {
  if (error === null) return null;
  const { body } = apiErrorOf(SvcError.fromJson(error));
  return { error: body.error, code: body.code };
}
