/**
 * Codec of a wallet's stored state: JSON with a version, 64-bit numbers as decimal text.
 *
 * What was written is checked when it is read; a damaged record is an error, never half a wallet.
 */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import { fields } from "../../base/fields.ts";
import { quickRows } from "../codec/quickRows.ts";
import { stableJson } from "../../base/stableJson.ts";
import { unproved } from "../proof/chainProof.ts";
import { errorSchema, payeeSchema, paymentOrderSchema, paymentSchema } from "./paymentSchema.ts";
import { WALLET_STATE_VERSION, type WalletState } from "./walletState.ts";

const NOTHING_ELSE = { page: null, tip: null, compared: null };

const place = {
  chainIndex: fields.chainIndex,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  timestamp: fields.timestampMs,
};

const block = v.object({ hash: fields.blockHash, ...place, leafEnd: fields.leafPosition });

const account = v.object({
  profileDigest: v.string(),
  genesis: fields.blockHash,
  defaultAddress: fields.rawAddress,
  nextAddressIndex: fields.u32,
  birthday: block,
  bornOn: v.nullable(fields.u32),
  historyMissing: v.boolean(),
});

const note = v.object({
  position: fields.leafPosition,
  value: fields.sompi,
  recipient: fields.rawAddress,
  addressIndex: v.nullable(fields.u32),
  rho: fields.hash32,
  rseed: fields.hash32,
  cmx: fields.noteCommitment,
  nullifier: fields.nullifier,
  kind: v.picklist(["coinbase", "received", "change"]),
  txid: fields.txId,
  outputIndex: fields.u32,
  ...place,
  memo: fields.hex,
  memoKnown: v.exactOptional(v.literal(false)),
  spentBy: v.nullable(v.object({ txid: fields.txId, chainIndex: fields.chainIndex })),
});

const row = v.object({
  id: v.string(),
  kind: v.picklist(["mined", "received", "sent", "self"]),
  txid: fields.txId,
  ...place,
  amount: fields.sompi,
  fee: v.nullable(fields.sompi),
  counterparty: v.nullable(v.string()),
  // Left out by builds that read no payments back.
  payees: v.exactOptional(v.array(payeeSchema)),
  memo: fields.hex,
  memoKnown: v.exactOptional(v.literal(false)),
  addressIndex: v.nullable(fields.u32),
});

const sums = v.object({ spent: fields.hex, minted: fields.total });
const ledger = v.object({
  start: v.object({
    hash: fields.blockHash,
    chainIndex: fields.chainIndex,
    blueScore: fields.blueScore,
    daaScore: fields.daaScore,
  }),
  child: v.nullable(fields.blockHash),
  before: v.nullable(sums),
  settled: sums,
  recent: quickRows(v.object({ ...sums.entries, chainIndex: fields.chainIndex })),
});

const provedBlock = v.object({
  hash: fields.blockHash,
  chainIndex: fields.chainIndex,
  tip: fields.blockHash,
  tipBlueScore: fields.blueScore,
  tipTimestamp: fields.timestampMs,
  blocks: fields.u64,
});
const proof = v.object({
  far: v.nullable(provedBlock),
  near: v.nullable(provedBlock),
  due: v.object({ far: fields.blueScore, near: fields.blueScore }),
  floor: v.nullable(v.object({ bits: fields.u32, timestamp: fields.timestampMs })),
  fault: v.nullable(errorSchema),
  // Left out by builds that asked no second node.
  second: v.optional(
    v.object({
      page: v.nullable(errorSchema),
      tip: v.nullable(errorSchema),
      compared: v.nullable(fields.chainIndex),
    }),
    NOTHING_ELSE,
  ),
});

const walletState: v.GenericSchema<unknown, WalletState> = v.object({
  version: v.literal(WALLET_STATE_VERSION),
  account,
  blocks: v.pipe(quickRows(block), v.minLength(1)),
  notes: quickRows(note),
  history: quickRows(row),
  outbox: v.array(paymentSchema),
  orders: v.array(paymentOrderSchema),
  contradiction: v.nullable(v.object({ chainIndex: fields.chainIndex, reason: v.string() })),
  ledger: v.nullable(ledger),
  proof,
});

/** Encodes a state as JSON. Equal states give equal text, whatever the order of their fields. */
export function encodeWalletState(state: WalletState): string {
  return stableJson(state);
}

/**
 * Decodes the JSON; a state of an older version is brought up to this one. Throws `store/version` for another version and
 * `store/corrupt` for damage.
 */
export function decodeWalletState(json: string): WalletState {
  return readWalletState(parseJson(json));
}

/** As `decodeWalletState`, for JSON that is parsed and not checked yet. */
export function readWalletState(json: unknown): WalletState {
  const parsed = fromVersion3(fromVersion2(fromVersion1(json)));
  const version: unknown =
    typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "version") : undefined;
  if (typeof version === "number" && version !== WALLET_STATE_VERSION) {
    throw new SvcError("store/version", { expected: WALLET_STATE_VERSION, found: version });
  }
  const result = parseState(parsed);
  if (!result.success) throw corrupt(v.getDotPath(result.issues[0]) ?? "state");
  return result.output;
}

/**
 * Version 1 knew no day of birth, no missing history and no contradictions: the day stays unknown, so a scan that cannot
 * begin where this wallet began falls back to genesis.
 */
function fromVersion1(parsed: unknown): unknown {
  if (typeof parsed !== "object" || parsed === null || !("version" in parsed)) return parsed;
  if (parsed.version !== 1 || !("account" in parsed)) return parsed;
  const { account } = parsed;
  if (typeof account !== "object" || account === null) return parsed;
  const known = { ...account, bornOn: null, historyMissing: false };
  return { ...parsed, version: 2, account: known, contradiction: null };
}

/** Version 2 counted nothing beside its notes, and nothing was proved. */
function fromVersion2(parsed: unknown): unknown {
  if (typeof parsed !== "object" || parsed === null || !("version" in parsed)) return parsed;
  if (parsed.version !== 2) return parsed;
  const proof: unknown = JSON.parse(stableJson(unproved(null)));
  return { ...parsed, version: 3, ledger: null, proof };
}

/** Version 3 knew payments of one transaction alone. */
function fromVersion3(parsed: unknown): unknown {
  if (typeof parsed !== "object" || parsed === null || !("version" in parsed)) return parsed;
  return parsed.version === 3 ? { ...parsed, version: 4, orders: [] } : parsed;
}

/** Statuses hold statuses: damage that nests them deeper than the stack is reported as damage. */
function parseState(parsed: unknown) {
  try {
    return v.safeParse(walletState, parsed);
  } catch (error) {
    throw corrupt("nested too deep", error);
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw corrupt("not JSON", error);
  }
}

function corrupt(reason: string, cause?: unknown): SvcError {
  return new SvcError("store/corrupt", { table: "wallet", reason }, cause);
}
