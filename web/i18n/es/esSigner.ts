/** Spanish message catalogue of the offline signer page, a part of `es.ts`. */
import type { enSigner } from "../en/enSigner.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esSigner: { readonly [K in keyof typeof enSigner]: Message } = {
  "signer.title": "Firmante sin conexión",
  "signer.steps": "Pasos",
  "signer.stepSeed": "Semilla",
  "signer.stepScan": "Leer",
  "signer.stepReview": "Revisar",
  "signer.stepAnswer": "Mostrar",
  "signer.loading": "Abriendo…",
  "signer.brokenTitle": "La página no puede iniciarse",
  "signer.end": "Terminar la sesión",
  "signer.online":
    "Este dispositivo parece estar conectado. Esta página no envía nada, pero otros programas podrían hacerlo. Para una protección de verdad use un dispositivo que nunca se conecte.",
  "signer.seedTitle": "¿De quién son los pagos que firma?",
  "signer.seedText":
    "La semilla queda solo en la memoria de esta página. Se olvida cuando usted termina la sesión o cierra la página.",
  "signer.seedOpen": "Continuar",
  "signer.seedShow": "Mostrar la semilla",
  "signer.seedHide": "Ocultar la semilla",
  "signer.seedMake": "Crear una semilla nueva",
  "signer.newTitle": "Su semilla nueva",
  "signer.newText":
    "Anótela entera en papel y guarde bien el papel. Quien lo tiene, tiene sus monedas; sin él están perdidas.",
  "signer.newWritten": "La he anotado",
  "signer.scanTitle": "Lea el pago",
  "signer.scanText":
    "En el otro dispositivo, muestre los códigos del pago preparado. Pueden venir en cualquier orden, y alguno puede faltar.",
  "signer.scanWays": "Cómo leer los códigos",
  "signer.scanCamera": "Cámara",
  "signer.scanImages": "Imágenes",
  "signer.scanPaste": "Texto",
  "signer.imagesLabel": "Imágenes de los códigos",
  "signer.imagesChoose": "Elegir imágenes",
  "signer.imagesHint":
    "Fotografías o capturas de pantalla con un código en cada una. Pueden ser varias a la vez.",
  "signer.imagesNone": {
    one: "No había ningún código legible en {count} imagen.",
    other: "No había ningún código legible en {count} imágenes.",
  },
  "signer.pasteLabel": "Texto de los códigos",
  "signer.pasteHint": "Un código en cada línea. Cada uno empieza por «ur:».",
  "signer.pasteTake": "Leer el texto",
  "signer.progressLabel": "Partes del pago que se han leído",
  "signer.progressNone": "Esperando el primer código",
  "signer.progress": {
    one: "{known} de {count} parte leída",
    other: "{known} de {count} partes leídas",
  },
  "signer.again": "Empezar de nuevo",
  "signer.keysTitle": "Dirección y clave de vista",
  "signer.keysText":
    "Un programa que prepara sus pagos necesita la clave de vista. Muestra a quien la tiene todo lo que usted recibe y paga, pero no puede gastar.",
  "signer.keysNetwork": "Red",
  "signer.keysAddress": "Dirección",
  "signer.keysViewing": "Clave de vista",
  "signer.keysQr": "Código QR de la clave de vista",
  "signer.reviewTitle": "¿Es esto lo que quiere pagar?",
  "signer.reviewChecked":
    "Se ha comprobado con el propio pago. Nada más puede ocurrir cuando lo firme.",
  "signer.payment": "Pago {number} de {count}",
  "signer.to": "Para",
  "signer.memo": "Mensaje",
  "signer.memoNone": "Ninguno",
  "signer.memoBytes": "No es texto: {hex}",
  "signer.own": "Esta dirección es suya.",
  "signer.fee": "Comisión",
  "signer.change": "Vuelve a usted",
  "signer.total": "Paga en total",
  "signer.network": "Red",
  "signer.compare":
    "Compare la dirección con la que le dio quien cobra, mejor por otro camino que el dispositivo que preparó el pago.",
  "signer.reject": "No firmar",
  "signer.sign": "Firmar {amount}",
  "signer.refusedTitle": "No se firmó nada",
  "signer.refusedText":
    "El pago es de otra semilla, o el dispositivo que lo preparó está defectuoso, o miente. No lo intente otra vez antes de saber cuál es el caso.",
  "signer.answerTitle": "Muestre esto al otro dispositivo",
  "signer.answerText":
    "El pago está firmado. Se envía cuando el otro dispositivo ha leído este código. El código no sirve para ningún otro pago.",
  "signer.answerQr": "Código QR de las firmas",
  "signer.answerCopy": "Copiar como texto",
  "signer.next": "Pago siguiente",
};
