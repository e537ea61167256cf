/**
 * Mounts of the checks: what a page of the explorer loads lazily into the places of its badges and panels. Each returns how to end it.
 * The core itself is loaded by the first check.
 */
import "./checks.css";
import * as v from "valibot";
import { createComponent, render } from "solid-js/web";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { ChainLine } from "./chain/ChainLine.tsx";
import { runCheck } from "./checkClient.ts";
import { CheckPanel } from "./CheckPanel.tsx";
import type { CheckReport, SupplyReport } from "./checkReport.ts";
import { checkTexts } from "./checkTexts.ts";
import { AddressForm, DisclosureForm, MessageForm } from "./PastedForms.tsx";
import { SupplyFigures } from "./SupplyFigures.tsx";

/** What every check is told. */
export type CheckOptions = {
  readonly locale: PageLocale;
  /** Where the REST interface stands: `/api`. */
  readonly apiBase: string;
};

/** `shown`: the document that the page shows now, as JSON; undefined to have it asked for. Reactive. */
export type ShownOptions = CheckOptions & { readonly shown: () => unknown };

const scored = v.looseObject({ daaScore: v.pipe(v.string(), v.regex(/^\d{1,20}$/)) });

type ShownSupply = { readonly pool: unknown; readonly coins: unknown };

/** "Checked here" of a block. */
export function mountBlockCheck(
  place: HTMLElement,
  { locale, apiBase, shown, hash }: ShownOptions & { readonly hash: string },
): () => void {
  const texts = checkTexts(locale);
  const run = (document: unknown) => runCheck(apiBase, (api) => api.checkBlock(hash, document));
  const children = ({ steps }: CheckReport) => createComponent(ChainLine, { texts, locale, steps });
  return render(
    () => createComponent(CheckPanel, { texts, kind: "block" as const, shown, run, children }),
    place,
  );
}

/** "Checked here" of a transaction. */
export function mountTransactionCheck(
  place: HTMLElement,
  { locale, apiBase, shown, txid }: ShownOptions & { readonly txid: string },
): () => void {
  const texts = checkTexts(locale);
  const run = (document: unknown) =>
    runCheck(apiBase, (api) => api.checkTransaction(txid, document));
  const children = ({ steps }: CheckReport) => createComponent(ChainLine, { texts, locale, steps });
  const kind = "transaction" as const;
  return render(() => createComponent(CheckPanel, { texts, kind, shown, run, children }), place);
}

/** The supply audit. `shown`: the document `/info/shielded`, `shownCoins`: `/info/coinsupply`. */
export function mountSupplyAudit(
  place: HTMLElement,
  { locale, apiBase, shown, shownCoins }: ShownOptions & { readonly shownCoins: () => unknown },
): () => void {
  const texts = checkTexts(locale);
  const run = ({ pool, coins }: ShownSupply) =>
    runCheck(apiBase, (api) => api.auditSupply(pool, coins));
  const children = (report: SupplyReport) => createComponent(SupplyFigures, { texts, report });
  const panel = () =>
    createComponent(CheckPanel, {
      texts,
      kind: "supply" as const,
      shown: () => ({ pool: shown(), coins: shownCoins() }),
      run,
      isLater: isLaterPool,
      children,
    });
  return render(panel, place);
}

/** The audit names its block. Other values of that block, or of an earlier one, are no news of the chain. */
function isLaterPool({ pool: before }: ShownSupply, { pool: now }: ShownSupply): boolean {
  const [from, to] = [scoreOf(before), scoreOf(now)];
  return from !== null && to !== null && to > from;
}

function scoreOf(pool: unknown): bigint | null {
  const read = v.safeParse(scored, pool);
  return read.success ? BigInt(read.output.daaScore) : null;
}

/** The form of a disclosure. */
export function mountDisclosureCheck(
  place: HTMLElement,
  { locale, apiBase }: CheckOptions,
): () => void {
  const check = (text: string, txid: string) =>
    runCheck(apiBase, (api) => api.checkDisclosure(text, txid));
  return render(() => createComponent(DisclosureForm, { texts: checkTexts(locale), check }), place);
}

/** The form of an address. */
export function mountAddressCheck(
  place: HTMLElement,
  { locale, apiBase }: CheckOptions,
): () => void {
  const check = (text: string) => runCheck(apiBase, (api) => api.verifyAddress(text));
  return render(() => createComponent(AddressForm, { texts: checkTexts(locale), check }), place);
}

/** The form of a signed message. */
export function mountMessageCheck(
  place: HTMLElement,
  { locale, apiBase }: CheckOptions,
): () => void {
  const check = (signed: SignedMessage) => runCheck(apiBase, (api) => api.verifyMessage(signed));
  return render(() => createComponent(MessageForm, { texts: checkTexts(locale), check }), place);
}
