/** The command line of `svc`: its commands and its exit status. */
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EXIT_STATUS, exitStatusOf } from "./program/exitStatus.ts";
import type { CommandContext } from "./program/commandContext.ts";
import { VERSION } from "./program/version.ts";

type Command = {
  readonly text: string;
  readonly run: (context: CommandContext) => Promise<number>;
};

/** Each command loads its own modules: those of a node take most of the time of a short command. */
const COMMANDS: Readonly<Record<string, Command>> = {
  local: {
    text: "a network of your own on this machine: node, miner, wallet and blocks page",
    run: async (context) => (await import("./node/runNode.ts")).runNode("local", context),
  },
  node: {
    text: "a full node",
    run: async (context) => (await import("./node/runNode.ts")).runNode("node", context),
  },
  seeder: {
    text: "a seeder: visits the nodes of a network and names those that answer, over DNS",
    run: async (context) => (await import("./seeder/runSeeder.ts")).runSeeder(context),
  },
  sim: {
    text: "a simulated network in one process, to check that every node agrees",
    run: async (context) => (await import("./sim/runSim.ts")).runSim(context),
  },
  walletd: {
    text: "the wallet daemon: wallets behind an HTTP API, for exchanges, pools, merchants and phones",
    run: async (context) => {
      const { runWalletd } = await import("./walletd/runWalletd.ts");
      const { serveWalletd } = await import("./walletd/serveWalletd.ts");
      return runWalletd(context, serveWalletd);
    },
  },
  gateway: {
    text: "the merchant gateway: invoices, payments watched on the chain, webhooks",
    run: async (context) => {
      const { runGateway } = await import("./gateway/runGateway.ts");
      const { serveGateway } = await import("./gateway/serveGateway.ts");
      const { scanHosted } = await import("./gateway/scanHosted.ts");
      const { runDrill } = await import("./gateway/runDrill.ts");
      return runGateway(context, { serve: serveGateway, scan: scanHosted, drill: runDrill });
    },
  },
  verify: {
    text: "checks a node's database against its own blocks, from genesis",
    run: async (context) => (await import("./verify/runVerify.ts")).runVerify(context),
  },
  "verify-disclosure": {
    text: "checks a payment proof: whom a payment paid, how much, and with which memo",
    run: async (context) =>
      (await import("./disclosure/runVerifyDisclosure.ts")).runVerifyDisclosure(context),
  },
  receipt: {
    text: "makes and checks receipts: who was paid how much by which block",
    run: async (context) => (await import("./receipt/runReceipt.ts")).runReceipt(context),
  },
};

/** Runs the program with its arguments; returns the exit status. */
export async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const [name = "", ...rest] = args;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (name === "--version") {
    print(VERSION);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    print(usage());
    return ["", "help", "--help", "-h"].includes(name)
      ? EXIT_STATUS.fine
      : EXIT_STATUS.unknownCommand;
  }
  try {
    return await command.run({ args: rest, environment: process.env, print, signal });
  } catch (thrown) {
    const error = SvcError.from(thrown);
    process.stderr.write(`svc ${name}: ${sentenceOf(error)} [${error.code}]\n`);
    return exitStatusOf(error);
  }
}

function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(
    ([name, { text }]) => `  ${name.padEnd(width)}  ${text}`,
  );
  return `svc ${VERSION}\n\nsvc COMMAND [OPTION…]\n\n${lines.join("\n")}\n\nsvc COMMAND --help lists its options.`;
}
