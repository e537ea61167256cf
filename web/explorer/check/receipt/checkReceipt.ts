/** Check of a receipt by the core: alone, or under the tip of a node. It asks nobody for anything. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { checkpointOf } from "@svc/shared/light/checkpointOf.ts";
import { CoreReceipts, type ReceiptAnchor } from "@svc/shared/light/coreReceipts.ts";
import { receiptMeasure } from "@svc/shared/light/yardstick.ts";
import type { ReceiptFacts } from "@svc/shared/protocol/facts/receiptFacts.ts";
import type { CheckContext } from "../checkContext.ts";
import type { CheckStep } from "../checkReport.ts";

/** A receipt, and what is asked of it. */
export type AskedReceipt = {
  readonly receipt: Uint8Array;
  /** The text that the asker gave; empty for none. */
  readonly challenge: string;
  /** What a node showed of its chain; null to check the receipt alone. */
  readonly anchor: ReceiptAnchor | null;
};

/** What a receipt shows, or why it is refused. */
export type ReceiptReport = {
  /** Whether the network is one that this program knows; of another one the profile is the server's word. */
  readonly isKnownNetwork: boolean;
  readonly networkName: string;
  /** False where blocks take no work. */
  readonly asksForWork: boolean;
  /** Milliseconds between blocks of the network. */
  readonly blockTimeMs: bigint;
  readonly shown: { readonly facts: ReceiptFacts; readonly address: string } | null;
  readonly refused: ErrorJson | null;
};

type ReceiptContext = Omit<CheckContext, "source">;

/** Checks one. */
export function checkReceipt(
  context: ReceiptContext,
  { receipt, challenge, anchor }: AskedReceipt,
): ReceiptReport {
  const { core, profileJson, profileDigest, hrp, networkName, isKnownNetwork, nowMs } = context;
  const profile = readProfile(profileJson);
  const network = {
    ...{ isKnownNetwork, networkName },
    asksForWork: !profile.skipProofOfWork,
    blockTimeMs: BigInt(profile.targetTimePerBlockMs),
  };
  const receipts = new CoreReceipts(core, profileJson);
  const measure = receiptMeasure(checkpointOf(profileDigest), nowMs());
  const question = { ...measure, ...(challenge !== "" && { challenge }) };
  try {
    const facts =
      anchor === null
        ? receipts.check(receipt, question)
        : receipts.checkInChain(receipt, anchor, question);
    const address = callCore(() => core.encodeAddress(hrp, decodeHex(facts.recipient)));
    return { ...network, shown: { facts, address }, refused: null };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { ...network, shown: null, refused: error.toJSON() };
  }
}

/** The block that a receipt stands on, by its own word. Throws `codec/*`. */
export function receiptHeader({ core, profileJson }: ReceiptContext, receipt: Uint8Array): string {
  return new CoreReceipts(core, profileJson).headerOf(receipt);
}

/** Where the server's rules are not those of the network that it names nothing can be judged. Throws `wallet/node-wrong-network`. */
export function foreignReceipt(steps: readonly CheckStep[]): never {
  const [step] = steps;
  const data = { expected: step?.expected ?? "", found: step?.found ?? "" };
  throw new SvcError("wallet/node-wrong-network", data);
}
