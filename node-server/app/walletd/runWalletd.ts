/** The command `svc walletd`: its offline commands, and the daemon, which whoever calls this starts. */
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { diagnoseOffline, graftOffline } from "./diagnoseCommand.ts";
import { runDoctor } from "./doctorCommand.ts";
import { runBackup, runChangeSecret, runRestore, type SecretCommand } from "./secretCommands.ts";
import { parseWalletd, type WalletdFlags } from "./parseWalletd.ts";
import { promptSecret, systemTerminal, type Terminal } from "../program/promptSecret.ts";
import { walletdHelpText } from "./walletdFlags.ts";
import { walletFolderOptions } from "./walletFolderOptions.ts";

/** Runs the daemon until the signal fires; resolves to the exit status. */
export type ServeWalletd = (flags: WalletdFlags, context: CommandContext) => Promise<number>;

/** Runs what the command line asks for. Resolves to the exit status. */
export async function runWalletd(
  context: CommandContext,
  serve: ServeWalletd,
  terminal: Terminal | null = systemTerminal(),
): Promise<number> {
  const call = parseWalletd(context.args, context.environment);
  if (call.command === "help") {
    context.print(walletdHelpText(call.of));
    return 0;
  }
  const folder = call.command === "serve" ? call.flags : call.folder;
  const isOffline = call.command !== "serve" || call.flags.diagnose || call.flags.graft !== null;
  if (call.command === "serve" && !isOffline) return await serve(call.flags, context);
  const { signal } = context;
  const ask = terminal === null ? null : (text: string) => promptSecret(terminal, text, signal);
  const command: SecretCommand = {
    context,
    folder,
    options: walletFolderOptions(await loadCoreFile(), folder),
    sources: { env: context.environment, ask },
  };
  switch (call.command) {
    case "serve": {
      if (call.flags.graft !== null) await graftOffline(command, call.flags.graft, call.flags);
      return call.flags.diagnose ? await diagnoseOffline(command, call.flags) : 0;
    }
    case "doctor":
      return await runDoctor(command, call);
    case "change-secret":
      return await runChangeSecret(command, call);
    case "backup":
      return await runBackup(command, call);
    case "restore":
      return await runRestore(command, call);
  }
}
