/** Spanish message catalogue of signed messages, a part of `es.ts`. */
import type { enMessages } from "../en/enMessages.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esMessages: { readonly [K in keyof typeof enMessages]: Message } = {
  "messages.title": "Mensajes firmados",
  "messages.text":
    "Una firma muestra, sin ningún pago, que alguien tiene la clave de una dirección. Aquí firma usted un texto y comprueba lo que firmaron otros.",
  "messages.open": "Mensajes firmados",
  "messages.back": "Volver a los ajustes",

  "sign.title": "Firmar un mensaje",
  "sign.address": "Dirección",
  "sign.addressOf": "Dirección {number}: {address}",
  "sign.named": "{name}: {address}",
  "sign.message": "Texto",
  "sign.messageHint":
    "Use las palabras de quien lo pide y ponga la fecha: un texto sin fecha se puede volver a mostrar más tarde.",
  "sign.tooLong": "Como máximo {max} caracteres.",
  "sign.warningTitle": "Una firma revela la clave de vista completa",
  "sign.warning":
    "Quien la reciba verá todo lo que esta semilla reciba y gaste, para siempre: importes, mensajes, saldo. Con ella nadie puede gastar, y no se puede retirar. Para demostrar una dirección, use un monedero aparte.",
  "sign.agree":
    "Quiero firmar, y sé que quien reciba la firma verá todos los pagos de este monedero.",
  "sign.submit": "Firmar",
  "sign.done": "El mensaje está firmado. Déselo solo a quien lo pidió.",
  "sign.copy": "Copiar el mensaje firmado",
  "sign.file": "Guardar en un archivo",
  "sign.signature": "Firma",
  "sign.another": "Firmar otro",

  "verify.title": "Comprobar un mensaje",
  "verify.text":
    "Pegue las tres partes, o un mensaje firmado entero en cualquiera de los campos. Se comprueba en este navegador, y nadie se entera.",
  "verify.file": "Archivo de un mensaje firmado",
  "verify.fileWrong": "Este archivo no contiene ningún mensaje firmado.",
  "verify.address": "Dirección de quien firma",
  "verify.message": "Texto que se firmó",
  "verify.messageHint": "Cuenta cada carácter, también los espacios y los saltos de línea.",
  "verify.signature": "Firma",
  "verify.signatureWrong": "Una firma tiene 320 dígitos hexadecimales.",
  "verify.submit": "Comprobar",
  "verify.good": "La firma es correcta",
  "verify.goodText": "Quien la hizo tiene la clave de esta dirección y firmó este texto.",
  "verify.limits":
    "No demuestra quién es, cuándo firmó ni que la haya hecho quien se la muestra: una firma se puede pasar a otros. Pida un texto elegido por usted.",
  "verify.bad": "Esto no demuestra nada",
  "verify.BadFvk": "La primera parte de la firma no es una clave de vista.",
  "verify.AddressMismatch": "La firma es de una clave distinta de la de la dirección.",
  "verify.BadKey": "La clave de la firma no se puede usar.",
  "verify.BadSignature":
    "La firma no es de este texto y esta dirección: se cambió una de las dos cosas.",
};
