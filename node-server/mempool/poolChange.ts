/** A change of the waiting pool, as listeners hear it. */
import type { TxId } from "@svc/shared/base/brand.ts";
import type { PoolEntry } from "./poolEntry.ts";

/** Why a transaction left the pool. */
export type RemovalReason = "applied" | "conflict" | "expired" | "evicted" | "invalid";

/** The pool changed. */
export type PoolChange =
  | {
      readonly type: "added";
      readonly entry: PoolEntry;
      /** It waited when the node ended, and has been judged again. */
      readonly isRestored?: boolean;
    }
  | { readonly type: "removed"; readonly txid: TxId; readonly reason: RemovalReason };
