/** Spanish message catalogue of the wallet's keys: passphrase, automatic lock, backups, a part of `es.ts`. */
import type { enKeys } from "../en/enKeys.ts";
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

  "readBack.title": "Destinatarios tras una restauración",
  "readBack.choice": "Los pagos que haga desde ahora se podrán leer tras una restauración",
  "readBack.text":
    "Un monedero restaurado encuentra lo que recibió y, de lo que pagó, solo la suma. Con esto activado, cada pago lleva en la cadena una copia para usted: tras una restauración vuelven el destinatario, el importe y el mensaje. Los pagos anteriores quedan como están.",
  "readBack.cost":
    "Lo que cuesta: quien llegue a tener su semilla o su clave de vista completa verá también a quién pagó y qué escribió. No hay comisión, y nadie más nota la diferencia. Desactivarlo después no retira ninguna copia.",
  "readBack.yes": "Activar",
  "readBack.no": "Dejar desactivado",

  "backups.brings": "Un archivo de copia, sí.",
  "backups.title": "Copias de seguridad",
  "backups.paperText":
    "Una página para imprimir o copiar: la semilla con sus dígitos de control, un código QR y cuándo se creó el monedero.",
  "backups.paper": "Copia en papel",
  "backups.fileText":
    "Un archivo con la semilla y con sus contactos, nombres de direcciones y comentarios, sellado con la frase de contraseña de este monedero. Quien tenga ambas cosas puede llevárselo todo; sin la frase de hoy no vale nada.",
  "backups.file": "Archivo de copia",
  "backups.fileSubmit": "Guardar el archivo",
  "backups.fileDone":
    "El archivo está guardado. Se abre con la frase de contraseña que este monedero tiene ahora, también después de que la cambie aquí.",
  "backups.without.contacts":
    "Los contactos no están en él: están dañados o son demasiados para un archivo.",
  "backups.without.names":
    "Los nombres de direcciones no están en él: están dañados o son demasiados para un archivo.",
  "backups.without.remarks":
    "Los comentarios sobre pagos no están en él: están dañados o son demasiados para un archivo.",

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

  "viewing.title": "Claves de vista",
  "viewing.text":
    "Para la contabilidad, una pasarela o un programa que observa. Una clave de vista no puede gastar, y no se puede retirar.",
  "viewing.export": "Mostrar una clave de vista",
  "viewing.which": "Qué clave",
  "viewing.incoming": "De entrada",
  "viewing.full": "Completa",
  "viewing.incomingWarning":
    "Quien la tenga ve todos los pagos que esta semilla reciba, con importes y mensajes, para siempre. No muestra lo que se gasta.",
  "viewing.fullWarning":
    "Quien la tenga ve todo lo que esta semilla reciba y gaste, para siempre: importes, mensajes, saldo. De los pagos que se pueden leer tras una restauración, también los destinatarios.",
  "viewing.agree": "Quiero mostrarla, y sé que ningún cambio de frase de contraseña la retira.",
  "viewing.submit": "Mostrar la clave",
  "viewing.key": "Clave de vista",
  "viewing.save": "Guardar como archivo",
  "viewing.qr": "La clave de vista como código QR",

  "watch.choice": "Observar un monedero",
  "watch.choiceText": "Con una clave de vista: muestra lo que entra y sale, y no puede pagar.",
  "watch.key": "Clave de vista completa",
  "watch.keyHint": "192 dígitos hexadecimales. Los espacios y saltos de línea no importan.",
  "watch.keyIncoming":
    "Esta es una clave de entrada. Sin la completa, este monedero no podría decir qué se ha gastado.",
  "watch.keyLength": "Una clave de vista completa tiene 192 dígitos hexadecimales.",
  "watch.submit": "Observar",
  "watch.deleteConfirm": "Tengo la clave de vista en otro lugar, o ya no la necesito.",
  "watch.badge": "Solo observa",
  "watch.title": "Este monedero solo observa",
  "watch.text":
    "Tiene una clave de vista y ninguna semilla: muestra lo que entra y sale, y no puede pagar. La semilla está en otro lugar.",
  "wallets.title": "Monederos",
  "wallets.text":
    "Este navegador puede guardar varios monederos, cada uno con su semilla y su frase de contraseña. Solo uno está abierto a la vez; al cambiar se bloquea.",
  "wallets.number": "Monedero {number}",
  "wallets.choice": "Monedero",
  "wallets.open": "Abierto ahora",
  "wallets.locked": "Bloqueado",
  "wallets.rename": "Cambiar nombre",
  "wallets.renameOf": "Cambiar nombre de {name}",
  "wallets.nameOf": "Nombre de {name}",
  "wallets.nameHint":
    "Se muestra antes de la frase de contraseña: cualquiera que use este navegador puede leerlo. Si lo deja vacío, el monedero se muestra con su número.",
  "wallets.switch": "Cambiar a este",
  "wallets.switchTo": "Cambiar a este: {name}",
  "wallets.add": "Añadir un monedero",
  "wallets.full": "Este navegador tiene {max} monederos y no admite más.",
  "wallets.paying": "Se está haciendo un pago: su monedero sigue abierto hasta que termine.",
  "wallets.newTitle": "Un monedero más",
  "wallets.newText":
    "Tendrá su propia semilla y su propia frase de contraseña. Los monederos que ya están aquí quedan como están, bloqueados.",
  "wallets.back": "Volver a sus monederos",
  "wallets.deleteName": "Se quitará {name}. Los demás monederos de este navegador se conservan.",
};
