/** English texts of receiving: payment requests, own addresses, links that come from outside, and the camera. */
export const enReceive = {
  "receive.copy": "Copy the address",
  "request.title": "Ask for a payment",
  "request.text":
    "What you fill in becomes part of the code above and of a link. Whoever opens it finds the payment filled in, and still confirms it.",
  "request.amount": "Amount",
  "request.amountHint": "Leave it empty to let the payer choose.",
  "request.memo": "Memo for the payment",
  "request.memoHint": "The payment brings it back to you, encrypted: an order number, for example.",
  "request.label": "Your name",
  "request.labelHint": "The payer sees it. Anybody can write anything here.",
  "request.qr": "The payment request as a QR code",
  "request.copy": "Copy the link",
  "request.share": "Share",
  "request.clear": "Without a request",
  "request.open": "Ask for an amount",
  "request.shown": "Asks for {amount}",
  "request.shownOpen": "Asks for any amount",

  "addresses.title": "Your addresses",
  "addresses.text":
    "All of them lead to this wallet. Names stay in this browser, encrypted; a new scan keeps them, the seed alone does not bring them back.",
  "addresses.number": "Address {number}",
  "addresses.received": {
    one: "{amount} in {count} payment",
    other: "{amount} in {count} payments",
  },
  "addresses.nothing": "Nothing received yet",
  "addresses.show": "Show",
  "addresses.showOf": "Show address {number}",
  "addresses.name": "Name",
  "addresses.nameOf": "Name of address {number}",
  "addresses.nameHint": "Only you see it.",
  "addresses.more": "Show more",

  "link.filled": "A payment link filled in this form",
  "link.from": "It came from {origin}.",
  "link.fromOutside": "It came from outside of this wallet: from a page, a program or a code.",
  "link.check":
    "Nothing has been paid. Compare address and amount with what you expect; you confirm the payment on the next screen.",
  "link.asks": "A payment link wants to fill in this form",
  "link.replaces": "It would replace what you have typed.",
  "link.take": "Fill in the form",
  "link.keep": "Keep what I typed",
  "link.refused": "A payment link could not be read",
  "link.refusedText": "The form is as it was.",

  "links.title": "Payment links",
  "links.text":
    "Lets this browser open links that begin with {scheme}: with this wallet. A link only fills in the payment form; you confirm what is paid.",
  "links.set": "Open payment links here",
  "links.asked":
    "The browser asks you, or has noted it. It lists such links among its site settings.",

  "camera.label": "What the camera sees",
  "scan.open": "Scan",
  "scan.title": "Scan a payment code",
  "scan.text": "Hold the code before the camera. The picture stays in this browser.",
  "scan.image": "Choose an image",
  "scan.imageLabel": "Image of the code",
} as const;
