/** Handlers of the public REST interface for evidence: the pieces of `/v1/evidence`, byte for byte (docs/light-client.md). */
import * as v from "valibot";
import { asHash32 } from "@svc/shared/base/brand.ts";
import { EVIDENCE_ROUTES } from "@svc/shared/protocol/rest/routes/evidenceRoutes.ts";
import { DeepAnswer, type RestHandlersOf } from "../call/restCall.ts";

/** The handlers. */
export const REST_EVIDENCE_HANDLERS: RestHandlersOf<keyof typeof EVIDENCE_ROUTES> = {
  evidenceTip: async ({ node, query: { depth }, signal }) => {
    const text = await node.evidence.tip(BigInt(depth), signal);
    const told = v.parse(EVIDENCE_ROUTES.evidenceTip.answer, JSON.parse(text));
    // Blocks far below the tip still prove it a minute later; who asks for those near it wants the newest.
    return new DeepAnswer(told, BigInt(depth));
  },

  evidenceOpening: ({ node, query: { of }, signal }) =>
    node.evidence.opening(asHash32(of), false, signal),

  evidenceMembership: ({ node, query: { of, at }, signal }) =>
    node.evidence.membership(asHash32(of), asHash32(at), signal),

  evidenceRun: ({ node, query: { from, to }, signal }) =>
    node.evidence.run(asHash32(from), asHash32(to), signal),
};
