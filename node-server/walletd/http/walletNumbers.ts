/** Numbers of answers: amounts in the two forms that the API has for each, and statuses made of them. */
import { COIN_DECIMALS, SOMPI_PER_COIN } from "@svc/shared/base/money.ts";
import type { Balances } from "@svc/shared/wallet/plan/balances.ts";

/** Coins with all eight decimals: `12.50000000`. */
export function fixedCoins(value: bigint): string {
  const fraction = (value % SOMPI_PER_COIN).toString().padStart(COIN_DECIMALS, "0");
  return `${value / SOMPI_PER_COIN}.${fraction}`;
}

/** The amounts of a wallet as `/api/status` and `/api/wallet/balance` write them. */
export function balanceFields(balances: Omit<Balances, "returning">) {
  const { total, spendable, maturing, pendingIn, pendingOut } = balances;
  return {
    balance_sompi: total,
    balance_fc: fixedCoins(total),
    spendable_sompi: spendable,
    spendable_fc: fixedCoins(spendable),
    maturing_sompi: maturing,
    maturing_fc: fixedCoins(maturing),
    pending_in_sompi: pendingIn,
    pending_in_fc: fixedCoins(pendingIn),
    pending_out_sompi: pendingOut,
    pending_out_fc: fixedCoins(pendingOut),
  };
}
