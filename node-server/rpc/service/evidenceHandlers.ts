/** RPC handlers for evidence: calls of our own range, with the answers of `/v1/evidence` (specification network 2.3). */
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { readEvidenceTipFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { blockHashField } from "@svc/shared/protocol/rpc/rpcFields.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { Handlers } from "./rpcMethods.ts";

type EvidenceMethod =
  | "getEvidenceTip"
  | "getEvidenceOpening"
  | "getEvidenceMembership"
  | "getEvidenceRun"
  | "getEvidencePayload"
  | "getEvidenceRecords";

/** Handlers of the evidence methods. */
export const evidenceHandlers: Handlers<EvidenceMethod> = {
  getEvidenceTip: async ({ depth = RPC_LIMITS.evidenceTipDepth }, { node, signal }) => {
    const facts = readEvidenceTipFacts(await node.evidence.tip(depth, signal));
    return {
      ...facts,
      logCount: facts.logCount ?? undefined,
      securityFork: facts.securityFork ?? undefined,
      error: undefined,
    };
  },

  getEvidenceOpening: async ({ blockHash, nullifierProduct }, { node, signal }) => {
    const of = blockHashField("blockHash", blockHash);
    const opening = await node.evidence.opening(of, nullifierProduct === true, signal);
    return { opening, error: undefined };
  },

  getEvidenceMembership: async ({ blockHash, atHash }, { node, signal }) => {
    const of = blockHashField("blockHash", blockHash);
    const at = blockHashField("atHash", atHash);
    return { membership: await node.evidence.membership(of, at, signal), error: undefined };
  },

  getEvidenceRun: async ({ fromHash, toHash }, { node, signal }) => {
    const from = blockHashField("fromHash", fromHash);
    const to = blockHashField("toHash", toHash);
    return { run: await node.evidence.run(from, to, signal), error: undefined };
  },

  getEvidencePayload: async ({ blockHash, index }, { node, signal }) => {
    const at = asBlockHash(blockHashField("blockHash", blockHash));
    return { payload: await node.evidence.payload(at, index, signal), error: undefined };
  },

  getEvidenceRecords: async ({ afterHash, toHash }, { node, signal }) => {
    const after = asBlockHash(blockHashField("afterHash", afterHash));
    const to = asBlockHash(blockHashField("toHash", toHash));
    return { digest: await node.evidence.records(after, to, signal), error: undefined };
  },
};
