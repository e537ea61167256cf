/** Spanish message catalogue of a wallet in several tabs; a part of `es.ts`. */
import type { enTabs } from "../en/enTabs.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esTabs: { readonly [K in keyof typeof enTabs]: Message } = {
  "tabs.followText":
    "Esta pestaña muestra lo que tiene la otra y se mantiene al día con ella. Para pagar, recibir o cambiar algo, úselo aquí: la otra pestaña se bloqueará.",
  "tabs.endedTitle": "La otra pestaña se ha cerrado",
  "tabs.endedText":
    "El monedero estaba abierto allí. Escriba la frase de contraseña para continuar aquí.",
};
