/** Spanish message catalogue of the first seconds of the page, before its core is there, a part of `es.ts`. */
import type { enStart } from "../en/enStart.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esStart: { readonly [K in keyof typeof enStart]: Message } = {
  "start.loading": "El programa todavía se está cargando. Mientras tanto puede continuar aquí.",
  "start.slow":
    "El programa aún no ha llegado: la conexión es lenta o el servidor no lo envía. No se pierde nada por esperar.",
  "start.failed": "No se pudo cargar el programa. No se ha creado ni cambiado nada.",
  "start.again": "Intentarlo de nuevo",
  "start.asOf": "Lo último conocido, a {time}, hace {age}",
  "start.newer": "Hay una versión más nueva de esta página",
  "start.newerText":
    "Se usará cuando no quede abierta ninguna página de este monedero, o ahora mismo:",
  "start.newerLoad": "Cargarla ahora",
};
