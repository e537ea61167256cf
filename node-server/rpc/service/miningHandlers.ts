/** RPC handlers for miners: templates and submitted blocks (specification network 2.1, 2.3). */
import { grpcTextOf, sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import {
  SubmitBlockResponse_RejectReason as Reason,
  type SubmitBlockRequest,
  type SubmitBlockResponse,
} from "@svc/shared/protocol/rpc/generated/rpcMessages.ts";
import { blockFromRpc, blockToRpc } from "@svc/shared/protocol/rpc/rpcBlock.ts";
import { badField, requiredField } from "@svc/shared/protocol/rpc/rpcFields.ts";
import type { HandlerContext, Handlers } from "./rpcMethods.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** What a decoder puts in place of bytes that are no text. */
const REPLACEMENT_CHARACTER = "\ufffd";

/** Handlers of the mining methods. */
export const miningHandlers: Handlers<"getBlockTemplate" | "submitBlock"> = {
  getBlockTemplate: async (request, { node, signal }) => {
    const { payAddress, extraData } = request;
    const payScript = node.core.decodeAddress(node.profile.hrp, payAddress);
    if (extraData.includes(REPLACEMENT_CHARACTER)) throw badField("extraData", "it is not UTF-8");
    const wish = { payScript, extraData: new TextEncoder().encode(extraData) };
    const block = blockToRpc(decodeRawBlock(await node.template(wish, signal)));
    return { isSynced: node.status().shouldMine, block, error: undefined };
  },

  submitBlock: async (request, context) => {
    if (!context.node.status().mayMine) {
      const error = { message: "Block was not submitted: node is not synced" };
      return { rejectReason: Reason.IS_IN_IBD, rejectDetail: "", error };
    }
    try {
      return await insert(request, context);
    } catch (error) {
      return refusal(SvcError.from(error));
    }
  },
};

/** The reply to a block that came while too many wait, or too fast. No reject reason exists for it. */
export function routeIsFull(): SubmitBlockResponse {
  const error = { message: "Block was not submitted: route is full" };
  return { rejectReason: Reason.NONE, rejectDetail: "", error };
}

async function insert(
  { block, allowNonDaaBlocks = false }: SubmitBlockRequest,
  { node, signal, source }: HandlerContext,
): Promise<SubmitBlockResponse> {
  const plain = blockFromRpc(requiredField("block", block));
  if (!allowNonDaaBlocks) {
    const { difficultyWindowSize, difficultySampleRate } = node.profile;
    const window = BigInt(difficultyWindowSize * difficultySampleRate);
    const { daaScore } = await askFacts(node, "tip", [], signal);
    if (plain.header.daaScore + window < daaScore) return invalid("the block is too old");
  }
  const outcome = await node.submitBlock(encodeRawBlock(plain), signal, source);
  switch (outcome.kind) {
    case "accepted":
      if (!outcome.new) return invalid("duplicate");
      return { rejectReason: Reason.NONE, rejectDetail: "", error: undefined };
    case "missingParents": {
      const parents = outcome.parents.join(", ");
      return invalid(grpcTextOf(new SvcError("header/missing-parents", { parents })));
    }
    case "rejected": {
      const { code, data } = outcome;
      return invalid(grpcTextOf(SvcError.fromJson({ code, data })));
    }
  }
}

/** Old miners look at the error alone, new ones at the reason: a refused block sets both. */
function invalid(rejectDetail: string): SubmitBlockResponse {
  const error = { message: "Block was not submitted: block is invalid" };
  return { rejectReason: Reason.BLOCK_INVALID, rejectDetail, error };
}

/** Faults of the block are answered here; faults of the node are errors of the call. */
function refusal(error: SvcError): SubmitBlockResponse {
  if (SvcError.is(error, "queue/full") || SvcError.is(error, "queue/too-fast")) {
    return routeIsFull();
  }
  if (error.code === "rpc/bad-argument" || /^(codec|header|body)\//.test(error.code)) {
    return invalid(`could not parse block: ${sentenceOf(error)}`);
  }
  throw error;
}
