/** Tells two looks of a checkout page apart: the server writes the mark into the page, its script makes that of each record it hears. */

/** The fields of a checkout record that change what the page says, confirmations and clock apart. */
export type MarkedRecord = {
  readonly status: string;
  readonly version: number;
  readonly dueSompi: string;
  readonly seenSompi: string;
  readonly late: boolean;
  readonly expired: boolean;
  readonly canTopUp: boolean;
  readonly expiresAt: number;
};

/** The mark. */
export function checkoutMark(record: MarkedRecord): string {
  const { status, version, dueSompi, seenSompi, late, expired, canTopUp, expiresAt } = record;
  return [status, version, dueSompi, seenSompi, late, expired, canTopUp, expiresAt].join(" ");
}
