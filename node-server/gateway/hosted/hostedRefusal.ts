/** The error of a hosted gateway's refusal. Its words are a stranger's: a code that this program knows is taken, and nothing else. */
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { HostedAnswer } from "./hostedPost.ts";

const form = v.object({
  code: v.pipe(v.string(), v.maxLength(64), v.regex(/^[a-z]+\/[a-z-]+$/)),
});

/** Makes it: `gateway/refused`, with the status and the code that it told. */
export function hostedRefusal({ status, body }: HostedAnswer): SvcError {
  const read = v.safeParse(form, body);
  const reason = read.success ? read.output.code : "no code";
  return new SvcError("gateway/refused", { status, reason });
}
