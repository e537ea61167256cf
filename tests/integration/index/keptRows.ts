/** What of a whole index one has that keeps less. */
import {
  chainEnd,
  chainRowAt,
  lastPlace,
  transactionRowOf,
} from "@svc/node-server/indexer/tables/derivedTables.ts";
import type { KvReader } from "@svc/node-server/storage/kv.ts";
import { asChainIndex, asTxId } from "@svc/shared/base/brand.ts";
import { derivedRows } from "./indexFixture.ts";

/** The rows of a whole index that one that begins at a chain block has, too. */
export function rowsFrom(whole: Pick<KvReader, "get" | "range">, first: bigint): string[] {
  const last = chainEnd(whole, "last")?.index ?? 0n;
  const blocks = new Set<string>();
  let timestamp = 0n;
  for (let index = 0n; index <= last; index += 1n) {
    const row = chainRowAt(whole, asChainIndex(index));
    if (row === undefined) throw new Error("no chain row");
    if (index <= first && row.timestamp > timestamp) ({ timestamp } = row);
    if (index >= first) for (const hash of [row.hash, ...row.merged]) blocks.add(hash);
  }
  const isTransactionKept = (txid: string): boolean => {
    const row = transactionRowOf(whole, asTxId(txid));
    return row !== undefined && blocks.has(lastPlace(whole, row)?.block ?? "");
  };
  const numberAt = (key: string, digit: number): bigint =>
    BigInt(`0x${key.slice(digit, digit + 16)}`);
  const isKept: Readonly<Record<string, (key: string) => boolean>> = {
    chain: (key) => numberAt(key, 0) >= first,
    blocks: (key) => blocks.has(key),
    by_daa: (key) => blocks.has(key.slice(16)),
    by_time: (key) => blocks.has(key.slice(16)),
    transactions: isTransactionKept,
    places: (key) => isTransactionKept(key.slice(0, 64)),
    bins: (key) => {
      const seconds = BigInt(`0x${key.slice(0, 4)}`);
      return numberAt(key, 4) >= timestamp / (seconds * 1_000n);
    },
    ranks: (key) => 0xffff_ffff_ffff_ffffn - numberAt(key, 18) >= timestamp / 60_000n,
  };
  return derivedRows(whole).filter((line) => {
    const [table = "", key = ""] = line.split(" ");
    return isKept[table]?.(key) === true;
  });
}
