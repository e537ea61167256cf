/** English message catalogue of the offline signer page, a part of `en.ts`. */

/** The messages. */
export const enSigner = {
  "signer.title": "Offline signer",
  "signer.steps": "Steps",
  "signer.stepSeed": "Seed",
  "signer.stepScan": "Read",
  "signer.stepReview": "Review",
  "signer.stepAnswer": "Show",
  "signer.loading": "Opening…",
  "signer.brokenTitle": "The page cannot start",
  "signer.end": "End session",
  "signer.online":
    "This device seems to be online. This page sends nothing, but other programs could. For real protection use a device that is never online.",
  "signer.seedTitle": "Whose payments do you sign?",
  "signer.seedText":
    "The seed stays in the memory of this page alone. It is forgotten when you end the session or close the page.",
  "signer.seedOpen": "Continue",
  "signer.seedShow": "Show the seed",
  "signer.seedHide": "Hide the seed",
  "signer.seedMake": "Make a new seed",
  "signer.newTitle": "Your new seed",
  "signer.newText":
    "Write it on paper, all of it, and keep the paper safe. Whoever has it has your coins; without it they are lost.",
  "signer.newWritten": "I have written it down",
  "signer.scanTitle": "Read the payment",
  "signer.scanText":
    "On the other device, show the codes of the prepared payment. They may come in any order, and some may be missed.",
  "signer.scanWays": "How to read the codes",
  "signer.scanCamera": "Camera",
  "signer.scanImages": "Images",
  "signer.scanPaste": "Text",
  "signer.imagesLabel": "Images of the codes",
  "signer.imagesChoose": "Choose images",
  "signer.imagesHint":
    "Photographs or screenshots with one code in each. Several at once are fine.",
  "signer.imagesNone": {
    one: "There was no readable code in {count} image.",
    other: "There was no readable code in {count} images.",
  },
  "signer.pasteLabel": "Text of the codes",
  "signer.pasteHint": "One code in each line. Each begins with “ur:”.",
  "signer.pasteTake": "Read the text",
  "signer.progressLabel": "Parts of the payment that were read",
  "signer.progressNone": "Waiting for the first code",
  "signer.progress": {
    one: "{known} of {count} part read",
    other: "{known} of {count} parts read",
  },
  "signer.again": "Begin again",
  "signer.keysTitle": "Address and viewing key",
  "signer.keysText":
    "A program that prepares your payments needs the viewing key. It shows whoever has it all that you receive and pay, but cannot spend.",
  "signer.keysNetwork": "Network",
  "signer.keysAddress": "Address",
  "signer.keysViewing": "Viewing key",
  "signer.keysQr": "QR code of the viewing key",
  "signer.reviewTitle": "Is this what you want to pay?",
  "signer.reviewChecked":
    "This was checked against the payment itself. Nothing else can happen when you sign it.",
  "signer.payment": "Payment {number} of {count}",
  "signer.to": "To",
  "signer.memo": "Memo",
  "signer.memoNone": "None",
  "signer.memoBytes": "Not a text: {hex}",
  "signer.own": "This address is your own.",
  "signer.fee": "Fee",
  "signer.change": "Returns to you",
  "signer.total": "You pay in all",
  "signer.network": "Network",
  "signer.compare":
    "Compare the address with the one that the payee gave you, best over another way than the device that prepared the payment.",
  "signer.reject": "Do not sign",
  "signer.sign": "Sign {amount}",
  "signer.refusedTitle": "Nothing was signed",
  "signer.refusedText":
    "The payment belongs to another seed, or the device that prepared it is faulty, or lies. Do not try again before you know which.",
  "signer.answerTitle": "Show this to the other device",
  "signer.answerText":
    "The payment is signed. It is sent when the other device has read this code. The code cannot be used for any other payment.",
  "signer.answerQr": "QR code of the signatures",
  "signer.answerCopy": "Copy as text",
  "signer.next": "Next payment",
} as const;
