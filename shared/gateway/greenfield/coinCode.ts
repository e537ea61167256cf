/** The code of the network's coin where the BTCPay interface wants a currency or a payment method: the prefix of its addresses, in capitals. */

/** The code of a network whose addresses have this prefix. */
export function coinCode(prefix: string): string {
  return prefix.toUpperCase();
}

/** The code of the network that an address is of. */
export function coinOfAddress(address: string): string {
  return coinCode(address.split(":")[0] ?? "");
}
