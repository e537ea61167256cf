/** Spanish texts of the wallet's face, a part of `es.ts`. */
import type { enFace } from "../en/enFace.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esFace: { readonly [K in keyof typeof enFace]: Message } = {
  "amount.readAs": "Leído como {amount}",
  "send.missingTo": "¿A quién? Pegue una dirección o un enlace de pago.",
  "send.missingAmount": "¿Cuánto? Escríbalo como 12,5.",
  "send.pasteRefused":
    "El navegador no muestra el portapapeles a esta página. Ponga el cursor en el campo y pegue con el teclado.",
  "send.sentTo": "A {address}",
  "send.copyTxid": "Copiar el identificador de la transacción",

  "detail.copyTxid": "Copiar el identificador de la transacción",
  "detail.lookUp": "Buscarla en el explorador",
  "detail.lookUpNote":
    "El explorador la encuentra entre otras, de modo que su servidor no sabe cuál busca usted. Quien abre allí su página sí se lo dice.",

  "status.timeLeft": "tiempo restante aproximado: {time}",

  "day.today": "Hoy",
  "day.yesterday": "Ayer",
  "day.now": "En curso",
  "ago.now": "ahora mismo",
  "ago.minutes": { one: "hace {count} minuto", other: "hace {count} minutos" },
  "row.minedBlocks": { one: "{count} bloque", other: "{count} bloques" },
  "row.minedEach": "Mostrar cada uno",

  "home.firstText":
    "Muestre su dirección a quien le pague. El pago se ve aquí en segundos y se puede gastar en cuanto su bloque esté lo bastante profundo.",
  "home.firstMine":
    "Este nodo lleva una red de prueba propia: en la página con su dirección puede hacer que mine para usted.",
};
