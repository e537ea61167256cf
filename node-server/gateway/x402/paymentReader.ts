/** Reads payments that clients hand over: what they spend by the core, and what they pay to an address by trial decryption with its viewing key. */
import { asTxId, type Nullifier, type TxId, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { InvoiceAddress, PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import { readPaymentFacts } from "@svc/shared/protocol/facts/paymentFacts.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import type { NodePort } from "@svc/shared/wallet/state/ports.ts";
import { KeySets, type KeySet } from "../../scanning/keySets.ts";
import type { IncomingScanPort } from "../../scanning/scanThreads.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ScannedKey } from "../scan/scannedKey.ts";

/** What a payment spends, and what it pays to one address. */
export type ReadPayment = {
  readonly txid: TxId;
  readonly nullifiers: readonly Nullifier[];
  readonly outputs: readonly PaymentOutput[];
};

/** Dependencies. */
export type PaymentReaderParts = {
  readonly core: Pick<CoreGlue, "transactionId" | "transactionSummary" | "mempoolFrame">;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly node: Pick<NodePort, "tip">;
  readonly scan: IncomingScanPort;
  readonly keyOf: (id: ViewingKeyId) => ScannedKey | undefined;
};

/** Reads payments one at a time. */
export class PaymentReader {
  readonly #parts: PaymentReaderParts;
  readonly #sets = new LruMap<ViewingKeyId, KeySet<ScannedKey>>(GATEWAY_LIMITS.paymentKeys);

  constructor(parts: PaymentReaderParts) {
    this.#parts = parts;
  }

  /** Id of a RawTransaction. Throws `codec/…`. */
  txidOf(raw: Uint8Array): TxId {
    return asTxId(callCore(() => this.#parts.core.transactionId(raw)));
  }

  /**
   * Reads a payment. A note at another address of the key is none of its outputs. Rejects with `codec/…`, `shielded/…`, `tx/…` for
   * bytes that are no payment; with `http/unavailable` while the key is not scanned, and with the node's errors.
   */
  async read(raw: Uint8Array, address: InvoiceAddress, signal: AbortSignal): Promise<ReadPayment> {
    const { core, profileJson, node, scan } = this.#parts;
    const { daaScore } = await node.tip(signal);
    const summary = callCore(() => core.transactionSummary(profileJson, raw, daaScore));
    const { txid, nullifiers } = readPaymentFacts(summary);
    const frame = callCore(() => core.mempoolFrame(profileJson, raw, daaScore));
    const { page } = poolRecord(frame);
    const [facts] = await scan.scanIncoming(page, [this.#setOf(address.key)], signal);
    const notes = [...(facts?.found.values() ?? [])].flat();
    const outputs = notes
      .filter(
        ({ addressIndex, recipient }) =>
          addressIndex === address.index && recipient === address.raw,
      )
      .map(({ outputIndex, cmx, value }) => ({ txid, outputIndex, cmx, amount: value }));
    return { txid, nullifiers, outputs };
  }

  #setOf(id: ViewingKeyId): KeySet<ScannedKey> {
    const known = this.#sets.get(id);
    if (known !== undefined) return known;
    const key = this.#parts.keyOf(id);
    const rules = { keyOf: ({ ivk }: ScannedKey) => ivk, keysPerSet: 1 };
    const [set] = key === undefined ? [] : new KeySets<ScannedKey>(rules).setsOf([key]);
    if (set === undefined) {
      throw new SvcError("http/unavailable", { reason: "the viewing key is not scanned yet" });
    }
    this.#sets.set(id, set);
    return set;
  }
}
