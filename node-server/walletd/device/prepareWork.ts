/**
 * Prepare work: a payment is prepared as a job. A session does not outlive the program, so after a start it is prepared again; its
 * answer is there as long as its session.
 */
import * as v from "valibot";
import { fields } from "@svc/shared/base/fields.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { LastingWork } from "../spend/lastingJobs.ts";
import { limitsSchema } from "../store/tokenTable.ts";
import type { PreparedSessions } from "./preparedSessions.ts";
import type { PrepareRequest } from "./prepareOrder.ts";

/** A request as its job keeps it: the key is the wallet's own. */
type KeptRequest = Omit<PrepareRequest, "fvk" | "by"> & {
  readonly by: NonNullable<PrepareRequest["by"]> | null;
};

const schema: v.GenericSchema<unknown, KeptRequest> = v.object({
  to: v.string(),
  amount: fields.sompi,
  feeFloor: v.nullable(fields.sompi),
  memo: v.string(),
  allowPartial: v.boolean(),
  by: v.nullable(v.object({ id: v.string(), hash: fields.hash32, limits: limitsSchema })),
});

/** Encodes what a job keeps of its call. */
export function encodePrepareRequest(request: PrepareRequest): string {
  const { to, amount, feeFloor, memo, allowPartial, by = null } = request;
  return stableJson({ to, amount, feeFloor, memo, allowPartial, by });
}

/** Makes the work. */
export function prepareWork(sessions: Pick<PreparedSessions, "prepare" | "answerOf">): LastingWork {
  return {
    run: async ({ open, request, tell }, signal) => {
      tell({ phase: "proving", done: 0, total: 1 });
      const asked = { ...decoded(request), fvk: open.keys.fvk };
      const { session } = await sessions.prepare(open.token, asked, signal);
      tell({ phase: "proving", done: 1, total: 1 });
      return session;
    },
    answerOf: (token, session) => {
      const answer = sessions.answerOf(token, session);
      return answer === null ? null : jsonText(answer);
    },
    undo: async () => undefined,
  };
}

function decoded(text: string): KeptRequest {
  try {
    return v.parse(schema, JSON.parse(text));
  } catch (cause) {
    throw new SvcError("store/corrupt", { table: "jobs", reason: "the request of a job" }, cause);
  }
}
