/** Parser of the commands of tills, `svc gateway pos …`. */
import type { TillChange } from "../../gateway/access/tillAccounts.ts";
import { isTimeZone } from "@svc/shared/gateway/till/tillDay.ts";
import { TILL_NAME } from "@svc/shared/protocol/gateway/routes/tillRoutes.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { badOption, type OptionValues } from "../options/readOptions.ts";
import type { GatewayPlace } from "./gatewayPlace.ts";

/** What was asked for. */
export type TillRun =
  | {
      readonly command: "pos add";
      readonly place: GatewayPlace;
      readonly merchant: string;
      readonly till: string;
      readonly currency: string | null;
      readonly timeZone: string;
      readonly tips: readonly number[];
      readonly passwordFile: string | undefined;
    }
  | {
      readonly command: "pos list";
      readonly place: GatewayPlace;
      readonly merchant: string;
      readonly json: boolean;
    }
  | {
      readonly command: "pos set";
      readonly place: GatewayPlace;
      readonly till: string;
      /** What is left out stays. */
      readonly change: TillChange;
    }
  | {
      readonly command: "pos password";
      readonly place: GatewayPlace;
      readonly till: string;
      readonly passwordFile: string | undefined;
    }
  | { readonly command: "pos remove"; readonly place: GatewayPlace; readonly till: string };

/** A command line whose command is known already. */
export type TillWords = {
  readonly place: GatewayPlace;
  readonly names: readonly string[];
  readonly values: OptionValues;
};

const CURRENCY = /^[A-Z]{3}$/;
/** In place of a currency: a till that rings up in coins alone. */
const COINS = "coins";
const PERCENT = /^[1-9]\d{0,2}$/;
const TIPS = [5, 10, 15];

/** Parses it. Throws `node/bad-option`. */
export function parseTill(
  command: TillRun["command"],
  { place, names, values }: TillWords,
): TillRun {
  const [first = "", second = ""] = names;
  const passwordFile = values.text("password-file") ?? undefined;
  switch (command) {
    case "pos add": {
      const currency = currencyOf(values.text("currency"));
      const timeZone = zoneOf(values.text("time-zone"));
      const tips = tipsOf(values.texts("tip"));
      const till = tillName(second);
      return { command, place, merchant: first, till, currency, timeZone, tips, passwordFile };
    }
    case "pos list":
      return { command, place, merchant: first, json: values.on("json") };
    case "pos set":
      return { command, place, till: tillName(first), change: changeOf(values) };
    case "pos password":
      return { command, place, till: tillName(first), passwordFile };
    case "pos remove":
      return { command, place, till: tillName(first) };
  }
}

function changeOf(values: OptionValues): TillChange {
  const currency = values.text("currency");
  const zone = values.text("time-zone");
  const tips = values.texts("tip");
  if (currency === null && zone === null && tips.length === 0) {
    throw badOption("currency", "write what is to change: --currency, --time-zone or --tip");
  }
  return {
    ...(currency !== null && { currency: currency === COINS ? null : currencyOf(currency) }),
    ...(zone !== null && { timeZone: zoneOf(zone) }),
    ...(tips.length > 0 && { tips: tipsOf(tips) }),
  };
}

function tillName(text: string): string {
  if (TILL_NAME.test(text)) return text;
  throw badOption("till", "write 1 to 32 small letters, digits and dashes");
}

function currencyOf(text: string | null): string | null {
  if (text === null || CURRENCY.test(text)) return text;
  throw badOption("currency", "write three capital letters such as EUR");
}

function zoneOf(text: string | null): string {
  const zone = text ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (isTimeZone(zone)) return zone;
  throw badOption("time-zone", "write a name of the time zone database such as Europe/Berlin");
}

function tipsOf(texts: readonly string[]): readonly number[] {
  const { tillTips, tillTipPercentMax } = MERCHANT_LIMITS;
  if (texts.length === 0) return TIPS;
  const tips = texts.filter((text) => PERCENT.test(text)).map(Number);
  const isGood = tips.length === texts.length && tips.every((tip) => tip <= tillTipPercentMax);
  if (isGood && tips.length <= tillTips) return tips;
  throw badOption("tip", `write at most ${tillTips} numbers from 1 to ${tillTipPercentMax}`);
}
