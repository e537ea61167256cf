/** Spanish message catalogue of payments over several transactions, and of how notes are chosen; a part of `es.ts`. */
import type { enMoney } from "../en/enMoney.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esMoney: { readonly [K in keyof typeof enMoney]: Message } = {
  "pay.availableMany": {
    one: "Se pueden enviar {amount}, en un pago de {count} transacción",
    other: "Se pueden enviar {amount}, en un pago de {count} transacciones",
  },
  "pay.howTitle": "Cómo se paga",
  "pay.exact":
    "Sus monedas están en notas, y una nota se gasta entera. Una de ellas tiene exactamente la suma necesaria.",
  "pay.one":
    "Sus monedas están en notas, y una nota se gasta entera. Se gasta la más pequeña que basta.",
  "pay.many": {
    one: "Sus monedas están en notas, y una nota se gasta entera. Se gasta {count} nota.",
    other:
      "Sus monedas están en notas, y una nota se gasta entera. Ninguna basta por sí sola: se gastan {count}, las mayores primero.",
  },
  "pay.shared": {
    one: "Se gasta {count} nota, la misma que gasta el pago anterior: solo uno de los dos puede llevarse a cabo.",
    other:
      "Se gastan {count} notas, algunas de las que también gasta el pago anterior: solo uno de los dos puede llevarse a cabo.",
  },
  "pay.noChange": "No vuelve nada como cambio.",
  "pay.change": "{amount} vuelven a usted como cambio. Se podrán gastar de nuevo tras {time}.",
  "pay.transactions": {
    one: "Todo va en {count} transacción.",
    other:
      "Una transacción admite 38 notas como máximo, así que este pago necesita {count}, que se envían una tras otra. Usted confirma una vez; la comisión es la de todas. Si entretanto se cierra esta página, el monedero continúa cuando se vuelva a abrir.",
  },
  "pay.part": "Transacción {part} de {parts}",
  "pay.outSoFar": {
    one: "Se ha enviado {count} transacción. Detenerse la mantiene y no envía nada más.",
    other: "Se han enviado {count} transacciones. Detenerse las mantiene y no envía nada más.",
  },
  "pay.stop": "Detenerse aquí",
  "pay.pausedTitle": "Se ha enviado una parte del pago",
  "pay.pausedText": {
    one: "Se ha enviado {count} transacción. El monedero envía el resto por sí solo en cuanto pueda; nada se paga dos veces.",
    other:
      "Se han enviado {count} transacciones. El monedero envía el resto por sí solo en cuanto pueda; nada se paga dos veces.",
  },
  "pay.allSent": {
    one: "{count} transacción está en camino. En segundos estará en un bloque.",
    other: "Las {count} transacciones están en camino. En segundos estarán en un bloque.",
  },
  "pay.partlyTitle": "Pagado en parte",
  "pay.partlyText": {
    one: "Se ha enviado {count} transacción, y así queda. No se envía nada más. El historial dice lo que se pagó.",
    other:
      "Se han enviado {count} transacciones, y así quedan. No se envía nada más. El historial dice lo que se pagó.",
  },
  "pay.rowPartly": "Pagado en parte",
  "pay.rowUnderWay": "En curso",
  "pay.confirmed": "Confirmado por usted",
  "pay.rowParts": "Transacciones",
  "pay.openPart": "Transacción {part}",
  "pay.rowStopped": "No se envía nada más de este pago.",
};
