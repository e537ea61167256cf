/** Amounts without floats: prices are decimal texts, coins are counted in sompi, 10^8 of which are one coin. */
const COIN_DECIMALS = 8;
/** The largest amount of an invoice. */
const SOMPI_MAX = 2n ** 63n - 1n;
const U64_MAX = 2n ** 64n - 1n;
const DECIMAL = /^(\d{1,20})(?:\.(\d{1,18}))?$/;

type Decimal = { readonly digits: bigint; readonly scale: number };

function decimalOf(text: string): Decimal | null {
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? null : { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Whether a text is a rate: a decimal above zero, without sign or exponent. */
export function isRate(text: string): boolean {
  const rate = decimalOf(text);
  return rate !== null && rate.digits > 0n;
}

/** Quotient of two whole numbers, rounded up. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** Sompi as the gateway writes them: decimal text without sign or leading zeros. Null for anything else. */
export function sompiOf(value: unknown): bigint | null {
  if (typeof value !== "string" || !/^(?:0|[1-9]\d{0,19})$/.test(value)) return null;
  const sompi = BigInt(value);
  return sompi <= U64_MAX ? sompi : null;
}

/** What Vendure counts in its smallest unit, as a decimal text: `12.50` for 1250 at a precision of 2. Null for no such number. */
export function priceText(minor: number, precision: number): string | null {
  if (!Number.isSafeInteger(minor) || minor <= 0) return null;
  const digits = String(minor).padStart(precision + 1, "0");
  const point = digits.length - precision;
  return precision === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * What a price comes to, in sompi: ceil(price × rate × 10^8). The rate is coins for one unit of the currency. Null where one of them
 * is no decimal above zero, or the amount is beyond 2^63 - 1.
 */
export function priceInSompi(price: string, rate: string): bigint | null {
  const [value, coins] = [decimalOf(price), decimalOf(rate)];
  if (value === null || coins === null || value.digits === 0n || coins.digits === 0n) return null;
  const numerator = value.digits * coins.digits * 10n ** BigInt(COIN_DECIMALS);
  const sompi = ceilDiv(numerator, 10n ** BigInt(value.scale + coins.scale));
  return sompi <= SOMPI_MAX ? sompi : null;
}

/** In whole coins with the decimals that it needs: `0.1` for 10000000. */
export function inCoins(sompi: bigint): string {
  const digits = String(sompi).padStart(COIN_DECIMALS + 1, "0");
  const fraction = digits.slice(-COIN_DECIMALS).replace(/0+$/, "");
  return digits.slice(0, -COIN_DECIMALS) + (fraction === "" ? "" : `.${fraction}`);
}
