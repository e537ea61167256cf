import { gatewayBase, trustedOrigin } from "./gatewayUrl.ts";
import { isRate } from "./money.ts";
import { VENDURE_LIMITS } from "./pluginLimits.ts";
import { Secret } from "./secret.ts";
import { shopNowS } from "./shopClock.ts";

/** What a shop sets. */
export type SvcGatewayOptions = {
  /** Address of the gateway's API: https, or http to this machine. */
  readonly gatewayUrl: string;
  /** A key of the gateway with the rights `invoices` and, for refunds, `refunds`. */
  readonly apiKey: string;
  /** The secret that the gateway signs its webhooks with. */
  readonly webhookSecret: string;
  /**
   * How a price becomes an amount: `gateway` asks the gateway, which has prices of the coin; or coins for one unit of each currency
   * that is taken, as decimal texts.
   */
  readonly conversion: "gateway" | Readonly<Record<string, string>>;
  /** Blue blocks above a payment until it is confirmed, 1 to 10,000. 10 when left out. */
  readonly requiredBlueScore?: number;
  /** Seconds in which an invoice is to be paid, 60 to 2,592,000. 900 when left out. */
  readonly expiresInS?: number;
  /** Page of the shop to which the checkout leads back. `{OrderId}` becomes the order's code. */
  readonly redirectUrl?: string;
  /** Origin of the payment pages, where the shop reaches the gateway under another address than its customers do. */
  readonly checkoutOrigin?: string;
  /** Language of the checkout page; the browser's when left out. */
  readonly language?: string;
  /** Whether a full payment that came late waits for the merchant, or counts. `hold` when left out. */
  readonly latePayments?: "hold" | "accept";
  /** The time in Unix seconds. The machine's clock when left out. */
  readonly nowS?: () => number;
};

/** The options after they were checked. */
export type CheckedOptions = {
  readonly base: string;
  readonly apiKey: Secret;
  readonly webhookSecret: Secret;
  readonly conversion: "gateway" | Readonly<Record<string, string>>;
  readonly requiredBlueScore: number;
  readonly expiresInS: number;
  readonly redirectUrl: string | null;
  readonly checkoutOrigin: string;
  readonly language: string | null;
  readonly latePayments: "hold" | "accept";
  readonly nowS: () => number;
};

/** Name under which Nest hands the options out. */
export const OPTIONS = Symbol("options of the SVC gateway plugin");

/** Name of the plugin in the shop's log. */
export const LOG_CONTEXT = "SvcGatewayPlugin";

const EXPIRY_S = { least: 60, most: 2_592_000 } as const;

/** Checks the options. Throws an `Error` that names each one that is wrong, and tells no secret. */
export function checkOptions(options: SvcGatewayOptions): CheckedOptions {
  const base = gatewayBase(options.gatewayUrl);
  const checkoutOrigin = trustedOrigin(options.checkoutOrigin ?? options.gatewayUrl);
  const { requiredBlueScore = VENDURE_LIMITS.requiredBlueScore } = options;
  const { expiresInS = VENDURE_LIMITS.expiresInS, latePayments = "hold" } = options;
  const problems = problemsOf(options, { requiredBlueScore, expiresInS });
  if (base === null) problems.push("gatewayUrl: no https address (http to this machine alone)");
  if (checkoutOrigin === null) problems.push("checkoutOrigin: no https address");
  if (base === null || checkoutOrigin === null || problems.length > 0) {
    throw new Error(`the SVC gateway plugin cannot start: ${problems.join("; ")}`);
  }
  return {
    ...{ base, checkoutOrigin, requiredBlueScore, expiresInS, latePayments },
    apiKey: new Secret(options.apiKey),
    webhookSecret: new Secret(options.webhookSecret),
    conversion: options.conversion,
    redirectUrl: options.redirectUrl ?? null,
    language: options.language ?? null,
    nowS: options.nowS ?? shopNowS,
  };
}

function problemsOf(
  { apiKey, webhookSecret, conversion, redirectUrl, latePayments }: SvcGatewayOptions,
  { requiredBlueScore, expiresInS }: { requiredBlueScore: number; expiresInS: number },
): string[] {
  const rates = conversion === "gateway" ? [] : Object.entries(conversion);
  const hasRates = conversion === "gateway" || rates.length > 0;
  const areRates = rates.every(([currency, rate]) => /^[A-Z]{3}$/.test(currency) && isRate(rate));
  const isLate = latePayments === undefined || ["hold", "accept"].includes(latePayments);
  const { requiredBlueScoreMax } = VENDURE_LIMITS;
  const wrong: readonly (readonly [boolean, string])[] = [
    [!/^[\x21-\x7e]{1,512}$/.test(apiKey), "apiKey: missing, or no key"],
    [webhookSecret.trim() === "", "webhookSecret: missing; anybody could report a payment"],
    [!hasRates || !areRates, "conversion: no positive decimal texts by currencies"],
    [!isWithin(requiredBlueScore, 1, requiredBlueScoreMax), "requiredBlueScore: not 1 to 10000"],
    [!isWithin(expiresInS, EXPIRY_S.least, EXPIRY_S.most), "expiresInS: not 60 to 2592000"],
    [
      redirectUrl !== undefined && trustedOrigin(redirectUrl) === null,
      "redirectUrl: no https address",
    ],
    [!isLate, "latePayments: neither hold nor accept"],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, text]) => text);
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
