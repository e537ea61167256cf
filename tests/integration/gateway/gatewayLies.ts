/** Fault injection: lies that a node can tell a gateway that asks it for evidence, each told by the proxy. */
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import {
  encodeContainer,
  readContainer,
  readRecords,
  type RecordTransaction,
} from "@svc/shared/protocol/http/recordContainer.ts";
import { otherRecords, PAGE_MOST, type LyingProxy, type ProxyLie } from "./lyingProxy.ts";
import { tipOf } from "../node/nodeFixture.ts";

type Answer = Parameters<ProxyLie>[0];

/** Bytes beyond those of any answer that is no page. */
const TOO_LONG = 2 << 20;
/** Blue score that no chain of a test has. */
const GREAT_SCORE = 10_000n;
/** Bytes from the end of an opening, at which one is part of its state. */
const IN_STATE = 20;
/** The same of a run, in its last header. */
const IN_HEADER = 20;

/** Evidence is refused. */
export const withheld: ProxyLie = (answer) => (isEvidence(answer) ? null : answer);

/** An opening that is longer than any. */
export const endless: ProxyLie = (answer) => {
  if (answer.$case !== "getEvidenceOpening") return answer;
  return { ...answer, value: { ...answer.value, opening: new Uint8Array(TOO_LONG) } };
};

/** An opening with another state. */
export const flippedOpening: ProxyLie = (answer) => {
  if (answer.$case !== "getEvidenceOpening") return answer;
  return {
    ...answer,
    value: { ...answer.value, opening: flipped(answer.value.opening, IN_STATE) },
  };
};

/** A run whose last header is another one. */
export const flippedRun: ProxyLie = (answer) => {
  if (answer.$case !== "getEvidenceRun") return answer;
  return { ...answer, value: { ...answer.value, run: flipped(answer.value.run, IN_HEADER) } };
};

/** The opening of another block in the place of each. */
export function otherOpening(proxy: LyingProxy, node: RunningNode): ProxyLie {
  return async (answer) => {
    if (answer.$case !== "getEvidenceOpening") return answer;
    const blockHash = (await node.api.ask("chainHashAt", [2n])) ?? "";
    return proxy.honest({ $case: "getEvidenceOpening", value: { blockHash } });
  };
}

/** A payment that stands in no block, in the record of the node's last one, under a great blue score. */
export async function inventedPayment(
  invented: RecordTransaction,
  node: RunningNode,
): Promise<ProxyLie> {
  const { sink } = await tipOf(node);
  const records = otherRecords((record) => {
    if (record.hash !== sink) return record;
    return { ...record, transactions: [...record.transactions, invented] };
  });
  return (answer, request) => {
    return answer.$case === "getBlockDagInfo" ? highScore(answer) : records(answer, request);
  };
}

/** A chain that ends at the node's tip of now, under a great blue score. */
export async function staleTip(node: RunningNode): Promise<ProxyLie> {
  const { chainIndex } = await tipOf(node);
  let first: Answer | null = null;
  return (answer) => {
    if (answer.$case === "getBlockDagInfo") {
      first ??= highScore(answer);
      return first;
    }
    if (answer.$case !== "getShieldedBlocks" || answer.value.records === undefined) return answer;
    const container = readContainer(answer.value.records, PAGE_MOST);
    const { firstIndex } = container;
    const shown = readRecords(container).filter((_, at) => firstIndex + BigInt(at) <= chainIndex);
    return { ...answer, value: { ...answer.value, records: encodeContainer(firstIndex, shown) } };
  };
}

function isEvidence({ $case }: Answer): boolean {
  return $case === "getEvidenceOpening" || $case === "getEvidenceRun";
}

function highScore(answer: Answer): Answer {
  if (answer.$case !== "getBlockDagInfo") return answer;
  const { shieldedTip } = answer.value;
  if (shieldedTip === undefined) return answer;
  const sinkBlueScore = shieldedTip.sinkBlueScore + GREAT_SCORE;
  return { ...answer, value: { ...answer.value, shieldedTip: { ...shieldedTip, sinkBlueScore } } };
}

function flipped(bytes: Uint8Array, fromEnd: number): Uint8Array {
  const changed = bytes.slice();
  const at = changed.length - fromEnd;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
