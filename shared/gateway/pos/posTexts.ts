/** What the script of the point of sale says and works with. The server writes it into the page: the script knows no message. */
import type { TillRecord } from "../till/tillRecordOf.ts";
import type { PosLanguage } from "./posLanguage.ts";

/** The messages that the script uses. */
export type PosTexts = ReturnType<typeof posTexts>;

/** What the page of a till that is signed in gives to its script. */
export type TillData = Pick<TillRecord, "currency" | "timeZone" | "rate">;

/** The messages of a language. */
export function posTexts({ pos, messages }: PosLanguage) {
  const { coin, coins } = messages;
  const { busy, offline, fault, signedOut, badSignIn, about, rate, noRate, staleRate } = pos;
  const { badAmount, badTip, tooLarge, noAddress, saleGone, saleWaits } = pos;
  return {
    ...{ coin, coins, busy, offline, fault, signedOut, badSignIn, about, rate, noRate, staleRate },
    ...{ badAmount, badTip, tooLarge, noAddress, saleGone, saleWaits },
  };
}
