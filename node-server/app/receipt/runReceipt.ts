/** The command `svc receipt make|check`: shows who was paid how much by which block, and checks who shows it. */
import { readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { asChainIndex, asTimestampMs, type ChainIndex } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { checkpointOf } from "@svc/shared/light/checkpointOf.ts";
import { CoreReceipts, type ReceiptQuestion } from "@svc/shared/light/coreReceipts.ts";
import { makeReceipt } from "@svc/shared/light/makeReceipt.ts";
import { receiptRange } from "@svc/shared/light/receiptRange.ts";
import { receiptMeasure } from "@svc/shared/light/yardstick.ts";
import { readReceiptText, receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { systemClock } from "../../platform/time/clock.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import { APP_LIMITS } from "../appLimits.ts";
import { badOption } from "../options/readOptions.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { EXIT_STATUS } from "../program/exitStatus.ts";
import { loadNetwork } from "../program/network.ts";
import { anchorReceipt } from "./anchorReceipt.ts";
import { disclosureOf, placeNote, readNoteFile } from "./noteFile.ts";
import {
  parseReceiptFlags,
  receiptHelpText,
  type CheckFlags,
  type MakeFlags,
} from "./receiptFlags.ts";
import { receiptJson, receiptLines } from "./receiptLines.ts";

/** The descriptor of standard input. */
const STDIN = 0;

type Scene = {
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly receipts: CoreReceipts;
};

/**
 * Runs the command. Returns 0 when the receipt was made or holds. Rejects with `node/bad-option`, and with the fault of the receipt, of
 * the node's evidence or of the note file.
 */
export async function runReceipt(context: CommandContext): Promise<number> {
  const flags = parseReceiptFlags(context.args, context.environment);
  if (flags === null) {
    context.print(receiptHelpText());
    return EXIT_STATUS.fine;
  }
  const core = await loadCoreFile();
  const profile = loadNetwork(core, flags.network);
  const scene = { core, profile, receipts: new CoreReceipts(core, profile.canonicalJson) };
  if (flags.action === "make") await make(scene, flags, context);
  else await check(scene, flags, context);
  return EXIT_STATUS.fine;
}

async function check(scene: Scene, flags: CheckFlags, { print, signal }: CommandContext) {
  const { core, profile, receipts } = scene;
  const receipt = readReceipt(flags.receipt);
  const question: ReceiptQuestion = {
    ...(flags.challenge !== null && { challenge: flags.challenge }),
    ...measureOf(scene, flags.bits),
  };
  const facts =
    flags.node === null
      ? receipts.check(receipt, question)
      : await anchorReceipt(
          { receipts, node: new HttpNode(flags.node), signal },
          receipt,
          question,
        );
  const address = callCore(() => core.encodeAddress(profile.hrp, decodeHex(facts.recipient)));
  if (flags.json) print(receiptJson(facts, address));
  else for (const line of receiptLines(facts, address, networkOf(profile))) print(line);
}

/** By a header of today as the asker has it, or by the checkpoint of the network. */
function measureOf({ core, profile }: Scene, bits: number | null) {
  const nowMs = systemClock.nowMs();
  const digest = callCore(() => core.profileDigest(profile.canonicalJson));
  const known = bits === null ? checkpointOf(digest) : { bits, timestamp: asTimestampMs(nowMs) };
  return receiptMeasure(known, nowMs);
}

async function make(
  { core, receipts }: Scene,
  flags: MakeFlags,
  { print, signal }: CommandContext,
) {
  const file = readNoteFile(new TextDecoder().decode(readBytes("note", flags.note)));
  const node = new HttpNode(flags.node);
  const { note, path, block } = await placeNote(core, node, file, signal);
  const range = await headerRange(node, file.chainIndex, signal);
  const disclosure = disclosureOf(file);
  const order = {
    note,
    path,
    block,
    ...(range ?? { from: block, to: (await node.tip(signal)).sink }),
    ...(disclosure && { disclosure }),
    ...(flags.challenge !== null && { challenge: { text: flags.challenge } }),
  };
  const receipt = await makeReceipt(receipts, node, order, signal);
  if (flags.out !== null) writeNew(flags.out, receipt);
  if (flags.json) {
    print(JSON.stringify({ bytes: receipt.length, file: flags.out, text: receiptText(receipt) }));
  } else {
    print(flags.out === null ? receiptText(receipt) : `${flags.out}: ${receipt.length} bytes`);
  }
}

/** Between which blocks the header is looked for; null for the block of the payment and the tip. */
async function headerRange(node: HttpNode, paid: ChainIndex, signal: AbortSignal) {
  const { chainIndex } = await node.tip(signal);
  const range = receiptRange(paid, chainIndex);
  if (range === null) return null;
  const to = await node.start(range.to, signal);
  if (to.chainIndex !== range.to) return null;
  // A node tells of blocks whose tree it has: of a network that prunes soon, the upper part of the range.
  for (let low = range.from; low < range.to; low = halfway(low, range.to)) {
    const from = await node.start(low, signal);
    if (from.chainIndex === low) return { from: from.hash, to: to.hash };
  }
  return null;
}

function halfway(low: ChainIndex, high: ChainIndex): ChainIndex {
  return asChainIndex(high - (high - low) / 2n);
}

function networkOf({ skipProofOfWork, targetTimePerBlockMs }: NodeProfile) {
  return { asksForWork: !skipProofOfWork, targetTimePerBlockMs: BigInt(targetTimePerBlockMs) };
}

/** A file that holds the bytes or their text, or the text itself. */
function readReceipt(given: string): Uint8Array {
  if (/^ur:/i.test(given)) return readReceiptText(given);
  const bytes = readBytes("check", given);
  const head = new TextDecoder().decode(bytes.subarray(0, 3)).toLowerCase();
  return head === "ur:" ? readReceiptText(new TextDecoder().decode(bytes)) : bytes;
}

function readBytes(option: string, path: string): Uint8Array {
  const most = APP_LIMITS.receiptFileBytes;
  try {
    const bytes = path === "-" ? readInput(most) : readFile(path, most);
    if (bytes !== null) return bytes;
  } catch (cause) {
    const reason = `${path} cannot be read`;
    throw new SvcError("node/bad-option", { option: `--${option}`, reason }, cause);
  }
  throw badOption(option, `${path} is no file of at most ${most} bytes`);
}

/** A file; null for one that is larger, or none. */
function readFile(path: string, most: number): Uint8Array | null {
  const stat = statSync(path);
  return stat.isFile() && stat.size <= most ? readFileSync(path) : null;
}

/** Standard input to its end; null where that is further away. */
function readInput(most: number): Uint8Array | null {
  const bytes = new Uint8Array(most + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= most; length += read) {
    read = readSync(STDIN, bytes, length, bytes.length - length, null);
  }
  return length <= most ? bytes.subarray(0, length) : null;
}

function writeNew(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { flag: "wx" });
  } catch (cause) {
    const reason = `${path} cannot be written anew`;
    throw new SvcError("node/bad-option", { option: "--out", reason }, cause);
  }
}
