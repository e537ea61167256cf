/** Main function of the demo: the whole program but for the process. */
import { httpErrorOf, sentenceOf } from "@svc/shared/base/errors.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { DEMO_HELP, parseDemoOptions } from "./demoOptions.ts";
import { runDemo, type DemoResult } from "./runDemo.ts";

/** Outputs of the demo, and the signal that ends it. */
export type DemoOutputs = {
  /** A line of the result. */
  readonly print: (text: string) => void;
  /** A line of progress, or the sentence of an error. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
};

/** Runs the demo and gives its exit status. Never rejects: an error is said, and printed where JSON was asked for. */
export async function demoMain(args: readonly string[], outputs: DemoOutputs): Promise<number> {
  const { print, say, signal } = outputs;
  const json = args.includes("--json");
  try {
    const options = parseDemoOptions(args);
    if (options.help) {
      print(DEMO_HELP);
      return 0;
    }
    const result = await runDemo({ options, say, signal });
    print(json ? JSON.stringify(result) : describe(result));
    return 0;
  } catch (thrown) {
    const error = SvcError.from(thrown);
    say(`${sentenceOf(error)} [${error.code}]`);
    if (json) print(JSON.stringify(httpErrorOf(error).body));
    return 1;
  }
}

function describe(result: DemoResult): string {
  return [
    `paid       ${formatCoins(BigInt(result.amount_sompi))} coins`,
    `received   ${formatCoins(BigInt(result.received_sompi))} coins`,
    `fee        ${formatCoins(BigInt(result.fee_sompi))} coins`,
    `memo       ${result.memo}`,
    `payment    ${result.txid}`,
    `proof      ${result.proveMs} ms, verified in ${result.verifyMs} ms`,
    `blocks     ${result.blocks}`,
  ].join("\n");
}
