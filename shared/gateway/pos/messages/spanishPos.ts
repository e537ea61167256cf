/** The point of sale in Spanish. */
import type { PosMessages } from "./posMessages.ts";

/** The messages. */
export const SPANISH_POS: PosMessages = {
  appName: "Caja",
  title: "Caja – {store}",
  needsScript: "La caja necesita JavaScript. Permítalo para esta página.",
  testNetwork: "Red de pruebas: estas monedas no tienen valor.",

  signInTitle: "Entrar en la caja",
  signInText: "Quien lleva su pasarela le da el nombre y la contraseña.",
  tillName: "Nombre de la caja",
  password: "Contraseña",
  signIn: "Entrar",
  signOut: "Salir",
  badSignIn: "El nombre o la contraseña no son correctos.",

  busy: "Demasiados intentos a la vez. Espere un minuto.",
  offline:
    "Sin conexión con la pasarela. Compruebe la red y pulse otra vez: no se cobra nada dos veces.",
  fault: "Esto no funciona en este momento. Inténtelo otra vez.",
  signedOut: "La caja se ha cerrado. Entre otra vez.",

  till: "Caja {till}",
  ring: "Cobrar",
  amount: "Importe",
  unit: "En",
  coins: "monedas",
  keypad: "Teclado numérico",
  deleteLast: "Borrar la última cifra",
  decimalPoint: "Separador decimal",
  about: "unas {coins}",
  rate: "1 moneda = {price} ({source}, {time})",
  noRate: "No hay precio en {currency}. Cobre en monedas.",
  staleRate: "El precio en {currency} es demasiado antiguo. Cobre en monedas.",
  tip: "Propina",
  noTip: "Ninguna",
  ownTip: "Otra",
  tipAmount: "Importe de la propina",
  toPay: "A pagar",
  charge: "Cobrar",
  badAmount: "Escriba un importe.",
  badTip: "Escriba la propina como importe, o elija ninguna.",
  tooLarge: "Este importe es demasiado grande.",
  noAddress: "La pasarela no está lista para una venta nueva. Inténtelo dentro de un momento.",
  newSale: "Venta nueva",
  saleGone: "Ahora no se puede mostrar esta venta. Está en el cierre del día.",
  saleWaits:
    "Ahora no se puede mostrar esta venta; se sigue intentando. No la cobre otra vez: sigue en curso.",

  close: "Cierre del día",
  closeOf: "Cierre del {day}",
  dayBefore: "Día anterior",
  today: "Hoy",
  zone: "Horas y días de {zone}",
  download: "Descargar CSV",
  toTill: "Volver a la caja",
  noSales: "No hay ventas en este día.",
  notAll:
    "El día tiene más ventas de las que se muestran: faltan las antiguas, también en las sumas.",
  taken: "Cobrado",
  takenText: "Ventas confirmadas, con propinas",
  ofWhichTips: "de ello propinas",
  byState: "Por estado",
  allSales: "Ventas",
  time: "Hora",
  state: "Estado",
  count: "Ventas",
  paid: "Pagado",

  stateNew: "aún sin pagar",
  statePartial: "pagada en parte",
  statePaid: "pagada, sin confirmar",
  stateConfirmed: "confirmada",
  stateOverpaid: "confirmada, pagada de más",
  stateExpired: "no pagada",
  statePaidLate: "pagada tarde",

  offlineTitle: "Sin conexión",
  offlineText:
    "La caja no llega a la pasarela. No muestra sumas ni estados mientras no los conoce. Las ventas empezadas siguen.",
  again: "Intentar otra vez",
};
