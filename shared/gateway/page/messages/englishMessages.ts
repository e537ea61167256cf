/** The checkout page in English. */
import type { CheckoutMessages } from "./checkoutMessages.ts";

/** The messages. */
export const ENGLISH: CheckoutMessages = {
  title: "{state} – {store}",
  payTo: "Pay {store}",
  testNetwork: "Test network: these coins have no value.",

  newTitle: "Waiting for your payment",
  newText: "Scan the code with your wallet, or copy amount and address.",
  seenTitle: "Payment on its way",
  seenText: "{seen} were seen and wait for a block. You have nothing more to do.",
  partialTitle: "A part has arrived",
  partialText: "You paid {paid}. {due} are still due.",
  partialOverTitle: "The time is over, and a part is missing",
  partialOverText: "You paid {paid}. {due} are still due. Ask for more time to pay the rest.",
  partialOverShop: "Please ask the shop what happens with your payment.",
  paidTitle: "Payment received",
  paidText: "The shop is told when it is confirmed. You can close this page.",
  confirmations: "Confirmation {count} of {all}",
  confirmedTitle: "Paid",
  confirmedText: "Your payment is complete. Thank you!",
  overpaidTitle: "Paid, and more than asked",
  overpaidText:
    "Your payment is complete. You paid {over} too much; ask the shop to send them back.",
  expiredTitle: "The time to pay is over",
  expiredText:
    "Nothing was paid. Please send nothing to this address any more, and order again in the shop.",
  lateTitle: "Your payment came too late",
  lateText:
    "{paid} arrived after the time to pay. The shop knows and decides what happens with them; please ask there.",
  wasLate: "One of the payments came after the time to pay.",
  tooMuch: "You paid {over} too much; ask the shop to send them back.",

  amount: "Amount",
  paid: "Paid",
  due: "Still due",
  over: "Paid too much",
  address: "Address",
  invoice: "Invoice",
  coin: "coin",
  coins: "coins",
  payBefore: "Pay before",
  timeLeft: "Time left",
  qr: "QR code of the payment link {uri}",
  openWallet: "Open in wallet",
  copyAmount: "Copy amount",
  copyAddress: "Copy address",
  copied: "Copied",
  copyRefused: "Not copied: please select it",
  topUp: "Ask for more time",
  back: "Return to {store}",
  backPlain: "Return to the shop",
  print: "Print",

  missingTitle: "There is no such invoice",
  missingText: "Please check the link, or order again in the shop.",
  busyTitle: "Too many questions at once",
  busyText: "Please wait a minute, then load this page again. Payments are not affected.",
  faultTitle: "This does not work at the moment",
  faultText: "Please try again in a few minutes. Payments are not affected.",
};
