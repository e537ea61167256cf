/** `svc walletd --diagnose` and `--graft`: run the offline tools and print what they say. */
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { walletLabel, type WalletToken } from "../../walletd/keys/walletToken.ts";
import { diagnose, diagnosisLine } from "../../walletd/tools/diagnose.ts";
import { readNamedFile } from "../../walletd/tools/foreignFile.ts";
import { graft, type GraftReport } from "../../walletd/tools/graft.ts";
import { withOfflineFolder } from "../../walletd/tools/offlineFolder.ts";
import { WALLETD_LIMITS } from "../../walletd/walletdLimits.ts";
import { EXIT_STATUS } from "../program/exitStatus.ts";
import type { WalletdFlags } from "./parseWalletd.ts";
import type { SecretCommand } from "./secretCommands.ts";
import { withWalletSecret } from "./walletdSecrets.ts";

/** Prints a line for each scan; the status is 1 when one could not be read. */
export async function diagnoseOffline(
  { context, folder, options, sources }: SecretCommand,
  { json, showTokens }: Pick<WalletdFlags, "json" | "showTokens">,
): Promise<number> {
  const nameOf = showTokens ? (token: WalletToken): string => token : walletLabel;
  return await withWalletSecret(folder, sources, (secret) =>
    withOfflineFolder(options.partsWith(secret), async (open) => {
      let status: number = EXIT_STATUS.fine;
      for await (const diagnosis of diagnose(open, nameOf)) {
        context.print(json ? stableJson(diagnosis) : diagnosisLine(diagnosis));
        if ("code" in diagnosis) status = EXIT_STATUS.failed;
      }
      return status;
    }),
  );
}

/** Repairs a wallet and prints what came back. */
export async function graftOffline(
  { context, folder, options, sources }: SecretCommand,
  { token, path }: { readonly token: WalletToken; readonly path: string },
  { json }: Pick<WalletdFlags, "json">,
): Promise<void> {
  const file = await readNamedFile("--graft", path, WALLETD_LIMITS.scanFileBytes);
  const report = await withWalletSecret(folder, sources, (secret) =>
    withOfflineFolder(options.partsWith(secret), (open) => graft(open, token, file)),
  );
  const wallet = walletLabel(token);
  if (json) context.print(stableJson({ wallet, ...report }));
  else for (const line of graftLines(wallet, report)) context.print(line);
}

function graftLines(wallet: string, report: GraftReport): readonly string[] {
  const { before, after, restored, scansFrom } = report;
  const of = (name: "notes" | "balance" | "stranded"): string =>
    `${before?.[name] ?? "none"} → ${after[name]}`;
  return [
    `${wallet}: restored notes=${restored.notes} history=${restored.history} payments=${restored.payments} birthday=${restored.birthday ? "earlier" : "as before"}`,
    `${wallet}: notes ${of("notes")}, balance ${of("balance")}, stranded ${of("stranded")}`,
    `${wallet}: the daemon scans the chain again from DAA score ${scansFrom}, and finds there what was spent since`,
  ];
}
