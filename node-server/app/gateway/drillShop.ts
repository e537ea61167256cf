/** The merchant's shop in a drill: its orders are placed and its goods counted by commands of the merchant, or by a person. */
import { execFile } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { promisify } from "node:util";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { DrillShop } from "../../gateway/drill/runScenes.ts";
import { GATEWAY_LIMITS } from "../../gateway/gatewayLimits.ts";
import { guarded } from "../../platform/net/guarded.ts";
import type { Environment } from "../options/readOptions.ts";

/** A terminal: a person's answers, and where questions go, which is never standard output. */
export type DrillTerminal = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
};

/** How the shop is worked. */
export type DrillShopParts = {
  /** Null: a person places orders. */
  readonly orderCommand: string | null;
  /** Null: a person counts. */
  readonly handedOverCommand: string | null;
  /** That of the commands, besides what they are told. */
  readonly environment: Environment;
  readonly terminal: DrillTerminal;
};

const run = promisify(execFile);
const WHOLE = /^\d{1,9}$/;

/**
 * Makes it. A command that fails, prints too much or takes too long rejects with `node/bad-option`, and ends the drill: it says nothing
 * of the shop.
 */
export function drillShop(parts: DrillShopParts): DrillShop {
  const { orderCommand, handedOverCommand, terminal } = parts;
  return {
    ordersItself: orderCommand !== null,
    countsItself: handedOverCommand !== null,
    order: async ({ name, text }, signal) => {
      if (orderCommand === null) {
        terminal.output.write(
          `${name}: ${text}. Place an order in the shop now, up to its checkout.\n`,
        );
        return;
      }
      const wish = { option: "--order-command", command: orderCommand };
      await runCommand(wish, { ...parts.environment, SVC_DRILL_SCENE: name }, signal);
    },
    handedOver: async ({ scene, invoice, orderId }, when, signal) => {
      if (handedOverCommand === null) {
        const question = `${scene}, ${when}: how often did the shop hand over goods for the order ${orderId}? `;
        return askNumber(terminal, question, signal);
      }
      const wish = { option: "--handed-over-command", command: handedOverCommand };
      const told = { SVC_DRILL_SCENE: scene, SVC_DRILL_ORDER: orderId, SVC_DRILL_INVOICE: invoice };
      const text = (await runCommand(wish, { ...parts.environment, ...told }, signal)).trim();
      if (WHOLE.test(text)) return Number(text);
      throw new SvcError("node/bad-option", {
        option: wish.option,
        reason: "it printed no whole number",
      });
    },
  };
}

async function runCommand(
  { option, command }: { readonly option: string; readonly command: string },
  environment: Environment,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { stdout } = await run("sh", ["-c", command], {
      env: environment,
      encoding: "utf8",
      timeout: GATEWAY_LIMITS.drillCommandMs,
      maxBuffer: GATEWAY_LIMITS.drillCommandBytes,
      signal,
    });
    return stdout;
  } catch (cause) {
    if (signal.aborted) throw new SvcError("run/aborted", {});
    throw new SvcError("node/bad-option", { option, reason: reasonOf(cause) }, cause);
  }
}

/** Its output may hold anything, and is not shown. */
function reasonOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return "it failed";
  const [code, isKilled] = ["code" in thrown && thrown.code, "killed" in thrown && thrown.killed];
  if (typeof code === "number") return `it ended with status ${code}`;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it printed too much";
  return isKilled === true ? "it took too long" : "it could not be run";
}

/** Asks until the answer is a whole number. Rejects with `run/aborted`, also where there will be no answer any more. */
async function askNumber(
  { input, output }: DrillTerminal,
  question: string,
  signal: AbortSignal,
): Promise<number> {
  const lines = createInterface({ input, output, terminal: false });
  const ended = new AbortController();
  const end = guarded(
    () => ended.abort(),
    () => undefined,
  );
  lines.once("close", end);
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    for (;;) {
      const answer = (await lines.question(question, { signal: either })).trim();
      if (answer.length <= GATEWAY_LIMITS.drillAnswerChars && WHOLE.test(answer))
        return Number(answer);
    }
  } catch (cause) {
    throw new SvcError("run/aborted", {}, cause);
  } finally {
    lines.close();
  }
}
