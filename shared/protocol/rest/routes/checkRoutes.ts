/** Rows of proofs for verification in a visitor's browser: each proof is checked against block headers (docs/formats.md 3.11). */
import * as v from "valibot";
import { acceptanceProof, supplyProof } from "../../facts/checkProofs.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { idParams } from "../restFields.ts";
import { route } from "../route.ts";

const HASH = "ab".repeat(32);
const TXID = "f2".repeat(32);
const ROOT = "11".repeat(32);
const ZERO = "00".repeat(32);

const state = {
  treeRoot: ROOT,
  nullifierRoot: ROOT,
  cumulativeCoinbase: "7663981164260000",
  cumulativeFees: "11642600",
  burnRoot: ZERO,
  devAccrued: "4200000000",
  anchorCommitment: ROOT,
  slot: { scriptVersion: 0, script: "", amount: "0" },
};
const frontier = { size: "3", leaf: ROOT, ommers: [ROOT] };

/** The rows by their names. */
export const CHECK_ROUTES = {
  acceptanceProof: route({
    group: "chain",
    method: "GET",
    path: "/blocks/{id}/acceptance",
    credential: "none",
    scope: "any",
    params: idParams,
    answer: acceptanceProof,
    refusals: ["chain/unknown-block", "chain/pruned"],
    about:
      "Gives what ties the effects of a block of the selected chain to headers: what it merged, accepted, applied and dropped, and the states before and after it.",
    example: {
      answer: {
        block: HASH,
        selectedParent: "aa".repeat(32),
        child: "ac".repeat(32),
        accepted: [{ txid: TXID, version: 2, lane: "00".repeat(20), block: "aa".repeat(32) }],
        merged: [{ hash: "aa".repeat(32), blueWork: "0a42", payload: "00".repeat(51) }],
        lanes: { extended: [{ key: ROOT, tip: ROOT, blueScore: "41" }], untouched: [] },
        shortcut: ZERO,
        frontier,
        applied: [{ txid: TXID, block: "aa".repeat(32), commitments: [ROOT, ROOT] }],
        dropped: [],
        before: state,
        after: state,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  supplyProof: route({
    group: "supply",
    method: "GET",
    path: "/info/supply/{id}",
    credential: "none",
    scope: "any",
    params: idParams,
    answer: supplyProof,
    refusals: ["chain/unknown-block", "chain/pruned"],
    about:
      "Gives the shielded state after a block of the selected chain in the parts that the coinbase of the next block commits to.",
    example: {
      answer: {
        block: HASH,
        child: "ac".repeat(32),
        daaScore: "1276151",
        blueScore: "1276100",
        state,
        frontier,
        nullifierCount: "48000",
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  profile: route({
    group: "network",
    method: "GET",
    path: "/info/profile",
    credential: "none",
    scope: "any",
    answer: v.pipe(
      v.looseObject({ networkName: v.pipe(v.string(), v.description("Name of the network.")) }),
      v.description(
        "The network's profile in its canonical form: every name and number that blocks are judged by.",
      ),
    ),
    about:
      "Shows the profile of the network. Those of built-in networks are part of the checking program.",
    example: { answer: { networkName: "svc-example" } },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
