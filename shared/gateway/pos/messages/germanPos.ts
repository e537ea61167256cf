/** The point of sale in German. */
import type { PosMessages } from "./posMessages.ts";

/** The messages. */
export const GERMAN_POS: PosMessages = {
  appName: "Kasse",
  title: "Kasse – {store}",
  needsScript: "Die Kasse braucht JavaScript. Bitte erlauben Sie es für diese Seite.",
  testNetwork: "Testnetz: Diese Münzen haben keinen Wert.",

  signInTitle: "An der Kasse anmelden",
  signInText: "Name und Passwort bekommen Sie von dem, der Ihr Gateway betreibt.",
  tillName: "Name der Kasse",
  password: "Passwort",
  signIn: "Anmelden",
  signOut: "Abmelden",
  badSignIn: "Name oder Passwort stimmt nicht.",

  busy: "Zu viele Versuche auf einmal. Bitte warten Sie eine Minute.",
  offline:
    "Keine Verbindung zum Gateway. Prüfen Sie das Netz, und drücken Sie noch einmal: Nichts wird doppelt berechnet.",
  fault: "Das geht im Augenblick nicht. Bitte versuchen Sie es noch einmal.",
  signedOut: "Die Kasse wurde abgemeldet. Bitte melden Sie sich neu an.",

  till: "Kasse {till}",
  ring: "Kassieren",
  amount: "Betrag",
  unit: "In",
  coins: "Münzen",
  keypad: "Ziffernfeld",
  deleteLast: "Letzte Ziffer löschen",
  decimalPoint: "Dezimalzeichen",
  about: "etwa {coins}",
  rate: "1 Münze = {price} ({source}, {time})",
  noRate: "Es gibt keinen Preis in {currency}. Bitte kassieren Sie in Münzen.",
  staleRate: "Der Preis in {currency} ist zu alt. Bitte kassieren Sie in Münzen.",
  tip: "Trinkgeld",
  noTip: "Keines",
  ownTip: "Anderes",
  tipAmount: "Höhe des Trinkgelds",
  toPay: "Zu zahlen",
  charge: "Berechnen",
  badAmount: "Bitte geben Sie einen Betrag ein.",
  badTip: "Bitte geben Sie das Trinkgeld als Betrag ein, oder wählen Sie keines.",
  tooLarge: "Dieser Betrag ist zu groß.",
  noAddress:
    "Das Gateway ist für einen neuen Verkauf nicht bereit. Bitte versuchen Sie es gleich noch einmal.",
  newSale: "Neuer Verkauf",
  saleGone: "Dieser Verkauf kann gerade nicht gezeigt werden. Er steht im Tagesabschluss.",
  saleWaits:
    "Dieser Verkauf kann gerade nicht gezeigt werden, es wird weiter versucht. Bitte nicht noch einmal berechnen: Er läuft weiter.",

  close: "Tagesabschluss",
  closeOf: "Abschluss vom {day}",
  dayBefore: "Tag davor",
  today: "Heute",
  zone: "Zeiten und Tage von {zone}",
  download: "CSV herunterladen",
  toTill: "Zurück zur Kasse",
  noSales: "Keine Verkäufe an diesem Tag.",
  notAll: "Der Tag hat mehr Verkäufe, als gezeigt werden: Ältere fehlen hier und in den Summen.",
  taken: "Eingenommen",
  takenText: "Bestätigte Verkäufe, mit Trinkgeld",
  ofWhichTips: "davon Trinkgeld",
  byState: "Nach Zustand",
  allSales: "Verkäufe",
  time: "Zeit",
  state: "Zustand",
  count: "Verkäufe",
  paid: "Gezahlt",

  stateNew: "noch nicht gezahlt",
  statePartial: "zum Teil gezahlt",
  statePaid: "gezahlt, nicht bestätigt",
  stateConfirmed: "bestätigt",
  stateOverpaid: "bestätigt, zu viel gezahlt",
  stateExpired: "nicht gezahlt",
  statePaidLate: "zu spät gezahlt",

  offlineTitle: "Keine Verbindung",
  offlineText:
    "Die Kasse erreicht das Gateway nicht. Sie zeigt keine Summen und Zustände, solange sie sie nicht kennt. Begonnene Verkäufe gehen weiter.",
  again: "Noch einmal versuchen",
};
