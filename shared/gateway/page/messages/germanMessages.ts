/** The checkout page in German. */
import type { CheckoutMessages } from "./checkoutMessages.ts";

/** The messages. */
export const GERMAN: CheckoutMessages = {
  title: "{state} – {store}",
  payTo: "Zahlung an {store}",
  testNetwork: "Testnetz: Diese Münzen haben keinen Wert.",

  newTitle: "Warten auf Ihre Zahlung",
  newText: "Scannen Sie den Code mit Ihrer Wallet.",
  newCopy: "Oder kopieren Sie Betrag und Adresse.",
  seenTitle: "Zahlung unterwegs",
  seenText: "{seen} wurden gesehen und warten auf einen Block. Sie müssen nichts weiter tun.",
  partialTitle: "Ein Teil ist angekommen",
  partialText: "Sie haben {paid} gezahlt. Es fehlen noch {due}.",
  partialOverTitle: "Die Zeit ist abgelaufen, und ein Teil fehlt",
  partialOverText:
    "Sie haben {paid} gezahlt. Es fehlen noch {due}. Bitten Sie um mehr Zeit, um den Rest zu zahlen.",
  partialOverShop: "Bitte fragen Sie im Shop, was mit Ihrer Zahlung geschieht.",
  paidTitle: "Zahlung eingegangen",
  paidText: "Der Shop erfährt, wenn sie bestätigt ist. Sie können diese Seite schließen.",
  confirmations: "Bestätigung {count} von {all}",
  confirmedTitle: "Bezahlt",
  confirmedText: "Ihre Zahlung ist vollständig. Vielen Dank!",
  overpaidTitle: "Bezahlt, und mehr als verlangt",
  overpaidText:
    "Ihre Zahlung ist vollständig. Sie haben {over} zu viel gezahlt; bitten Sie den Shop um Rückzahlung.",
  expiredTitle: "Die Zeit zum Zahlen ist abgelaufen",
  expiredText:
    "Es wurde nichts gezahlt. Bitte senden Sie nichts mehr an diese Adresse, und bestellen Sie im Shop neu.",
  lateTitle: "Ihre Zahlung kam zu spät",
  lateText:
    "{paid} kamen nach Ablauf der Zeit an. Der Shop weiß davon und entscheidet, was damit geschieht; bitte fragen Sie dort.",
  wasLate: "Eine der Zahlungen kam nach Ablauf der Zeit.",
  tooMuch: "Sie haben {over} zu viel gezahlt; bitten Sie den Shop um Rückzahlung.",

  amount: "Betrag",
  paid: "Gezahlt",
  due: "Noch offen",
  over: "Zu viel gezahlt",
  address: "Adresse",
  invoice: "Rechnung",
  coin: "Münze",
  coins: "Münzen",
  payBefore: "Zahlen bis",
  timeLeft: "Restzeit",
  qr: "QR-Code des Zahlungslinks {uri}",
  openWallet: "In der Wallet öffnen",
  copyAmount: "Betrag kopieren",
  copyAddress: "Adresse kopieren",
  copied: "Kopiert",
  copyRefused: "Nicht kopiert: bitte markieren",
  topUp: "Um mehr Zeit bitten",
  back: "Zurück zu {store}",
  backPlain: "Zurück zum Shop",
  receipt: "Quittung speichern",
  print: "Drucken",

  missingTitle: "Diese Rechnung gibt es nicht",
  missingText: "Bitte prüfen Sie den Link, oder bestellen Sie im Shop neu.",
  busyTitle: "Zu viele Anfragen auf einmal",
  busyText:
    "Bitte warten Sie eine Minute, und laden Sie die Seite dann neu. Zahlungen sind davon nicht betroffen.",
  faultTitle: "Das geht im Augenblick nicht",
  faultText:
    "Bitte versuchen Sie es in einigen Minuten wieder. Zahlungen sind davon nicht betroffen.",
};
