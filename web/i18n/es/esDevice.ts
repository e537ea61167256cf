/** Spanish message catalogue of the unlock with this device, a part of `es.ts`. */
import type { enDevice } from "../en/enDevice.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esDevice: { readonly [K in keyof typeof enDevice]: Message } = {
  "device.text":
    "Este dispositivo también puede abrir el monedero, con su huella, su rostro o su PIN. La frase de contraseña se mantiene.",
  "device.textSet":
    "Este dispositivo abre el monedero con su huella, su rostro o su PIN. La frase de contraseña también lo abre.",
  "device.add": "Configurar este dispositivo",
  "device.remove": "Quitar este dispositivo",
  "device.removed":
    "Este dispositivo ya no abre el monedero. La llave de acceso sigue abriendo las copias anteriores de sus datos: elimínela entre las llaves de acceso de este dispositivo.",
  "device.title": "Desbloquear con este dispositivo",
  "device.askText":
    "Primero, la frase de contraseña; después, el dispositivo le pide su huella, su rostro o su PIN y crea una llave de acceso. Quien pueda desbloquear este dispositivo podrá entonces abrir el monedero y pagar. Si su navegador o su sistema sincroniza la llave, su fabricante también la guarda.",
  "device.askSubmit": "Preguntar al dispositivo",
  "device.done":
    "Este dispositivo abre el monedero desde ahora. Conserve la frase de contraseña: hace falta para las copias de seguridad y los cambios, y si se pierde la llave de acceso.",
  "device.unlock": "Desbloquear con este dispositivo",
  "device.waiting": "Esperando a este dispositivo…",
  "device.passkeyName": "Monedero en {network}",
  "device.cancelled":
    "El dispositivo no ha abierto el monedero: se canceló, o su llave de acceso ya no existe. La frase de contraseña lo abre.",
  "device.cancelledSetUp":
    "No se ha creado ninguna llave de acceso: se canceló. No ha cambiado nada.",
  "device.noSecret":
    "Las llaves de acceso de este dispositivo no pueden guardar una clave para el monedero. Solo la frase de contraseña lo abre. Si se acaba de crear una, puede eliminarla entre las llaves de acceso de este dispositivo.",
  "device.mismatch":
    "La llave de acceso de este dispositivo no abre el monedero. Use la frase de contraseña; después quite este dispositivo en los ajustes y configúrelo de nuevo.",
  "device.unavailable":
    "El navegador no deja que esta página use las llaves de acceso de este dispositivo. La frase de contraseña abre el monedero.",
};
