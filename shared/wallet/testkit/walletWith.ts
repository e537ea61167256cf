/** Test helper: a wallet with given notes. */
import { applyFacts } from "../reduce/applyFacts.ts";
import type { WalletState } from "../state/walletState.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "./chainModel.ts";

/** A wallet with one mature note a value, oldest first, and young notes on top. */
export function walletWith(values: readonly bigint[], young: readonly bigint[] = []): WalletState {
  const model = new ChainModel();
  for (const value of values) model.add({ mined: [value] });
  model.addEmpty(20);
  model.add({ mined: young });
  return applyFacts(freshWallet(), model.page(1), TEST_POLICY);
}

/** The same with many mature notes, that lie in one block. */
export function walletOfOneBlock(values: readonly bigint[]): WalletState {
  const model = new ChainModel();
  model.add({ mined: values });
  model.addEmpty(20);
  return applyFacts(freshWallet(), model.page(1), TEST_POLICY);
}
