/** Spanish message catalogue of receiving: payment requests, own addresses, links and the camera; a part of `es.ts`. */
import type { enReceive } from "../en/enReceive.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esReceive: { readonly [K in keyof typeof enReceive]: Message } = {
  "receive.copy": "Copiar la dirección",
  "request.title": "Pedir un pago",
  "request.text":
    "Lo que escriba aquí pasa a formar parte del código de arriba y de un enlace. Quien lo abra encuentra el pago rellenado y aún lo confirma.",
  "request.amount": "Importe",
  "request.amountHint": "Déjelo vacío para que elija quien paga.",
  "request.memo": "Mensaje del pago",
  "request.memoHint": "El pago se lo devuelve cifrado: por ejemplo, un número de pedido.",
  "request.label": "Su nombre",
  "request.labelHint": "Lo ve quien paga. Cualquiera puede escribir aquí cualquier cosa.",
  "request.qr": "La petición de pago como código QR",
  "request.copy": "Copiar el enlace",
  "request.share": "Compartir",
  "request.clear": "Sin petición",
  "request.open": "Pedir un importe",
  "request.shown": "Pide {amount}",
  "request.shownOpen": "Pide cualquier importe",

  "addresses.title": "Sus direcciones",
  "addresses.text":
    "Todas llevan a este monedero. Los nombres quedan cifrados en este navegador; una nueva exploración los conserva, la semilla sola no los recupera.",
  "addresses.number": "Dirección {number}",
  "addresses.received": {
    one: "{amount} en {count} pago",
    other: "{amount} en {count} pagos",
  },
  "addresses.nothing": "Aún no se ha recibido nada",
  "addresses.show": "Mostrar",
  "addresses.showOf": "Mostrar la dirección {number}",
  "addresses.name": "Nombre",
  "addresses.nameOf": "Nombre de la dirección {number}",
  "addresses.nameHint": "Solo lo ve usted.",
  "addresses.more": "Mostrar más",

  "link.filled": "Un enlace de pago ha rellenado este formulario",
  "link.from": "Vino de {origin}.",
  "link.fromOutside": "Vino de fuera de este monedero: de una página, un programa o un código.",
  "link.check":
    "No se ha pagado nada. Compare la dirección y el importe con lo que espera; el pago se confirma en la pantalla siguiente.",
  "link.asks": "Un enlace de pago quiere rellenar este formulario",
  "link.replaces": "Sustituiría lo que usted ha escrito.",
  "link.take": "Rellenar el formulario",
  "link.keep": "Conservar lo escrito",
  "link.refused": "No se pudo leer un enlace de pago",
  "link.refusedText": "El formulario está como estaba.",

  "links.title": "Enlaces de pago",
  "links.text":
    "Permite que este navegador abra con este monedero los enlaces que empiezan por {scheme}:. Un enlace solo rellena el formulario de pago; usted confirma lo que se paga.",
  "links.set": "Abrir aquí los enlaces de pago",
  "links.asked":
    "El navegador le pregunta, o lo ha anotado. Guarda la lista de esos enlaces en sus ajustes de sitios.",

  "camera.label": "Lo que ve la cámara",
  "scan.open": "Escanear",
  "scan.title": "Escanear un código de pago",
  "scan.text": "Ponga el código ante la cámara. La imagen no sale de este navegador.",
  "scan.image": "Elegir una imagen",
  "scan.imageLabel": "Imagen del código",
};
