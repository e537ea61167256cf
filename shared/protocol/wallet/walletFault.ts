/** The error of a request that a schema of the wallet API refused. */
import type * as v from "valibot";
import type { SvcError } from "../../base/svcError.ts";
import { wireFault } from "../contract/wireFault.ts";

const COUNTED: ReadonlyMap<string, string> = new Map([["payees", "payee"]]);

/** As `wireFault`, with `payee 3: to` for a field of one of many payees. */
export function walletFault(issues: readonly v.BaseIssue<unknown>[], whole: string): SvcError {
  return wireFault(issues, whole, COUNTED);
}
