/** A payment link that came from outside: it fills in the form, asks first where something was typed, and never pays. */
import { createEffect, createSignal, type Accessor } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { createHash, hrefOf } from "../../state/router.ts";
import type { Draft } from "../../state/createDraft.ts";
import { useWallet } from "../../state/walletContext.ts";
import type { SendFormModel } from "./createSendForm.ts";
import { linkInAddress } from "./linkInAddress.ts";

/** What became of the link. `asks`: the form is not empty, and its owner decides. */
export type LinkOffer =
  | { readonly kind: "asks" | "filled"; readonly from: string | null }
  | { readonly kind: "refused"; readonly error: ErrorJson };

/** The address with which the page was loaded: its link came from where the page was opened. */
const FIRST_HASH = location.hash;

/** Follows the address. A link is taken out of it at once: a reload does not fill in the form anew. */
export function createLinkOffer(
  draft: Draft,
  form: SendFormModel,
): {
  readonly offer: Accessor<LinkOffer | null>;
  readonly take: () => void;
  readonly keep: () => void;
} {
  const { wallet } = useWallet();
  const hash = createHash();
  const [offer, setOffer] = createSignal<LinkOffer | null>(null);
  let waiting = "";
  let from: string | null = null;
  const take = async (): Promise<void> => {
    try {
      form.fill(await wallet.readLink(waiting));
      setOffer({ kind: "filled", from });
    } catch (thrown) {
      setOffer({ kind: "refused", error: SvcError.from(thrown).toJSON() });
    }
  };
  createEffect(() => {
    const text = linkInAddress(hash());
    if (text === null) return;
    from = hash() === FIRST_HASH ? originOf(document.referrer) : null;
    waiting = text;
    location.replace(hrefOf("send"));
    if (draft.isEmpty()) void take();
    else setOffer({ kind: "asks", from });
  });
  return { offer, take: () => void take(), keep: () => setOffer(null) };
}

/** Where a page was opened from, as far as its browser tells. */
function originOf(referrer: string): string | null {
  return URL.canParse(referrer) ? new URL(referrer).origin : null;
}
