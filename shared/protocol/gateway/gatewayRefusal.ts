/** Refusals of the gateway API, those of a framework too: sentence, code, the data of the code, and the id of the request. */
import { httpErrorOf } from "../../base/errors.ts";
import type { Code } from "../../base/generated/codes.ts";
import type { SvcError } from "../../base/svcError.ts";

/** The body of a refusal. `field` is there where one field of the request is at fault. */
export type GatewayErrorBody = {
  readonly error: string;
  readonly code: Code;
  readonly requestId: string;
  readonly field?: string;
} & Readonly<Record<string, string>>;

/** A refusal. */
export type GatewayRefusal = {
  readonly status: number;
  /** Says when to try again, where the error does. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: GatewayErrorBody;
};

/** Makes the refusal of an error. `requestId` names the request in the gateway's log. */
export function gatewayRefusalOf(error: SvcError, requestId: string): GatewayRefusal {
  const { status, body } = httpErrorOf(error);
  const retryAfter = error.data["retryAfter"];
  return {
    status,
    headers: retryAfter === undefined ? {} : { "Retry-After": retryAfter },
    body: { ...body, requestId },
  };
}
