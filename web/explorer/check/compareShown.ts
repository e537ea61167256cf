/** Comparison of a REST document with the bytes of its block, field by field. */
import { callCore } from "@svc/shared/core/callCore.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { ResultOf } from "@svc/shared/protocol/contract/routeTypes.ts";
import type { BLOCK_ROUTES } from "@svc/shared/protocol/rest/routes/blockRoutes.ts";
import type { TRANSACTION_ROUTES } from "@svc/shared/protocol/rest/routes/transactionRoutes.ts";
import type { CheckContext } from "./checkContext.ts";
import { openStep, type CheckedFacts, type CheckStep } from "./checkReport.ts";

/** The document of a block. */
export type ShownBlock = ResultOf<(typeof BLOCK_ROUTES)["block"]>;
/** The document of a transaction. */
export type ShownTransaction = ResultOf<(typeof TRANSACTION_ROUTES)["transaction"]>;

/** A field by its name: what the bytes say, and what was shown. */
type Field = readonly [name: string, expected: string, found: string];

/** Words of documents for the kinds of work. */
const WORK_WORDS: { readonly [W in CheckedFacts["work"]]: string | null } = {
  native: "native",
  merged: "merge-mined",
  notAsked: "skipped",
  genesis: null,
  missing: null,
};

/** Bytes of a raw address. */
const ADDRESS_HEX = 86;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Compares the document of a block. */
export function compareBlock(
  { core, hrp }: Pick<CheckContext, "core" | "hrp">,
  shown: ShownBlock,
  facts: CheckedFacts,
): readonly CheckStep[] {
  const { header, verboseData, extra } = shown;
  const addressOf = (script: string) => addressIn(core, hrp, script);
  const fields: Field[] = [
    ["block_hash", facts.hash, shown.block_hash],
    ["hash", facts.hash, header.hash],
    ["version", String(facts.version), String(header.version)],
    ["timestamp", facts.timestamp, String(header.timestamp)],
    ["daaScore", facts.daaScore, header.daaScore],
    ["blueScore", facts.blueScore, header.blueScore],
    ["blueWork", workNumber(facts.blueWork), workNumber(header.blueWork)],
    ["nonce", facts.nonce, header.nonce],
    ["bits", String(facts.bits), String(header.bits)],
    ["difficulty", String(facts.difficulty), String(verboseData.difficulty)],
    ["pruningPoint", facts.pruningPoint, header.pruningPoint],
    ["hashMerkleRoot", facts.hashMerkleRoot, header.hashMerkleRoot],
    ["acceptedIdMerkleRoot", facts.acceptedIdMerkleRoot, header.acceptedIdMerkleRoot],
    ["utxoCommitment", facts.utxoCommitment, header.utxoCommitment],
    ["parents", listText(facts.parents.map(listText)), listText(shownParents(shown))],
    [
      "transactionIds",
      listText(facts.transactions.map(({ txid }) => txid)),
      listText(verboseData.transactionIds),
    ],
    ["transactions", listText(outputsOf(facts)), listText(shownOutputs(shown))],
    [
      "addresses",
      listText(facts.transactions.flatMap(({ outputs }) => addressesOf(outputs, addressOf))),
      listText(
        shown.transactions.flatMap(({ outputs }) =>
          outputs.map(({ verboseData: told }) => told.scriptPublicKeyAddress ?? "none"),
        ),
      ),
    ],
    [
      "shielded",
      listText(facts.transactions.map(({ kind }) => String(kind === "payment"))),
      listText(shown.transactions.map(({ shielded }) => String(shielded))),
    ],
  ];
  if (verboseData.isChainBlock && facts.parents.length > 0) {
    fields.push([
      "selectedParentHash",
      facts.parents[0]?.[0] ?? "",
      verboseData.selectedParentHash,
    ]);
  }
  const work = WORK_WORDS[facts.work];
  if (work !== null) fields.push(["work", work, extra.work]);
  const miner = facts.miner === null ? null : addressOf(facts.miner.script);
  fields.push(["minerAddress", miner ?? "none", extra.minerAddress ?? "none"]);
  const note = facts.miner === null ? null : printable(facts.miner.extra);
  fields.push(["minerInfo", note ?? "none", extra.minerInfo ?? "none"]);
  fields.push(["hasBody", "true", String(extra.hasBody)]);
  return [...stepsOf(fields), openStep("shown", "place", "onlyTheChain")];
}

/** What a miner wrote, where it is text that a page shows; null else. */
function printable(hex: string): string | null {
  const text = String.fromCharCode(...decodeHex(hex));
  return PRINTABLE.test(text) ? text : null;
}

/** The address of a script; null for one that is none. */
function addressIn(core: CheckContext["core"], hrp: string, script: string): string | null {
  return script.length === ADDRESS_HEX
    ? callCore(() => core.encodeAddress(hrp, decodeHex(script)))
    : null;
}

function addressesOf(
  outputs: readonly { readonly script: string }[],
  addressOf: (script: string) => string | null,
): readonly string[] {
  return outputs.map(({ script }) => addressOf(script) ?? "none");
}

/** Compares the document of a transaction with the block that carries it and the one that accepted it. */
export function compareTransaction(
  { core, hrp }: Pick<CheckContext, "core" | "hrp">,
  shown: ShownTransaction,
  carrier: CheckedFacts,
  accepting: CheckedFacts | null,
): readonly CheckStep[] {
  const carried = carrier.transactions.find(({ txid }) => txid === shown.transaction_id);
  const fields: Field[] = [
    ["is_accepted", String(shown.status === "applied"), String(shown.is_accepted)],
  ];
  if (carried !== undefined) {
    fields.push(["kind", carried.kind, shown.kind]);
    if (shown.size !== null) fields.push(["size", String(carried.size), String(shown.size)]);
    const { payment } = carried;
    if (payment !== null) {
      fields.push(["actions", String(payment.actions), String(shown.actions)]);
      fields.push(["fee", payment.fee, shown.fee ?? ""]);
    }
    if (shown.outputs !== null) {
      const found = shown.outputs.map((one) => `${one.amount} ${one.script_public_key}`);
      const expected = carried.outputs.map((one) => `${one.value} ${one.script}`);
      fields.push(["outputs", listText(expected), listText(found)]);
      const addresses = addressesOf(carried.outputs, (script) => addressIn(core, hrp, script));
      const told = shown.outputs.map((one) => one.script_public_key_address ?? "none");
      fields.push(["addresses", listText(addresses), listText(told)]);
    }
  }
  if (accepting !== null) {
    const { accepting_block_blue_score: score, accepting_block_time: time } = shown;
    fields.push(["accepting_block_blue_score", accepting.blueScore, String(score)]);
    fields.push(["accepting_block_time", accepting.timestamp, String(time)]);
  }
  return [...stepsOf(fields), openStep("shown", "nodesView", "nodesView")];
}

/** One step that says whether these are the same. */
export function sameStep(step: string, expected: string, found: string): CheckStep {
  const about = { subject: "shown", step } as const;
  return expected === found
    ? { ...about, outcome: "ok", found }
    : { ...about, outcome: "differs", expected, found };
}

/** One step for all fields that are right, and one for each that is not. */
export function stepsOf(fields: readonly Field[]): readonly CheckStep[] {
  const differing = fields.filter(([, expected, found]) => expected !== found);
  const right = fields.length - differing.length;
  return [
    ...differing.map(([step, expected, found]) => ({
      subject: "shown",
      step,
      outcome: "differs" as const,
      expected,
      found,
    })),
    ...(differing.length > 0
      ? []
      : [{ subject: "shown", step: "document", outcome: "ok" as const, found: String(right) }]),
  ];
}

/** Values in a line. */
export function listText(list: readonly string[]): string {
  return list.join(" ");
}

/** The documents write work as hexadecimal, with zeros before it or without. */
function workNumber(hex: string): string {
  return /^[0-9a-f]{1,64}$/.test(hex) ? BigInt(`0x${hex}`).toString(16) : hex;
}

function shownParents({ header }: ShownBlock): readonly string[] {
  return header.parents.map(({ parentHashes }) => listText(parentHashes));
}

function outputsOf({ transactions }: CheckedFacts): readonly string[] {
  return transactions.map(
    ({ txid, outputs }) =>
      `${txid}:${outputs.map(({ value, script }) => `${value} ${script}`).join(",")}`,
  );
}

function shownOutputs({ transactions }: ShownBlock): readonly string[] {
  return transactions.map(({ verboseData, outputs }) => {
    const list = outputs.map(
      ({ amount, scriptPublicKey }) => `${amount} ${scriptPublicKey.scriptPublicKey}`,
    );
    return `${verboseData.transactionId}:${list.join(",")}`;
  });
}
