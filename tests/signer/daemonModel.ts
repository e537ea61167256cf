/** Model of a wallet daemon that prepares payments as it is told to, honest or not, and writes its answers as daemons do. */
import { blake3 } from "@noble/hashes/blake3.js";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import type { PrepareBody, SubmitBody, WalletDaemon } from "@svc/shared/signer/walletDaemon.ts";

const ACTIONS_AT = 109;
/** Id of the payments that the model takes. */
export const TXID = "ab".repeat(32);

/** The fields of an answer that a test may change before it is written. */
export type Answer = {
  session: string;
  sighash: string;
  value_balance: unknown;
  amount_sompi: unknown;
  fee_sompi: unknown;
  remaining_sompi: unknown;
  amount_sompi_exact: string;
  fee_sompi_exact: string;
  remaining_sompi_exact: string;
  spend_auth: { index: number; alpha: string }[];
  bundle_hex: string;
  disclosure: Record<string, unknown>[];
  preparedPayment: Record<string, unknown> | null;
  fast_path: boolean;
};

/** What the daemon says beside a payment. */
export type Said = {
  /** Address of the payee. */
  readonly to: string;
  readonly sighash: string;
  /** Sompi that it leaves unpaid. */
  readonly remaining: bigint;
};

/** The answer of `POST /api/wallet/prepare` for a payment, with its proof and with the older envelope. */
export function answerOf(prepared: PreparedPayment, said: Said): Answer {
  const [payment] = prepared.payments;
  const amount = payment?.value ?? 0n;
  const { fee } = prepared;
  const bundle_hex = encodeHex(withProof(prepared.bundle));
  return {
    session: prepared.session,
    sighash: said.sighash,
    value_balance: Number(fee),
    amount_sompi: Number(amount),
    fee_sompi: Number(fee),
    remaining_sompi: Number(said.remaining),
    amount_sompi_exact: String(amount),
    fee_sompi_exact: String(fee),
    remaining_sompi_exact: String(said.remaining),
    spend_auth: prepared.alphas.map((alpha) => ({ ...alpha })),
    bundle_hex,
    disclosure: prepared.disclosure.map((entry) => ({
      spend_value: Number(entry.spendValue),
      out_value: Number(entry.outValue),
      out_recipient: entry.outRecipient,
      out_rseed: entry.outRseed,
      rcv: entry.rcv,
    })),
    preparedPayment: envelopeOf(prepared, said.to, bundle_hex),
    fast_path: true,
  };
}

/** The envelope of version 2, with its checksum. */
export function envelopeOf(
  prepared: PreparedPayment,
  to: string,
  bundle: string,
): Record<string, unknown> {
  return withChecksum({
    format: "svc-prepared-payment",
    version: 2,
    networkDomain: prepared.network,
    recipient: to,
    amount: String(prepared.payments[0]?.value ?? 0n),
    fee: String(prepared.fee),
    txContext: `02${"00".repeat(37)}`,
    bundle,
    disclosure: prepared.disclosure.map((entry) => ({
      spendValue: String(entry.spendValue),
      outValue: String(entry.outValue),
      outRecipient: entry.outRecipient,
      outRseed: entry.outRseed,
      rcv: entry.rcv,
    })),
    spendAuth: prepared.alphas.map(({ index, alpha }) => ({ actionIndex: index, alpha })),
  });
}

/** An envelope's fields with the checksum over them. */
export function withChecksum(envelope: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify({ ...envelope, checksum: "" });
  const checksum = encodeHex(blake3(new TextEncoder().encode(text)));
  return { ...envelope, checksum };
}

/** The bundle with a proof of the length that its actions ask for, which nobody can check without the circuit. */
function withProof(bundle: Uint8Array): Uint8Array {
  const actions = new DataView(bundle.buffer, bundle.byteOffset).getUint32(ACTIONS_AT);
  const proofAt = ACTIONS_AT + 4 + actions * 884 + 4;
  const proof = new Uint8Array(2_720 + actions * 2_272).fill(0xab);
  const bytes = new Uint8Array(bundle.length + proof.length);
  bytes.set(bundle.subarray(0, proofAt));
  new DataView(bytes.buffer).setUint32(proofAt - 4, proof.length);
  bytes.set(proof, proofAt);
  bytes.set(bundle.subarray(proofAt), proofAt + proof.length);
  return bytes;
}

/** A daemon that gives these answers one after the other, and remembers what it was asked and given. */
export class DaemonModel implements WalletDaemon {
  readonly prepares: PrepareBody[] = [];
  readonly submits: SubmitBody[] = [];
  /** Sessions that it has sent, each once. */
  readonly sent = new Set<string>();
  /** What `submit` throws instead of taking the signatures, by the number of the call. */
  readonly failures = new Map<number, Error>();
  /** What the caller gets in place of the answer to a `submit` that was taken, by the number of the call. */
  readonly losses = new Map<number, Error | string>();
  /** Waits that were asked for, in ms. */
  readonly pauses: number[] = [];
  /** What it says of itself. */
  status = async (): Promise<string> => JSON.stringify({ spend_ready: true });
  /** Waits, unless a test says otherwise, no time at all. */
  pause: WalletDaemon["pause"] = async (ms) => void this.pauses.push(ms);
  readonly #answers: Answer[];

  constructor(answers: readonly Answer[]) {
    this.#answers = [...answers];
  }

  async prepare(body: PrepareBody): Promise<string> {
    this.prepares.push(body);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error("nothing more was prepared");
    return JSON.stringify(answer);
  }

  async submit(body: SubmitBody): Promise<string> {
    const call = this.submits.push(body);
    const failure = this.failures.get(call);
    if (failure !== undefined) throw failure;
    this.sent.add(body.session);
    const loss = this.losses.get(call);
    if (typeof loss === "string") return loss;
    if (loss !== undefined) throw loss;
    return JSON.stringify({ txid: TXID, txids: [TXID], tx_count: 1 });
  }
}
