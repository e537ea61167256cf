/** The checkout page in Spanish. */
import type { CheckoutMessages } from "./checkoutMessages.ts";

/** The messages. */
export const SPANISH: CheckoutMessages = {
  title: "{state} – {store}",
  payTo: "Pago a {store}",
  testNetwork: "Red de pruebas: estas monedas no tienen valor.",

  newTitle: "Esperando su pago",
  newText: "Escanee el código con su monedero, o copie el importe y la dirección.",
  seenTitle: "Pago en camino",
  seenText: "Se han visto {seen}, que esperan un bloque. No tiene que hacer nada más.",
  partialTitle: "Ha llegado una parte",
  partialText: "Ha pagado {paid}. Faltan {due}.",
  partialOverTitle: "El plazo ha terminado y falta una parte",
  partialOverText: "Ha pagado {paid}. Faltan {due}. Pida más tiempo para pagar el resto.",
  partialOverShop: "Pregunte a la tienda qué ocurre con su pago.",
  paidTitle: "Pago recibido",
  paidText: "La tienda recibirá el aviso cuando se confirme. Puede cerrar esta página.",
  confirmations: "Confirmación {count} de {all}",
  confirmedTitle: "Pagado",
  confirmedText: "Su pago está completo. ¡Gracias!",
  overpaidTitle: "Pagado, y más de lo pedido",
  overpaidText:
    "Su pago está completo. Ha pagado {over} de más; pida a la tienda que se los devuelva.",
  expiredTitle: "El plazo para pagar ha terminado",
  expiredText:
    "No se ha pagado nada. No envíe nada más a esta dirección y vuelva a hacer el pedido en la tienda.",
  lateTitle: "Su pago llegó demasiado tarde",
  lateText:
    "{paid} llegaron después del plazo. La tienda lo sabe y decide qué ocurre con ese pago; pregunte allí.",
  wasLate: "Uno de los pagos llegó después del plazo.",
  tooMuch: "Ha pagado {over} de más; pida a la tienda que se los devuelva.",

  amount: "Importe",
  paid: "Pagado",
  due: "Pendiente",
  over: "Pagado de más",
  address: "Dirección",
  invoice: "Factura",
  coin: "moneda",
  coins: "monedas",
  payBefore: "Pagar antes de",
  timeLeft: "Tiempo restante",
  qr: "Código QR del enlace de pago {uri}",
  openWallet: "Abrir en el monedero",
  copyAmount: "Copiar importe",
  copyAddress: "Copiar dirección",
  copied: "Copiado",
  copyRefused: "No se copió: selecciónelo",
  topUp: "Pedir más tiempo",
  back: "Volver a {store}",
  backPlain: "Volver a la tienda",
  print: "Imprimir",

  missingTitle: "Esta factura no existe",
  missingText: "Compruebe el enlace o vuelva a hacer el pedido en la tienda.",
  busyTitle: "Demasiadas consultas a la vez",
  busyText: "Espere un minuto y vuelva a cargar la página. Los pagos no se ven afectados.",
  faultTitle: "Esto no funciona en este momento",
  faultText: "Vuelva a intentarlo dentro de unos minutos. Los pagos no se ven afectados.",
};
