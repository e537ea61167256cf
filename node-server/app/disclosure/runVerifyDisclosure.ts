/**
 * The command `svc verify-disclosure`: shows a third party whom a payment paid, how much and with which memo. The proof needs no node
 * and no trust; that the chain has applied the payment is what a node says.
 */
import { readFileSync, statSync } from "node:fs";
import { asDaaScore, U64_MAX } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import {
  checkPaymentProof,
  readPaymentProof,
  type CarriedPayment,
  type PaymentProof,
  type ProvenPayment,
} from "@svc/shared/signer/paymentProof.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import { GrpcClient } from "../../client/grpcClient.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import { APP_LIMITS } from "../appLimits.ts";
import { badOption } from "../options/readOptions.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { EXIT_STATUS } from "../program/exitStatus.ts";
import { loadNetwork } from "../program/network.ts";
import { askApplied, type AppliedPayment } from "./appliedPayment.ts";
import {
  disclosureHelpText,
  parseDisclosureFlags,
  type DisclosureFlags,
} from "./disclosureFlags.ts";

/**
 * Runs the check. Returns 0 when the proof is right and a node that was asked says that the payment is applied, 1 when the node does
 * not. Rejects with `node/bad-option`, `signer/*`, `codec/*`, `shielded/*`, `tx/*`, and what `askApplied` rejects with.
 */
export async function runVerifyDisclosure(context: CommandContext): Promise<number> {
  const { args, environment, print, signal } = context;
  const flags = parseDisclosureFlags(args, environment);
  if (flags === null) {
    print(disclosureHelpText());
    return EXIT_STATUS.fine;
  }
  const core = await loadCoreFile();
  const profile = loadNetwork(core, flags.network);
  const proof = readPaymentProof(readText("proof", flags.proof));
  const applied = await askNode({ core, profile, flags, proof }, signal);
  const carried = carriedPayment(flags, applied);
  const proven = checkPaymentProof(core, profile.canonicalJson, carried, proof);
  const raw = decodeHex(proven.recipient);
  const address = callCore(() => core.encodeAddress(profile.hrp, raw));
  print(
    flags.json ? jsonOf(proof, proven, address, applied) : textOf(proof, proven, address, applied),
  );
  return applied === null || applied.isApplied ? EXIT_STATUS.fine : EXIT_STATUS.failed;
}

type Check = {
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly flags: DisclosureFlags;
  readonly proof: PaymentProof;
};

async function askNode(
  { core, profile, flags: { node }, proof: { txid } }: Check,
  signal: AbortSignal,
): Promise<AppliedPayment | null> {
  if (node === null) return null;
  const client = new GrpcClient(node.address, { messageBytes: APP_LIMITS.disclosureAnswerBytes });
  try {
    const transactionId = (raw: Uint8Array) => callCore(() => core.transactionId(raw));
    const { mergesetSizeLimit } = profile;
    const question = { client, transactionId, txid, block: node.block, mergesetSizeLimit };
    return await askApplied(question, signal);
  } finally {
    client.close();
  }
}

/** The payment from the file, else from the node. */
function carriedPayment(flags: DisclosureFlags, applied: AppliedPayment | null): CarriedPayment {
  const found = applied?.carried ?? null;
  const daaScore = flags.daaScore ?? found?.daaScore ?? asDaaScore(U64_MAX);
  if (flags.transaction !== null) {
    return { raw: readTransaction(flags.transaction), daaScore };
  }
  if (found !== null) return { raw: found.raw, daaScore };
  throw badOption("block", "no block that it merges has the payment");
}

function textOf(
  { txid, index }: PaymentProof,
  { value, memo }: ProvenPayment,
  address: string,
  applied: AppliedPayment | null,
): string {
  return [
    `transaction  ${txid}, action ${index}`,
    `recipient    ${address}`,
    `amount       ${formatCoins(value)} (${value} sompi)`,
    `memo         ${memoText(memo)}`,
    `applied      ${appliedText(applied)}`,
  ].join("\n");
}

function appliedText(applied: AppliedPayment | null): string {
  if (applied === null) return "no node was asked";
  const { isApplied, block, blueScore } = applied;
  if (!isApplied) return `no: the node says that block ${block} did not apply it`;
  return `yes, the node says: by block ${block} at blue score ${blueScore}`;
}

function jsonOf(
  { txid, index }: PaymentProof,
  { value, memo }: ProvenPayment,
  recipient: string,
  applied: AppliedPayment | null,
): string {
  const claim =
    applied === null
      ? null
      : { applied: applied.isApplied, block: applied.block, blueScore: String(applied.blueScore) };
  return JSON.stringify({ txid, index, recipient, amount: String(value), memo, node: claim });
}

/** A memo may hold what moves a terminal's cursor: it is shown as JSON writes it. */
function memoText(hex: string): string {
  const memo = readMemo(hex);
  if (memo.kind === "empty") return "none";
  return memo.kind === "text" ? JSON.stringify(memo.text) : `${memo.hex} (no text)`;
}

function readTransaction(path: string): Uint8Array {
  const bytes = readBytes("transaction", path);
  const text = new TextDecoder().decode(bytes).trim();
  return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? decodeHex(text.toLowerCase()) : bytes;
}

function readText(option: string, path: string): string {
  return new TextDecoder().decode(readBytes(option, path));
}

function readBytes(option: string, path: string): Uint8Array {
  const most = APP_LIMITS.disclosureFileBytes;
  try {
    const stat = statSync(path);
    if (stat.isFile() && stat.size <= most) return readFileSync(path);
  } catch (cause) {
    const reason = `${path} cannot be read`;
    throw new SvcError("node/bad-option", { option: `--${option}`, reason }, cause);
  }
  throw badOption(option, `${path} is no file of at most ${most} bytes`);
}
