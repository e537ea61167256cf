/** Interface of an open wallet as sending uses it: its state, the tree under it, and changes of it that are durable. */
import type { SvcError } from "../../base/svcError.ts";
import type { NoteTree } from "./noteTree.ts";
import type { NodeTip } from "./ports.ts";
import type { WalletState } from "./walletState.ts";

/** An open wallet. A browser has one (`WalletSync`); a daemon has many over one scan. */
export interface WalletHandle {
  /** The last committed state. */
  readonly state: WalletState;
  /** The tree of that state. Valid until the next change. */
  readonly tree: NoteTree;
  /** What the node last said about its tip; null before it has answered. */
  readonly tip: NodeTip | null;
  /** What stands between the pages that came and the state; null for nothing. */
  readonly fault: SvcError | null;
  /** Changes the state alone, not the tree; durable when it resolves. Rejects with what `change` throws, or with the store's error. */
  update(change: (state: WalletState) => WalletState): Promise<WalletState>;
  /** As `update`, for what the next start would do anyway: it holds even where it cannot be stored now. */
  hold(change: (state: WalletState) => WalletState): Promise<WalletState>;
  /** Calls `listener` after every change; the answer stops it. */
  subscribe(listener: (state: WalletState) => void): () => void;
}
