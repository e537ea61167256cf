/** Tells the person at the terminal when a node can judge payments. */
import type { CommandContext } from "../program/commandContext.ts";
import type { RunningNode } from "./node.ts";

/** What is asked of a node. */
type Keys = Pick<RunningNode, "keysReady"> & {
  readonly api: { readonly status: () => { readonly proverReady: boolean } };
};

/** Payments are refused until the verifying keys exist: says so, and when they do, be it before the servers listened. */
export function tellKeys(
  node: Keys,
  { print, signal }: Pick<CommandContext, "print" | "signal">,
): void {
  if (!node.api.status().proverReady) print("building the verifying keys in the background …");
  void node.keysReady.then(
    () => signal.aborted || print("verifying keys ready: payments are accepted"),
  );
}
