/** The page of a claim in German. */
import type { ClaimMessages } from "./claimMessages.ts";

/** The messages. */
export const GERMAN_CLAIM: ClaimMessages = {
  from: "Rückzahlung von {store}",
  wrongTitle: "Fehler: {title}",

  requestedTitle: "Wohin soll Ihre Rückzahlung gehen?",
  requestedText:
    "Der Shop sieht nicht, aus welcher Wallet Sie gezahlt haben. Bitte nennen Sie ihm eine Adresse.",
  claimedTitle: "Der Shop hat Ihre Adresse",
  claimedText:
    "Der Shop muss sie freigeben, bevor er zahlt. Bis dahin können Sie die Adresse ändern. Sie können diese Seite schließen.",
  claimedOverText:
    "Der Shop muss sie freigeben, bevor er zahlt. Die Adresse lässt sich nicht mehr ändern.",
  changeTitle: "Adresse ändern",
  changeText: "Der Shop zahlt an die Adresse unten, wenn Sie keine andere nennen.",
  approvedTitle: "Der Shop hat Ihre Rückzahlung freigegeben",
  approvedText: "Sie wird an die Adresse unten gezahlt, die sich nicht mehr ändern lässt.",
  sentTitle: "Ihre Rückzahlung ist unterwegs",
  sentText: "Der Shop hat sie an die Adresse unten gesendet. Das Netz bestätigt sie gerade.",
  confirmedTitle: "Ihre Rückzahlung ist gezahlt",
  confirmedText: "Sie ist bestätigt und liegt an der Adresse unten.",
  cancelledTitle: "Diese Rückzahlung wird nicht mehr angeboten",
  cancelledText:
    "Der Shop hat sie zurückgenommen, oder ihre Zeit ist abgelaufen. Bitte fragen Sie im Shop.",
  failedTitle: "Ihre Rückzahlung ließ sich nicht zahlen",
  failedText: "Die Zahlung ist gescheitert. Der Shop weiß davon; bitte fragen Sie dort.",

  steps:
    "Öffnen Sie Ihre Wallet, suchen Sie „Empfangen“, kopieren Sie Ihre Adresse, und fügen Sie sie hier ein. Nehmen Sie nur eine Adresse Ihrer eigenen Wallet.",
  field: "Ihre Adresse",
  hint: "Die ganze Adresse, mit ihrem Anfang bis zum Doppelpunkt.",
  give: "Adresse an den Shop senden",
  change: "Adresse ändern",
  keep: "So lassen",
  address: "Adresse",
  until: "Möglich bis",

  missingTitle: "Diese Rückzahlung gibt es nicht",
  missingText: "Bitte prüfen Sie den Link, oder bitten Sie den Shop noch einmal darum.",
  foreignTitle: "Die Adresse wurde nicht angenommen",
  foreignText:
    "Sie kam nicht von dieser Seite. Bitte öffnen Sie den Link des Shops, und nennen Sie die Adresse dort.",
};
