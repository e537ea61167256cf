/** The states of a refund on the page of its claim: their words, and whether the payer may give an address. */
import type { Claim } from "../findClaim.ts";
import type { CheckoutState } from "./checkoutState.ts";
import type { ClaimMessages } from "./messages/claimMessages.ts";

/** What is said of a state. */
export type ClaimState = {
  readonly title: string;
  readonly text: string;
  readonly tone: CheckoutState["tone"];
  /** Whether an address is taken. */
  readonly isOpen: boolean;
  /** Whether it is asked for now. */
  readonly hasForm: boolean;
  /** Whether the shop or the network is expected to change it. */
  readonly isWaiting: boolean;
};

/** Says it. `isChanging`: the payer gives another address than the one that he gave. */
export function claimState(claim: Claim, isChanging: boolean, words: ClaimMessages): ClaimState {
  const isInTime = claim.serverTime < claim.expiresAt;
  switch (claim.state) {
    case "requested":
      return {
        ...told("open", words.requestedTitle, words.requestedText),
        ...{ isOpen: true, hasForm: true },
      };
    case "claimed":
      if (isInTime && isChanging) {
        return {
          ...told("open", words.changeTitle, words.changeText),
          ...{ isOpen: true, hasForm: true },
        };
      }
      return {
        ...waiting(words.claimedTitle, isInTime ? words.claimedText : words.claimedOverText),
        isOpen: isInTime,
      };
    case "approved":
      return waiting(words.approvedTitle, words.approvedText);
    case "sent":
      return waiting(words.sentTitle, words.sentText);
    case "confirmed":
      return told("done", words.confirmedTitle, words.confirmedText);
    case "cancelled":
      return told("over", words.cancelledTitle, words.cancelledText);
    case "failed":
      return told("over", words.failedTitle, words.failedText);
  }
}

function told(tone: ClaimState["tone"], title: string, text: string): ClaimState {
  return { tone, title, text, isOpen: false, hasForm: false, isWaiting: false };
}

function waiting(title: string, text: string): ClaimState {
  return { ...told("busy", title, text), isWaiting: true };
}
