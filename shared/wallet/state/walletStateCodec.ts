/**
 * Codec of a wallet's stored state: JSON with a version, 64-bit numbers as decimal text.
 *
 * What was written is checked when it is read; a damaged record is an error, never half a wallet.
 */
import * as v from "valibot";
import { isCode, SvcError, type ErrorJson } from "../../base/svcError.ts";
import { fields } from "../../base/fields.ts";
import type { PaymentStatus } from "./payment.ts";
import { WALLET_STATE_VERSION, type WalletState } from "./walletState.ts";

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
  memo: fields.hex,
  addressIndex: v.nullable(fields.u32),
});

const errorJson: v.GenericSchema<unknown, ErrorJson> = v.object({
  code: v.pipe(v.string(), v.guard(isCode)),
  data: v.record(v.string(), v.string()),
});

/** Chain states nest at most expired → accepted → settled on top of a local one. */
const status: v.GenericSchema<unknown, PaymentStatus> = v.variant("state", [
  v.object({
    state: v.picklist(["draft", "planned", "proving", "signing", "signed", "cancelled"]),
  }),
  v.object({
    state: v.picklist(["broadcasting", "mempool"]),
    attempts: fields.u32,
    lastAttemptMs: fields.timestampMs,
    lastError: v.nullable(errorJson),
  }),
  v.object({ state: v.literal("failed"), error: errorJson }),
  v.object({
    state: v.picklist(["accepted", "settled"]),
    at: fields.chainIndex,
    blueScore: fields.blueScore,
    previous: v.nullable(v.lazy(() => status)),
  }),
  v.object({
    state: v.literal("conflicted"),
    at: fields.chainIndex,
    txid: fields.txId,
    previous: v.nullable(v.lazy(() => status)),
  }),
  v.object({
    state: v.literal("expired"),
    at: fields.chainIndex,
    previous: v.nullable(v.lazy(() => status)),
  }),
]);

const payment = v.object({
  id: v.string(),
  createdMs: fields.timestampMs,
  payees: v.array(
    v.object({
      address: fields.addressText,
      recipient: fields.rawAddress,
      value: fields.sompi,
      memo: fields.hex,
      own: v.boolean(),
    }),
  ),
  fee: fields.sompi,
  change: fields.sompi,
  anchor: v.nullable(
    v.object({ hash: fields.blockHash, root: fields.anchor, blueScore: fields.blueScore }),
  ),
  reserved: v.array(
    v.object({
      position: fields.leafPosition,
      nullifier: fields.nullifier,
      value: fields.sompi,
    }),
  ),
  txid: v.nullable(fields.txId),
  raw: v.nullable(fields.hex),
  status,
});

const walletState: v.GenericSchema<unknown, WalletState> = v.object({
  version: v.literal(WALLET_STATE_VERSION),
  account,
  blocks: v.pipe(v.array(block), v.minLength(1)),
  notes: v.array(note),
  history: v.array(row),
  outbox: v.array(payment),
  contradiction: v.nullable(v.object({ chainIndex: fields.chainIndex, reason: v.string() })),
});

/** Encodes a state as JSON. Equal states give equal text, whatever the order of their fields. */
export function encodeWalletState(state: WalletState): string {
  return JSON.stringify(state, (_, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * Decodes the JSON; a state of an older version is brought up to this one. Throws `store/version` for another version and
 * `store/corrupt` for damage.
 */
export function decodeWalletState(json: string): WalletState {
  const parsed = upgraded(parseJson(json));
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
function upgraded(parsed: unknown): unknown {
  if (typeof parsed !== "object" || parsed === null || !("version" in parsed)) return parsed;
  if (parsed.version !== 1 || !("account" in parsed)) return parsed;
  const { account } = parsed;
  if (typeof account !== "object" || account === null) return parsed;
  const known = { ...account, bornOn: null, historyMissing: false };
  return { ...parsed, version: 2, account: known, contradiction: null };
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
