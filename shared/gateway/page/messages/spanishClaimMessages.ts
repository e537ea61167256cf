/** The page of a claim in Spanish. */
import type { ClaimMessages } from "./claimMessages.ts";

/** The messages. */
export const SPANISH_CLAIM: ClaimMessages = {
  from: "Reembolso de {store}",
  wrongTitle: "Error: {title}",

  requestedTitle: "¿A dónde debe ir su reembolso?",
  requestedText: "La tienda no ve desde qué monedero pagó usted. Indíquele una dirección.",
  claimedTitle: "La tienda tiene su dirección",
  claimedText:
    "La tienda debe aprobarla antes de pagar. Hasta entonces puede cambiar la dirección. Puede cerrar esta página.",
  claimedOverText: "La tienda debe aprobarla antes de pagar. La dirección ya no se puede cambiar.",
  changeTitle: "Cambiar la dirección",
  changeText: "La tienda paga a la dirección de abajo si usted no indica otra.",
  approvedTitle: "La tienda ha aprobado su reembolso",
  approvedText: "Se pagará a la dirección de abajo, que ya no se puede cambiar.",
  sentTitle: "Su reembolso está en camino",
  sentText: "La tienda lo ha enviado a la dirección de abajo. La red lo está confirmando.",
  confirmedTitle: "Su reembolso está pagado",
  confirmedText: "Está confirmado y se encuentra en la dirección de abajo.",
  cancelledTitle: "Este reembolso ya no se ofrece",
  cancelledText: "La tienda lo retiró o su plazo ha terminado. Pregunte a la tienda.",
  failedTitle: "No se pudo pagar su reembolso",
  failedText: "El pago ha fallado y la tienda lo sabe. Pregunte allí.",

  steps:
    "Abra su monedero, busque «Recibir», copie su dirección y péguela aquí. Use solo una dirección de su propio monedero.",
  field: "Su dirección",
  hint: "La dirección entera, con su comienzo hasta los dos puntos.",
  give: "Enviar la dirección a la tienda",
  change: "Cambiar la dirección",
  keep: "Dejarla como está",
  address: "Dirección",
  until: "Posible hasta",

  missingTitle: "Este reembolso no existe",
  missingText: "Compruebe el enlace o pídalo de nuevo a la tienda.",
  foreignTitle: "La dirección no se aceptó",
  foreignText: "No llegó desde esta página. Abra el enlace de la tienda e indíquela allí.",
};
