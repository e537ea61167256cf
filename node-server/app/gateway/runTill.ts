/** What the operator does with tills: `svc gateway pos …`. A password is asked for at the terminal, or read from a file. */
import { randomBytes } from "node:crypto";
import { asTimestampMs, type MerchantId } from "@svc/shared/base/brand.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { AccessStore } from "../../gateway/access/accessStore.ts";
import {
  addTill,
  changeTill,
  removeTill,
  setTillPassword,
  tillsOf,
} from "../../gateway/access/tillAccounts.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { readSecret, type SecretNames } from "../../walletd/keys/secretSource.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { askTwice, promptSecret, systemTerminal } from "../program/promptSecret.ts";
import type { TillRun } from "./parseTill.ts";

const PASSWORD: SecretNames = {
  option: null,
  fileOption: "--password-file",
  variable: "SVC_TILL_PASSWORD",
};

/** Does it. Rejects with `node/bad-option`, `gateway/no-merchant`, `run/aborted`. */
export async function runTill(
  run: TillRun,
  access: AccessStore,
  context: CommandContext,
  merchantId: (text: string) => MerchantId,
): Promise<void> {
  switch (run.command) {
    case "pos add": {
      const { till: name, currency, timeZone, tips } = run;
      const merchant = merchantId(run.merchant);
      const createdMs = asTimestampMs(systemClock.nowMs());
      const row = { name, merchant, currency, timeZone, tips, createdMs };
      using password = await passwordOf(run.passwordFile, context);
      await addTill(access, row, password, { randomBytes });
      return context.print(`till ${name} of ${merchant}: it signs in at /pos of the gateway`);
    }
    case "pos list":
      for (const till of tillsOf(access, merchantId(run.merchant))) {
        const { name, currency, timeZone, tips } = till;
        const line = `${name}  ${currency ?? "coins"}  ${timeZone}  ${tips.join(" ")} %`;
        context.print(run.json ? stableJson({ name, currency, timeZone, tips }) : line);
      }
      return undefined;
    case "pos set":
      changeTill(access, run.till, run.change);
      return context.print(`till ${run.till} is changed; sales that were begun stay as they are`);
    case "pos password": {
      using password = await passwordOf(run.passwordFile, context);
      await setTillPassword(access, run.till, password, { randomBytes });
      return context.print(`till ${run.till} has another password, and is signed out`);
    }
    case "pos remove":
      removeTill(access, run.till);
      return context.print(`till ${run.till} is removed; its sales stay`);
  }
}

async function passwordOf(file: string | undefined, context: CommandContext): Promise<Secret> {
  const found = readSecret(PASSWORD, { text: undefined, file, env: context.environment });
  if (found !== null) return found;
  const terminal = systemTerminal();
  if (terminal !== null) {
    const ask = (question: string) => promptSecret(terminal, question, context.signal);
    return askTwice(ask, "Password of the till");
  }
  const reason = `give it or set ${PASSWORD.variable}: there is no terminal to ask at`;
  throw new SvcError("node/bad-option", { option: PASSWORD.fileOption, reason });
}
