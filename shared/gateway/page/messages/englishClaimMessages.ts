/** The page of a claim in English. */
import type { ClaimMessages } from "./claimMessages.ts";

/** The messages. */
export const ENGLISH_CLAIM: ClaimMessages = {
  from: "Refund from {store}",
  wrongTitle: "Error: {title}",

  requestedTitle: "Where shall your refund go?",
  requestedText: "The shop cannot see which wallet you paid from. Please give it an address.",
  claimedTitle: "The shop has your address",
  claimedText:
    "The shop has to approve it before it pays. You can change the address until then. You can close this page.",
  claimedOverText:
    "The shop has to approve it before it pays. The address can no longer be changed.",
  changeTitle: "Change the address",
  changeText: "The shop pays to the address below unless you give another one.",
  approvedTitle: "The shop has approved your refund",
  approvedText: "It will be paid to the address below, which can no longer be changed.",
  sentTitle: "Your refund is on its way",
  sentText: "The shop has sent it to the address below. The network is confirming it.",
  confirmedTitle: "Your refund has been paid",
  confirmedText: "It is confirmed, and lies at the address below.",
  cancelledTitle: "This refund is no longer offered",
  cancelledText: "The shop took it back, or its time is over. Please ask the shop.",
  failedTitle: "Your refund could not be paid",
  failedText: "The payment failed, and the shop knows. Please ask there.",

  steps:
    "Open your wallet, look for “Receive”, copy your address and paste it here. Only use an address of your own wallet.",
  field: "Your address",
  hint: "The whole address, with its beginning up to the colon.",
  give: "Send the address to the shop",
  change: "Change the address",
  keep: "Leave it as it is",
  address: "Address",
  until: "Possible until",

  missingTitle: "There is no such refund",
  missingText: "Please check the link, or ask the shop for it again.",
  foreignTitle: "The address was not taken",
  foreignText:
    "It did not come from this page. Please open the link of the shop, and give it there.",
};
