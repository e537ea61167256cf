/**
 * `npm run -s demo`: a private payment from one wallet to another on a fresh network.
 *
 * Exit status 0 only if the second wallet decrypted exactly the amount and the memo from the
 * chain; otherwise 1 and a sentence with its code. Progress goes to standard error.
 */
import { httpErrorOf, sentenceOf } from "@svc/shared/base/errors.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { DEMO_HELP, parseDemoOptions } from "./demoOptions.ts";
import { runDemo, type DemoResult } from "./runDemo.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
}

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes("--json");
  try {
    const options = parseDemoOptions(args);
    if (options.help) {
      print(DEMO_HELP);
      return 0;
    }
    const result = await runDemo({ options, say, signal: stop.signal });
    print(json ? JSON.stringify(result) : describe(result));
    return 0;
  } catch (thrown) {
    const error = SvcError.from(thrown);
    say(`${sentenceOf(error)} [${error.code}]`);
    if (json) print(JSON.stringify(httpErrorOf(error).body));
    return 1;
  }
}

function say(text: string): void {
  process.stderr.write(`demo: ${text}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
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

process.exitCode = await main(process.argv.slice(2));
