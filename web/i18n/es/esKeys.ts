/** Spanish message catalogue of the wallet's keys: passphrase, automatic lock, backups, a part of `es.ts`. */
import type { enKeys } from "../enKeys.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esKeys: { readonly [K in keyof typeof enKeys]: Message } = {
  "keys.passphraseText":
    "Otra frase de contraseña para este monedero en este navegador. Las copias anteriores de sus datos se siguen abriendo con la antigua.",
  "keys.passphraseChange": "Cambiar la frase de contraseña",
  "keys.passphraseNow": "Frase de contraseña actual",
  "keys.passphraseNew": "Nueva frase de contraseña",
  "keys.passphraseDone": "La frase de contraseña se ha cambiado.",
  "keys.close": "Cerrar",
  "keys.lockAfter": "Se bloquea sin actividad después de",

  "backups.title": "Copias de seguridad",
  "backups.paperText":
    "Una página para imprimir o copiar: la semilla con sus dígitos de control, un código QR y cuándo se creó el monedero.",
  "backups.paper": "Copia en papel",
  "backups.fileText":
    "Un archivo con la semilla, sellado con la frase de contraseña de este monedero. Quien tenga ambas cosas puede llevárselo todo; sin la frase de hoy no vale nada.",
  "backups.file": "Archivo de copia",
  "backups.fileSubmit": "Guardar el archivo",
  "backups.fileDone":
    "El archivo está guardado. Se abre con la frase de contraseña que este monedero tiene ahora, también después de que la cambie aquí.",

  "paper.title": "Copia en papel de un monedero",
  "paper.warning":
    "Quien vea esta página puede llevárselo todo. Las impresoras pueden guardar lo que imprimen; lo más seguro es copiarla a mano.",
  "paper.ask": "La página muestra la semilla. Asegúrese de que nadie mira.",
  "paper.askSubmit": "Mostrar la página",
  "paper.qr": "La semilla y sus dígitos de control como código QR",
  "paper.network": "Red",
  "paper.birthday": "Primer uso",
  "paper.birthdayGenesis": "Desconocido: explorar desde el principio",
  "paper.made": "Página creada",
  "paper.how":
    "Para restaurar: abra un monedero de esta red, elija «Restaurar un monedero» y escriba los grupos en su orden, los dígitos de control al final. Un dígito erróneo se nota.",
  "paper.print": "Imprimir",

  "restoreFile.choice": "Restaurar desde un archivo",
  "restoreFile.choiceText": "Desde un archivo de copia y su frase de contraseña.",
  "restoreFile.file": "Archivo de copia",
  "restoreFile.fileHint": "Un archivo que este monedero guardó en Ajustes, Copias de seguridad.",
  "restoreFile.fileMissing": "Elija primero el archivo.",
  "restoreFile.passphrase": "Frase de contraseña del archivo",
  "restoreFile.passphraseHint":
    "El monedero la conserva como frase de contraseña en este navegador.",
};
