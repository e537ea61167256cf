/** Scoped tokens: credentials that open part of what a wallet's own token opens. Of a credential its hash alone is stored. */
import * as v from "valibot";
import type { RawAddress, Sompi, TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import { countOf, pairsFrom, nameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { tellCounts, type TellFlaw } from "../../storage/rows/storeFlaw.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { sealedTable } from "./sealedTable.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** What a token is good for: to look, to have payments prepared that a device signs, to spend. None holds another. */
export type TokenScope = "view" | "prepare" | "spend";

/** Bounds of what a token spends; null where there is none. */
export type TokenLimits = {
  /** What may leave the wallet on one day (UTC). */
  readonly daySompi: Sompi | null;
  readonly payees: readonly RawAddress[] | null;
  /** A payment of more waits for the owner's approval. */
  readonly approvalAboveSompi: Sompi | null;
};

/** A scoped token. */
export type TokenRow = {
  /** 16 random bytes as hex: its name, which is no credential. */
  readonly id: string;
  /** The wallet. */
  readonly token: string;
  readonly label: string;
  readonly scope: readonly TokenScope[];
  readonly limits: TokenLimits;
  readonly createdMs: TimestampMs;
  /** Null for never. */
  readonly expiresMs: TimestampMs | null;
  readonly revokedMs: TimestampMs | null;
  /** Null before the first use. */
  readonly usedMs: TimestampMs | null;
};

const ID_FORM = /^[0-9a-f]{32}$/;
const HASH_BYTES = 32;

/** The bounds of a token as they are stored. */
export const limitsSchema: v.GenericSchema<unknown, TokenLimits> = v.object({
  daySompi: v.nullable(fields.sompi),
  payees: v.nullable(v.array(fields.rawAddress)),
  approvalAboveSompi: v.nullable(fields.sompi),
});

const schema: v.GenericSchema<unknown, TokenRow> = v.object({
  id: v.pipe(v.string(), v.regex(ID_FORM)),
  token: v.string(),
  label: v.string(),
  scope: v.array(v.picklist(["view", "prepare", "spend"])),
  limits: limitsSchema,
  createdMs: fields.timestampMs,
  expiresMs: v.nullable(fields.timestampMs),
  revokedMs: v.nullable(fields.timestampMs),
  usedMs: v.nullable(fields.timestampMs),
});

const hashRow = jsonCodec<{ readonly hash: string }>(v.object({ hash: fields.hash32 }));

/** The tokens by the SHA-256 of their credentials, and by wallet and id. Reads throw as those of `RowTable` do. */
export class TokenTable {
  readonly #store: StoreReader;
  readonly #rows: RowTable<TokenRow>;
  readonly #ids = new RowTable({
    table: STORE_TABLES.tokensByWallet,
    name: "tokens_by_wallet",
    codec: hashRow,
    seal: null,
  });

  constructor(store: StoreReader, seal: RowSeal | null) {
    this.#store = store;
    this.#rows = sealedTable("tokens", jsonCodec(schema), seal);
  }

  /** The token with this hash, 64 hex digits, or undefined. */
  get(hash: string, reader: StoreReader = this.#store): TokenRow | undefined {
    return this.#rows.get(reader, decodeHex(hash, HASH_BYTES));
  }

  /** Whether there is a token with this hash, also one whose row does not read. */
  has(hash: string, reader: StoreReader = this.#store): boolean {
    return reader.get(STORE_TABLES.tokens, decodeHex(hash, HASH_BYTES)) !== undefined;
  }

  /** The hash of a wallet's token; undefined for an id that is not its own, or none. */
  hashOf(token: string, id: string, reader: StoreReader = this.#store): string | undefined {
    return ID_FORM.test(id) ? this.#ids.get(reader, idKey(token, id))?.hash : undefined;
  }

  /** The tokens of a wallet, in the order of their ids. */
  *ofWallet(token: string, reader: StoreReader = this.#store): Generator<TokenRow, void> {
    for (const { row } of this.#ids.from(reader, nameKey(token))) {
      const found = this.get(row.hash, reader);
      if (found === undefined) throw this.#ids.corrupt("an id without its token");
      yield found;
    }
  }

  /** Stores a token, new or changed. */
  put(batch: StoreBatch, hash: string, row: TokenRow): void {
    this.#rows.put(batch, decodeHex(hash, HASH_BYTES), row);
    this.#ids.put(batch, idKey(row.token, row.id), { hash });
  }

  /** Forgets a token. */
  delete(batch: StoreBatch, hash: string, { token, id }: Pick<TokenRow, "token" | "id">): void {
    this.#rows.delete(batch, decodeHex(hash, HASH_BYTES));
    this.#ids.delete(batch, idKey(token, id));
  }

  /** Tells what is wrong with the tokens, and with the index over them. */
  audit(tell: TellFlaw): void {
    const { tokens, tokensByWallet } = STORE_TABLES;
    for (const { key, row } of this.#rows.audit(this.#store, tell)) {
      const place = this.#store.get(tokensByWallet, idKey(row.token, row.id));
      if (place === undefined) tell("tokens", "a token is missing in its index");
      else if (this.#hashAt(idKey(row.token, row.id)) !== encodeHex(key)) {
        tell("tokens_by_wallet", "an id of another token");
      }
    }
    const [found, expected] = [countOf(this.#store, tokensByWallet), countOf(this.#store, tokens)];
    tellCounts(tell, "tokens_by_wallet", { found, expected });
  }

  /**
   * Forgets the committed tokens whose rows nobody can open any more, damaged ones or those whose key is gone, and ids that name no
   * token. Returns the hashes of these tokens.
   */
  deleteLost(batch: StoreBatch): readonly string[] {
    const readable = new Set<string>();
    for (const { key } of this.#rows.audit(this.#store, () => undefined))
      readable.add(encodeHex(key));
    const lost: string[] = [];
    for (const { key } of pairsFrom(this.#store, STORE_TABLES.tokens, Uint8Array.of())) {
      if (readable.has(encodeHex(key))) continue;
      this.#rows.delete(batch, key);
      lost.push(encodeHex(key));
    }
    for (const { key } of pairsFrom(this.#store, STORE_TABLES.tokensByWallet, Uint8Array.of())) {
      if (!readable.has(this.#hashAt(key) ?? "")) this.#ids.delete(batch, key);
    }
    return lost;
  }

  /** The hash under a key of the index; null for a row that does not read. */
  #hashAt(key: Uint8Array): string | null {
    try {
      return this.#ids.get(this.#store, key)?.hash ?? null;
    } catch {
      return null;
    }
  }

  /** Forgets the committed tokens of a wallet that is deleted, and returns their hashes. */
  deleteWallet(batch: StoreBatch, token: string): readonly string[] {
    const hashes: string[] = [];
    for (const { key } of pairsFrom(this.#store, STORE_TABLES.tokensByWallet, nameKey(token))) {
      const hash = this.#ids.get(this.#store, key)?.hash;
      this.#ids.delete(batch, key);
      if (hash === undefined) continue;
      this.#rows.delete(batch, decodeHex(hash, HASH_BYTES));
      hashes.push(hash);
    }
    return hashes;
  }
}

function idKey(token: string, id: string): Uint8Array {
  return concatBytes(nameKey(token), decodeHex(id));
}
