/** `svc walletd doctor`: prints what an examination of the wallet folder finds. */
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { examineFolder } from "../../walletd/tools/examineFolder.ts";
import { findingLine, worstOf, type FindingLevel } from "../../walletd/tools/finding.ts";
import { EXIT_STATUS } from "../program/exitStatus.ts";
import type { DoctorFlags } from "./parseWalletd.ts";
import type { SecretCommand } from "./secretCommands.ts";
import { withWalletSecret } from "./walletdSecrets.ts";

const STATUS: Readonly<Record<FindingLevel, number>> = {
  note: EXIT_STATUS.fine,
  warning: EXIT_STATUS.failed,
  damage: EXIT_STATUS.damaged,
};

/** Prints a line for each finding, and how many wallets there are; the status is that of the worst. */
export async function runDoctor(
  { context, folder, options, sources }: SecretCommand,
  { json, removesLostTokens }: DoctorFlags,
): Promise<number> {
  const { wallets, findings } = await withWalletSecret(folder, sources, (secret) =>
    examineFolder(options.partsWith(secret), { removesLostTokens }),
  );
  for (const finding of findings) {
    context.print(json ? stableJson(finding) : findingLine(finding));
  }
  const worst = worstOf(findings);
  if (json) context.print(stableJson({ wallets, worst }));
  else context.print(`${wallets} wallets, ${findings.length} findings`);
  return worst === null ? EXIT_STATUS.fine : STATUS[worst];
}
