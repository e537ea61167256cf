/**
 * Which country an IP address is given out in, by a table of the operator's: lines `FIRST,LAST,CC` of first and last address of a range
 * and the two letters of the country, as free tables are written. Nothing is looked up anywhere.
 */
import { isIPv4 } from "node:net";
import { readCsv } from "@svc/shared/base/csv.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { ipBytes, isName, isRoutable, parseNetAddress } from "./netAddress.ts";

const FIELDS = 3;
/** Characters of the longest address. */
const ADDRESS_CHARS = 64;
const COUNTRY_FORM = /^[A-Z]{2}$/;
/** What tables write for addresses of no country. */
const NO_COUNTRY = "ZZ";
/** Any: the port is not looked at. */
const PORT = 1;
const IPV4_AT = 12;

/** Ranges of one kind of address, the lowest first. */
type Ranges = {
  readonly first: BigUint64Array;
  readonly last: BigUint64Array;
  readonly country: readonly string[];
};

type Row = { readonly first: bigint; readonly last: bigint; readonly country: string };

/** A table of countries. */
export class CountryTable {
  readonly #ipv4: Ranges;
  readonly #ipv6: Ranges;

  private constructor(ipv4: readonly Row[], ipv6: readonly Row[]) {
    this.#ipv4 = rangesOf(ipv4);
    this.#ipv6 = rangesOf(ipv6);
  }

  /** Reads a table. Throws `codec/bad-csv`, also for more than `countryRanges` lines. */
  static parse(text: string): CountryTable {
    const bounds = {
      records: PLATFORM_LIMITS.countryRanges,
      fields: FIELDS,
      chars: ADDRESS_CHARS,
    };
    const [ipv4, ipv6]: [Row[], Row[]] = [[], []];
    for (const { line, fields } of readCsv(text, bounds)) {
      const [from = "", to = "", country = ""] = fields;
      const [first, last] = [plainIp(from), plainIp(to)];
      const sameKind = first !== null && last !== null && isIPv4(first) === isIPv4(last);
      if (!sameKind || !COUNTRY_FORM.test(country)) {
        throw new SvcError("codec/bad-csv", { line, reason: "it is not FIRST,LAST,CC" });
      }
      if (country === NO_COUNTRY) continue;
      const row = { first: keyOf(first), last: keyOf(last), country };
      (isIPv4(first) ? ipv4 : ipv6).push(row);
    }
    return new CountryTable(ipv4, ipv6);
  }

  /** The two letters of a country; null for a name, an address of a private network, and one that is in no range. */
  countryOf(ip: string): string | null {
    const plain = plainIp(ip);
    if (plain === null || isName(plain) || !isRoutable(plain)) return null;
    const { first, last, country } = isIPv4(plain) ? this.#ipv4 : this.#ipv6;
    const key = keyOf(plain);
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((first[middle] ?? 0n) <= key) low = middle + 1;
      else high = middle;
    }
    const end = last[low - 1];
    return end !== undefined && key <= end ? (country[low - 1] ?? null) : null;
  }
}

function plainIp(text: string): string | null {
  return parseNetAddress(text, PORT)?.ip ?? null;
}

/** An IPv4 address, or the upper half of an IPv6 address: no country is given less. */
function keyOf(ip: string): bigint {
  const bytes = Buffer.from(ipBytes(ip));
  return isIPv4(ip) ? BigInt(bytes.readUInt32BE(IPV4_AT)) : bytes.readBigUInt64BE(0);
}

function rangesOf(rows: readonly Row[]): Ranges {
  const sorted = rows.toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)));
  return {
    first: BigUint64Array.from(sorted.map(({ first }) => first)),
    last: BigUint64Array.from(sorted.map(({ last }) => last)),
    country: sorted.map(({ country }) => country),
  };
}
