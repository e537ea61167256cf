/** Cross-checks between our side and upstream, which have to pass before any time counts. */
import type { LineProcess } from "./lineProcess.ts";
import type { Peers } from "./peers.ts";

/** Throws unless every answer is the first one's; `what` names it for people. */
export function requireEqual(what: string, answers: Readonly<Record<string, string>>): void {
  const [first, ...rest] = Object.entries(answers);
  const other = rest.find(([, answer]) => answer !== first?.[1]);
  if (first === undefined || other === undefined) return;
  const shown = [first, other].map(([side, answer]) => `${side} ${answer.slice(0, 80)}`);
  throw new Error(`${what} differ: ${shown.join(", ")}`);
}

/** Has every build of upstream verify a payment of ours. Rejects when one refuses it. */
export async function verifiedByPeers(peers: Peers, transaction: string): Promise<void> {
  await peers.askAll({ op: "verify", transactions: [transaction] });
}

/** Has our side verify a payment of upstream's. Rejects when it refuses it. */
export async function verifiedByOurs(ours: LineProcess, transaction: string): Promise<void> {
  await ours.ask({ op: "verify", transactions: [transaction] });
}

/**
 * Rejects unless the side refuses these payments with one bit changed in the last of them: a verifier that takes everything
 * is quickest.
 */
export async function requireRefusal(
  side: LineProcess,
  op: string,
  transactions: readonly string[],
): Promise<void> {
  const damaged = [...transactions.slice(0, -1), damagedPayment(transactions.at(-1) ?? "")];
  const answer = await side.ask({ op, transactions: damaged }).then(
    () => "taken",
    () => "refused",
  );
  if (answer === "taken") throw new Error(`${op} takes a payment whose proof was changed`);
}

/** The payment with one bit changed in its middle, where the proof is. */
export function damagedPayment(transaction: string): string {
  const at = 2 * Math.floor(transaction.length / 4);
  const byte = Number.parseInt(transaction.slice(at, at + 2), 16) ^ 1;
  return `${transaction.slice(0, at)}${byte.toString(16).padStart(2, "0")}${transaction.slice(at + 2)}`;
}
