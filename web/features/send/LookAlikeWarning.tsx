/** Component: the warning that a payee's address only looks like a known one, which it shows for comparison. */
import { Show } from "solid-js";
import type { KnownAddress } from "@svc/shared/wallet/plan/lookAlike.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { AddressText } from "../../ui/AddressText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { ContactName } from "../contacts/ContactName.tsx";

const TEXTS: { readonly [K in KnownAddress["kind"]]: PlainKey } = {
  own: "lookAlike.own",
  contact: "lookAlike.contact",
  paid: "lookAlike.paid",
};

/** The warning; nothing where there is no such address. */
export function LookAlikeWarning(props: { known: KnownAddress | null }) {
  return (
    <Show when={props.known}>
      {(known) => (
        <Notice kind="warning" title={t("lookAlike.title")}>
          <p>{t(TEXTS[known().kind])}</p>
          <ContactName address={known().address} />
          <p data-testid="look-alike">
            <AddressText text={known().address} />
          </p>
        </Notice>
      )}
    </Show>
  );
}
