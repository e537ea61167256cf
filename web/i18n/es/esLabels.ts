/** Spanish message catalogue of remarks on payments and of contacts; a part of `es.ts`. */
import type { enLabels } from "../en/enLabels.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esLabels: { readonly [K in keyof typeof enLabels]: Message } = {
  "remark.title": "Su comentario",
  "remark.add": "Añadir un comentario",
  "remark.change": "Cambiar el comentario",
  "remark.hint":
    "Solo lo ve usted. Queda cifrado en este navegador y aparece en los archivos que guarde; la semilla sola no lo recupera.",
  "contacts.title": "Contactos",
  "contacts.text":
    "Nombres para direcciones de otras personas. Quedan cifrados en este navegador; la semilla sola no los recupera.",
  "contacts.none": "Todavía no hay contactos.",
  "contacts.add": "Añadir un contacto",
  "contacts.addOf": "Añadir a los contactos",
  "contacts.name": "Nombre",
  "contacts.address": "Dirección del contacto",
  "contacts.proof": "Mensaje firmado del contacto, si lo hay",
  "contacts.proofHint":
    "Muestra que quien lo firmó tiene la clave de esta dirección, no quién es; y puede pasarse a otros, así que pida un texto elegido por usted. Se comprueba ahora y no se conserva, porque una firma contiene la clave de vista del contacto; solo quedan el texto y el día.",
  "contacts.proofForm": "Esto no es un mensaje firmado.",
  "contacts.proved": "Control de esta dirección demostrado el {date}",
  "contacts.provedText": "Texto firmado: {text}",
  "contacts.unproved": "Nadie ha demostrado el control de esta dirección.",
  "contacts.remove": "Quitar",
  "contacts.removeOf": "Quitar a {name}",
  "contacts.choose": "Elegir un contacto",
  "contacts.chooseNone": "Ningún contacto",
  "contacts.full": "No queda sitio para más contactos.",
};
