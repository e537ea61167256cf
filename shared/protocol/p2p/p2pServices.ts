/**
 * Service bits: what a program supports beyond the base protocol, announced in `services` of its introduction (specification
 * network 10.2).
 */

/** The service bits, one each. */
export const SERVICES = {
  /** The state at a pruning point with all that is committed of it, and its number in the chain (message 65). */
  extendedState: 1n << 0n,
  /** Note history from before a pruning point, in the form of docs/formats.md 2 (messages 70 and 71). */
  shieldedHistory: 1n << 1n,
  /** Payments on their stem, before anybody else is told of them (message 201, decision record 22). */
  stem: 1n << 2n,
  /** What binds anchors from before the security fork (messages 204 to 206, decision record 29). */
  anchorBindings: 1n << 3n,
  /** Pages of the anchor log below where a store began (messages 210 and 211). */
  anchorLog: 1n << 4n,
} as const;

/** The services that this program announces. */
export const OWN_SERVICES =
  SERVICES.extendedState |
  SERVICES.shieldedHistory |
  SERVICES.stem |
  SERVICES.anchorBindings |
  SERVICES.anchorLog;

/** Whether a peer announces a service. */
export function announces(services: bigint, service: keyof typeof SERVICES): boolean {
  return (services & SERVICES[service]) !== 0n;
}
