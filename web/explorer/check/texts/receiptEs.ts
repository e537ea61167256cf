/** Spanish texts of the check of receipts, a part of `es.ts`. */
import type { Message } from "../../../i18n/message.ts";
import type { receiptEn } from "./receiptEn.ts";

/** The messages. */
export const receiptEs: { readonly [K in keyof typeof receiptEn]: Message } = {
  "receipt.file": "Archivo del recibo",
  "receipt.chosen": "Soltado: {name}. Si hay un texto abajo, se comprueba el texto.",
  "receipt.text": "O su texto (ur:svc-receipt/…)",
  "receipt.asked": "Texto que usted pidió (puede faltar)",
  "receipt.check": "Comprobar el recibo",
  "receipt.anchor": "Comprobarlo con la cadena de este nodo",
  "receipt.loading": "Se está cargando lo que la comprobación necesita.",
  "receipt.ready": "Todo está cargado: la comprobación funciona sin red y no pregunta a nadie.",
  "receipt.anchorNote":
    "El segundo botón pide al nodo de esta página sus bloques más recientes y el bloque en que se apoya el recibo. El nodo conoce así ese bloque, que muchos recibos comparten, y nada más del recibo.",
  "receipt.holds": "El recibo es válido por sí solo",
  "receipt.holdsOnChain": "El recibo es válido y se apoya en la cadena que mostró el nodo",
  "receipt.byWork":
    "Se apoya en el trabajo de un bloque: inventar un recibo así cuesta {hashes} hashes de media.",
  "receipt.byChain":
    "El nodo mostró al menos {hashes} hashes de trabajo sobre él, que su navegador ha recalculado. Quien se lo invente tiene que hacer este trabajo.",
  "receipt.unmeasured":
    "Este programa no conoce ningún trabajo de esta red, así que no puede decir cuánto tarda alguien en hacerlo.",
  "receipt.chainTime": "Es el trabajo de toda la red durante {time}.",
  "receipt.workTime":
    "Toda la red encuentra un bloque así en {time} de media. Quien tiene el 5 % necesita {longer}, y encuentra uno en un día con una probabilidad de {chance}.",
  "receipt.noWork": "Esta red no demuestra nada: sus bloques no cuestan trabajo.",
  "receipt.near":
    "El pago está menos de 100 bloques por debajo del bloque en que se apoya el recibo. La cadena puede haber abandonado esa rama: compruébelo con la cadena.",
  "receipt.recipient": "Pagado a",
  "receipt.amount": "Importe",
  "receipt.block": "Pagado",
  "receipt.blockValue": "en el bloque {block} o antes",
  "receipt.score": "Blue score de ese bloque",
  "receipt.time": "Hora de ese bloque",
  "receipt.timeValue": "{time}, según su minero",
  "receipt.depth": "Bloques de la cadena hasta el bloque del recibo",
  "receipt.challenge": "Hecho para",
  "receipt.noChallenge": "nadie en particular: quien lo tiene puede mostrarlo",
  "receipt.signedBy": "Firmado por",
  "receipt.answered": "quien cobró",
  "receipt.unanswered": "nadie: quien tenía el recibo pudo escribir el texto",
  "receipt.payment": "Pago",
  "receipt.paymentValue": "{txid}, según quien pagó",
  "receipt.spent": "Gastado con él",
  "receipt.notShown": "no se muestra",
  "receipt.otherNetwork": "Este recibo es de otra red ({code}).",
  "receipt.otherChallenge": "Este recibo no se hizo para el texto que usted pidió ({code}).",
  "receipt.badAnswer": "Quien cobró no firmó el texto de este recibo, o se alteró ({code}).",
  "receipt.misread": "El texto se alteró o no se copió hasta el final ({code}).",
  "receipt.noReceipt": "Esto no es un recibo, o le falta una parte ({code}).",
  "receipt.false": "Este recibo es falso: no encaja con el trabajo que nombra ({code}).",
  "receipt.notOnChain":
    "Por sí solo es válido, pero la cadena del nodo no tiene el bloque en que se apoya ({code}).",
  "receipt.tooYoung":
    "Por sí solo es válido. En la cadena del nodo hay aún muy pocos bloques sobre él; inténtelo más tarde ({code}).",
  "receipt.noNode":
    "Por sí solo es válido. Ningún nodo mostró una cadena que se pudiera comprobar ({code}).",
};
