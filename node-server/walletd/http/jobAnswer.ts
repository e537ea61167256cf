/** Job answer: a job as `GET /api/jobs/{id}` tells of it. */
import { httpErrorOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { JobView } from "../spend/jobView.ts";

/** Makes it. The answer of the job is written as it was kept. */
export function jobAnswer(view: JobView): RouteAnswer<"job"> {
  const { total, done, body, error } = view;
  const isOver = view.state === "done";
  const refusal = error === null ? null : httpErrorOf(SvcError.fromJson(error)).body;
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
    error: refusal === null ? null : { error: refusal.error, code: refusal.code },
  };
}
