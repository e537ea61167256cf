/** English texts of the check of receipts, a part of `en.ts`. */

/** The messages. */
export const receiptEn = {
  "receipt.file": "File of the receipt",
  "receipt.chosen": "Dropped: {name}. A text below would be checked in its place.",
  "receipt.text": "Or its text (ur:svc-receipt/…)",
  "receipt.asked": "Text that you asked for (may be left out)",
  "receipt.check": "Check the receipt",
  "receipt.anchor": "Check it with the chain of this node",
  "receipt.loading": "What the check needs is being loaded.",
  "receipt.ready": "Everything is loaded: the check works without a network, and asks nobody.",
  "receipt.anchorNote":
    "The second button asks the node of this page for its newest blocks and for the block that the receipt stands on. It learns of that block, which many receipts share, and nothing else of the receipt.",
  "receipt.holds": "The receipt holds by itself",
  "receipt.holdsOnChain": "The receipt holds, and stands on the chain that the node showed",
  "receipt.byWork":
    "It stands on the work of one block: to make up such a receipt takes {hashes} hashes on average.",
  "receipt.byChain":
    "The node showed at least {hashes} hashes of work above it, which your browser recomputed. Whoever makes that up has to do this work.",
  "receipt.unmeasured":
    "This program knows no work of this network, so it cannot say how long that takes anybody.",
  "receipt.chainTime": "That is {time} of the whole network's work.",
  "receipt.workTime":
    "The whole network makes one such block in {time} on average. A miner with 5 % of it needs {longer}, and has one within a day with a chance of {chance}.",
  "receipt.noWork": "This network proves nothing: its blocks cost no work.",
  "receipt.near":
    "The payment lies less than 100 blocks below the block that the receipt stands on. The chain may have left that branch: check it with the chain.",
  "receipt.recipient": "Paid to",
  "receipt.amount": "Amount",
  "receipt.block": "Paid",
  "receipt.blockValue": "in block {block} or before",
  "receipt.score": "Blue score of that block",
  "receipt.time": "Time of that block",
  "receipt.timeValue": "{time}, as its miner told it",
  "receipt.depth": "Chain blocks below the receipt's block",
  "receipt.challenge": "Made for",
  "receipt.noChallenge": "nobody in particular: whoever has it can show it",
  "receipt.signedBy": "Signed by",
  "receipt.answered": "who was paid",
  "receipt.unanswered": "nobody: who had the receipt may have written the text",
  "receipt.payment": "Payment",
  "receipt.paymentValue": "{txid}, as the payer says",
  "receipt.spent": "Spent by it",
  "receipt.notShown": "not shown",
  "receipt.otherNetwork": "This receipt is of another network ({code}).",
  "receipt.otherChallenge": "This receipt was not made for the text that you asked for ({code}).",
  "receipt.badAnswer":
    "Who was paid did not sign the text in this receipt, or it was changed ({code}).",
  "receipt.misread": "The text was altered, or not copied to its end ({code}).",
  "receipt.noReceipt": "This is no receipt, or a part of it is missing ({code}).",
  "receipt.false": "This receipt is false: it does not fit the work that it names ({code}).",
  "receipt.notOnChain":
    "By itself it holds, but the node's chain does not have the block that it stands on ({code}).",
  "receipt.tooYoung":
    "By itself it holds. Too few blocks stand above it on the node's chain; try again later ({code}).",
  "receipt.noNode": "By itself it holds. No node showed a chain that could be checked ({code}).",
} as const;
