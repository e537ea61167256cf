/** Test helper: blocks and payments as a scan tells them, made of numbers. */
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asTimestampMs,
  asViewingKeyId,
} from "@svc/shared/base/brand.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { outputOf } from "@svc/shared/invoice/testkit/invoices.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { ScanStep } from "../scan/chainScan.ts";

/** The viewing key of the payments. */
export const SCANNED_KEY = asViewingKeyId(`key_${"1".repeat(16)}`);

const FIRST_INDEX = 0x8000_0000;

/** The chain block with a number; `fork` gives another one of that number. */
export function scannedBlock(number: number, fork = 0): ChainBlock {
  const digits = number.toString(16).padStart(56, "0");
  return {
    hash: asBlockHash(`${fork.toString(16).padStart(8, "0")}${digits}`),
    chainIndex: asChainIndex(BigInt(number)),
    blueScore: asBlueScore(BigInt(number)),
    daaScore: asDaaScore(BigInt(number)),
    timestamp: asTimestampMs(BigInt(number) * 1_000n),
    leafEnd: asLeafPosition(BigInt(number)),
  };
}

/** The payment with a number, accepted by a block. */
export function minedPayment(payment: number, block: ChainBlock): PaymentFact {
  const { hash, blueScore, daaScore, timestamp } = block;
  const accepting = { hash, blueScore, daaScore, timestampMs: timestamp };
  const output = outputOf(payment, BigInt(payment) + 1n);
  const input = { kind: "mined", output, block: accepting } as const;
  return { key: SCANNED_KEY, index: FIRST_INDEX + payment, input };
}

/** The payment with a number, in a pool or gone from it. */
export function pooledPayment(payment: number, kind: "waiting" | "gone"): PaymentFact {
  const output = outputOf(payment, BigInt(payment) + 1n);
  return { key: SCANNED_KEY, index: FIRST_INDEX + payment, input: { kind, output } };
}

/** A block behind the one before it, with these payments. */
export function stepTo(number: number, payments: readonly number[], fork = 0): ScanStep {
  const block = scannedBlock(number, fork);
  const found = payments.map((payment) => {
    return { chainIndex: block.chainIndex, fact: minedPayment(payment, block) };
  });
  const common = number === 0 ? null : asChainIndex(BigInt(number - 1));
  return { common, blocks: [block], found };
}
