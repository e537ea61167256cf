/** Spanish message catalogue of the pages. */
import type { Catalogue } from "../catalogue.ts";
import { esAppearance } from "./esAppearance.ts";
import { esCautions } from "./esCautions.ts";
import { esDevice } from "./esDevice.ts";
import { esEvidence } from "./esEvidence.ts";
import { esFace } from "./esFace.ts";
import { esHistoryFile } from "./esHistoryFile.ts";
import { esStart } from "./esStart.ts";
import { esKeys } from "./esKeys.ts";
import { esLabels } from "./esLabels.ts";
import { esReceive } from "./esReceive.ts";
import { esMerging } from "./esMerging.ts";
import { esMessages } from "./esMessages.ts";
import { esMoney } from "./esMoney.ts";
import { esPayees } from "./esPayees.ts";
import { esNodes } from "./esNodes.ts";
import { esReceipt } from "./esReceipt.ts";
import { esSigner } from "./esSigner.ts";
import { esTabs } from "./esTabs.ts";

/** The messages. */
export const es: Catalogue = {
  "amount.unit": "monedas",
  "amount.unitOne": "moneda",
  "amount.withUnit": "{amount} {unit}",

  "time.seconds": { one: "{count} segundo", other: "{count} segundos" },
  "time.minutes": { one: "{count} minuto", other: "{count} minutos" },
  "time.minutesSeconds": "{minutes} min {seconds} s",
  "time.hours": { one: "{count} hora", other: "{count} horas" },
  "time.days": { one: "{count} día", other: "{count} días" },

  "copy.copy": "Copiar",
  "copy.done": "Copiado",
  "copy.refused": "No permitido",
  "dialog.close": "Cerrar",
  "form.back": "Atrás",
  "form.cancel": "Cancelar",
  "form.save": "Guardar",

  "app.title": "Monedero",
  "app.skip": "Ir al contenido",
  "app.navigation": "Menú principal",
  "app.starting": "El monedero se está iniciando…",
  "app.elsewhereTitle": "El monedero está abierto en otra pestaña",
  "app.elsewhereText":
    "Solo una pestaña puede usarlo a la vez, para que ninguna moneda se gaste dos veces. Ciérrelo allí y se abrirá aquí por sí solo.",
  "app.elsewhereTake": "Usarlo aquí",
  "app.movedTitle": "El monedero pasó a otra pestaña",
  "app.movedText": "Esta pestaña se ha bloqueado y ya no tiene claves.",
  "app.insecureTitle": "Esta conexión no es lo bastante segura para un monedero",
  "app.insecureText":
    "Abra la página por HTTPS o en el equipo que la sirve. Si no, cualquiera en el camino podría cambiar lo que hace. Quien la sirve puede hacerlo en todo caso: abra un monedero solo desde un servidor suyo o en el que confíe.",
  "app.otherPaysTitle": "La otra pestaña está haciendo un pago",
  "app.otherPaysText":
    "Todavía no se ha enviado nada de él. Si usa el monedero aquí, ese pago se cancela.",
  "app.otherPaysTake": "Cancelar el pago y usarlo aquí",

  "lock.title": "¿Cancelar el pago y bloquear?",
  "lock.text":
    "Se está preparando un pago y todavía no se ha enviado nada de él. Al bloquear se quitan las claves, así que el pago se cancelaría.",
  "lock.confirm": "Cancelarlo y bloquear",
  "lock.stay": "Seguir pagando",
  "app.brokenTitle": "El monedero tuvo que detenerse",
  "app.reload": "Volver a cargar la página",
  "app.crashTitle": "Esta pantalla dejó de funcionar",
  "app.crashText": "Sus monedas están a salvo: al volver a cargar la página no se pierde nada.",

  "nav.home": "Inicio",
  "nav.receive": "Recibir",
  "nav.send": "Enviar",
  "nav.history": "Historial",
  "nav.settings": "Ajustes",
  "nav.lock": "Bloquear",
  "nav.explorer": "Explorador",

  "network.privateTitle": "Este nodo está en una red privada",
  "network.privateText":
    "El programa no conoce esta red. Siga solo si su operador le dio el mismo nombre y el mismo resumen.",
  "network.name": "Nombre",
  "network.digest": "Resumen del perfil",
  "network.accept": "He comprobado ambos: usar esta red",
  "network.builtIn": "Incluida",
  "network.private": "Privada",
  "network.waiting": "Esperando al nodo {url}…",
  "network.refusedTitle": "Este nodo no se puede usar",
  "network.refusedText":
    "Usa el nombre de una red que este programa conoce, con otras reglas. No se le ha enviado nada.",

  "welcome.title": "Su propio monedero privado",
  "welcome.text":
    "Los importes, quién paga y quién cobra quedan ocultos en la cadena. Las claves se crean en este navegador, las pruebas se calculan aquí, y nada de ello sale de él.",
  "welcome.create": "Crear un monedero",
  "welcome.createText": "Una semilla nueva, que usted anota.",
  "welcome.restore": "Restaurar un monedero",
  "welcome.restoreText": "Con una semilla de 64 dígitos hexadecimales.",
  "welcome.trust":
    "Esta página viene de {origin}, y también las respuestas sobre la cadena. Quien lleva ese servidor podría cambiar la página y quedarse con las claves: use su propio nodo, o uno en el que confíe.",
  "welcome.trustTwo":
    "Esta página viene de {origin}: quien lleva ese servidor podría cambiarla y quedarse con las claves. El nodo {node} ve sus peticiones, nunca las claves.",

  "passphrase.title": "Elija una frase de contraseña",
  "passphrase.text":
    "Cifra la semilla en este navegador. Nadie puede restablecerla; con la semilla anotada siempre puede restaurar el monedero.",
  "passphrase.label": "Frase de contraseña",
  "passphrase.again": "Repita la frase de contraseña",
  "passphrase.hint": "Al menos {min} caracteres. Varias palabras sin relación van bien.",
  "passphrase.differs": "Las dos frases de contraseña son distintas.",
  "passphrase.show": "Mostrar la frase de contraseña",
  "passphrase.hide": "Ocultar la frase de contraseña",
  "passphrase.working": "Cifrando…",

  "create.submit": "Crear el monedero",
  "restore.title": "Restaurar un monedero",
  "restore.seed": "Semilla",
  "restore.seedHint":
    "64 dígitos hexadecimales, y los 8 dígitos de control si los tiene. Los espacios no importan.",
  "restore.seedChecked": "Los dígitos de control encajan.",
  "restore.seedUnchecked":
    "Sin dígitos de control no se nota un dígito equivocado, y se restauraría otro monedero, vacío.",
  "restore.seedCharacter":
    "«{character}», carácter {position}, no puede ser de una semilla: tiene los dígitos del 0 al 9 y las letras de la a a la f.",
  "restore.seedCheckFails":
    "Los dígitos de control no encajan: al menos un dígito está equivocado.",
  "restore.seedLength": {
    one: "Hay {count} dígito; una semilla tiene 64, con sus dígitos de control 72.",
    other: "Hay {count} dígitos; una semilla tiene 64, con sus dígitos de control 72.",
  },
  "restore.seedCount": "{count} / {max}",
  "restore.when": "¿Cuándo se usó este monedero por primera vez?",
  "restore.whenHint":
    "Puede faltar. Los pagos anteriores a ese día no se encontrarían: en caso de duda, déjelo vacío.",
  "restore.whenFuture": "Ese día aún no ha llegado.",
  "restore.submit": "Restaurar el monedero",

  "backup.title": "Anote su semilla",
  "backup.text":
    "Estos 64 caracteres son su dinero. Quien los tiene puede gastarlo, y sin ellos nadie puede recuperarlo. Los 8 dígitos de control que siguen muestran un error al copiar.",
  "backup.show": "Mostrar la semilla",
  "backup.group": "Grupo {number}",
  "backup.check": "Dígitos de control",
  "backup.date": "Monedero creado el {date}. Anote también el día: con él se restaura más deprisa.",
  "backup.written": "La he anotado",
  "backup.checkTitle": "Compruebe lo que anotó",
  "backup.checkText": "Escriba estos grupos de lo que anotó.",
  "backup.wrong": "Eso no es lo que se mostró. Mire otra vez lo que anotó.",
  "backup.again": "Mostrar la semilla otra vez",
  "backup.confirm": "Confirmar la copia",
  "backup.later": "Hacerlo más tarde",
  "backup.missingTitle": "No hay copia de la semilla",
  "backup.missingText":
    "Si se pierden los datos de este navegador, se pierden las monedas. Anote la semilla y compruébela.",
  "backup.missingAction": "Hacer la copia ahora",

  "unlock.title": "Desbloquee su monedero",
  "unlock.submit": "Desbloquear",
  "unlock.working": "Desbloqueando…",
  "unlock.pause": { one: "Espere {count} segundo", other: "Espere {count} segundos" },
  "unlock.forgot": "¿Olvidó la frase de contraseña?",
  "unlock.forgotText":
    "No se puede recuperar. Quite el monedero de este navegador y restáurelo con la semilla anotada.",
  "unlock.remove": "Quitar el monedero…",

  "status.opening": "Conectando con el nodo…",
  "status.offline": "El nodo no responde",
  "status.scanning": "Leyendo la cadena",
  "status.catchingUp": "Poniéndose al día",
  "status.ready": "Al día",
  "status.degraded": "Requiere atención",
  "status.behind": { one: "queda {count} bloque", other: "quedan {count} bloques" },
  "status.asOf": "A fecha de {time}",
  "status.progress": "Progreso de la lectura de la cadena",

  "home.total": "Saldo",
  "home.atLeast":
    "Como mínimo: lo que este nodo guarda empieza después del primer día de su monedero.",
  "home.olderSince":
    "Como mínimo: esto ha llegado desde el {date}. Para pagar no hace falta esperar al resto.",
  "home.olderFailed":
    "Como mínimo: esto ha llegado desde el {date}. Ahora no se pueden leer los bloques más antiguos; el monedero lo intentará de nuevo.",
  "home.olderReading": "Leyendo bloques más antiguos",
  "home.olderProgress": "Progreso de los bloques más antiguos",
  "home.unknown": "Buscando sus monedas…",
  "home.spendable": "Disponible",
  "home.spendableHint": { one: "En 1 nota", other: "En {count} notas" },
  "home.maturing": "Disponible pronto",
  "home.maturingNone": "Nada espera",
  "home.maturingNext": "La próxima: faltan {time}, más o menos",
  "home.maturingStopped": "Espera al nodo",
  "home.pending": "En camino",
  "home.pendingNone": "Nada en camino",
  "home.pendingIn": "Entrada: {amount}",
  "home.pendingOut": "Salida: {amount}",
  "home.returning": "Cambio: {amount}",
  "home.maturingTitle": "Lo que pronto estará disponible",
  "home.maturingText":
    "Una nota se puede gastar cuando su bloque está tan hondo que la cadena ya no cambiará de opinión.",
  "home.maturingIn": "faltan {time}, más o menos",
  "home.maturingBlocks": { one: "{count} bloque", other: "{count} bloques" },
  "home.recent": "Reciente",
  "home.all": "Todo el historial",
  "home.searching": "Los pagos aparecen aquí a medida que se lee la cadena.",
  "home.guessedTitle": "¿Falta algo?",
  "home.guessedText":
    "Este monedero se leyó desde dos días antes del día que usted dio. Los pagos anteriores no están en estas cifras.",
  "home.emptyTitle": "Aún no hay nada",

  "problem.title": "El monedero y el nodo no concuerdan",
  "problem.scanHelps":
    "El nodo ya no conoce los bloques que este monedero recuerda, o cuenta otra cosa de ellos, por ejemplo porque su cadena empezó de nuevo. Al leer desde el principio se toma la cadena como el nodo la tiene ahora; los pagos en preparación se conservan.",
  "problem.scan": "Leer desde el principio",

  "receive.title": "Recibir",
  "receive.text":
    "Dé esta dirección a quien le paga. Todas sus direcciones llevan al mismo monedero, y nadie puede saber que van juntas.",
  "receive.qr": "La dirección como código QR",
  "receive.address": "Su dirección",
  "receive.number": "Dirección {number}",
  "receive.new": "Dirección nueva",
  "receive.mine": "Minar para este monedero",
  "receive.mineStop": "Dejar de minar para él",
  "receive.mining":
    "El nodo local mina para este monedero, en su primera dirección, sea cual sea la de arriba. Si lo detiene, sigue sin pagar a nadie.",
  "receive.mineTitle": "Red local",
  "receive.mineText":
    "Este nodo lleva una red de pruebas propia. Haga que mine para este monedero y en segundos llegarán monedas.",

  "send.title": "Enviar",
  "send.linkAction": "Pegar",
  "send.linkLabel":
    "Llama «{label}» a quien cobra. Cualquiera puede escribir eso; compruebe la dirección.",
  "send.to": "Para",
  "send.toHint": "Una dirección de esta red, que empieza por {hrp}:",
  "send.amount": "Importe",
  "send.available": "Puede enviar {amount}",
  "send.max": "Todo",
  "send.memo": "Mensaje",
  "send.memoHint": "Viaja cifrado; solo quien cobra puede leerlo.",
  "send.memoCount": "{count} / {max} bytes",
  "send.fee": "Comisión",
  "send.review": "Revisar",
  "send.reviewTitle": "Revise el pago",
  "send.total": "Total",
  "send.self": "Esta dirección es suya: solo la comisión sale del monedero.",
  "send.confirm": "Enviar {amount}",
  "send.nothingYet": "Todavía no se ha enviado nada.",
  "send.edit": "Cambiar",
  "send.notReady": "El monedero tiene que estar al día antes de poder pagar.",
  "send.proofNote":
    "La prueba se calcula en este navegador y tarda un momento; la página se puede seguir usando.",
  "send.progress": "Progreso del pago",
  "send.stageBuilding": "Preparar",
  "send.stageProving": "Probar",
  "send.stageSigning": "Firmar",
  "send.stageBroadcasting": "Entregar",
  "send.buildingText": "Se eligen las notas y se prepara el probador",
  "send.provingText": "Se calcula la prueba de conocimiento cero",
  "send.signingText": "Se compara la prueba con lo que usted confirmó, y luego se firma",
  "send.broadcastingText": "Se entrega el pago al nodo",
  "send.elapsed": "{time} hasta ahora",
  "send.cancel": "Cancelar el pago",
  "send.sentTitle": "Pago enviado",
  "send.sentText":
    "El nodo lo ha tomado. Aún no está en ningún bloque; el historial muestra a qué profundidad está en la cadena de ese nodo.",
  "send.queuedTitle": "Pago firmado",
  "send.queuedText":
    "Ningún nodo lo ha tomado todavía. Está a salvo en este navegador, y el monedero lo sigue ofreciendo.",
  "send.rivalTitle": "Se conoce otro pago con las mismas monedas",
  "send.replacedTitle": "No pagado: otro pago gastó las mismas monedas",
  "send.failedTitle": "El pago no se envió",
  "send.refusedTitle": "Rechazado por este nodo: aún puede llegar a su destino",
  "send.repeatsTitle": "Un pago anterior aún puede llegar a su destino",
  "send.repeats":
    "Ya ha pagado a esta dirección, y de ese pago no se sabe nada definitivo. Este usa las mismas notas: de los dos se puede pagar uno como máximo.",
  "send.repeatsApart":
    "Ya ha pagado a esta dirección, y de ese pago no se sabe nada definitivo. Sus notas no se pueden usar ahora: podrían pagarse los dos. Espere, pregunte a otro nodo, o pague una vez más si quiere hacer ambos.",
  "send.repeatsReplaced":
    "Un pago anterior a esta dirección no se pagó: según los bloques de este nodo, otro pago gastó sus monedas. Si eso no es cierto, podrían pagarse los dos. En caso de duda pregunte a otro nodo, o pague una vez más.",
  "send.separate": "Pagar una vez más, con otras notas",
  "send.cancelledTitle": "Pago cancelado",
  "send.another": "Enviar otro",
  "send.retry": "Volver al pago",
  "send.done": "Listo",

  "rival.ownWaits":
    "Este nodo conoce un pago anterior de este monedero con las mismas monedas. De los dos se puede pagar uno como máximo; los próximos bloques deciden cuál.",
  "rival.elsewhereWaits":
    "Este nodo conoce otro pago con las mismas monedas. No lo hizo este monedero: lo hizo otro con la misma semilla, si el nodo está en lo cierto. De los dos se puede pagar uno como máximo; los próximos bloques deciden cuál.",
  "rival.ownPaid":
    "Según los bloques de este nodo, otro pago de este monedero gastó las mismas monedas. Este no se pagó.",
  "rival.elsewherePaid":
    "Según los bloques de este nodo, otro pago gastó antes las mismas monedas. No lo hizo este monedero: lo hizo otro con la misma semilla, si el nodo está en lo cierto. Este no se pagó. Las monedas que el otro pago dejó vuelven a estar libres.",

  "history.title": "Historial",
  "history.search": "Buscar",
  "history.searchHint": "Importe, mensaje, comentario, dirección o transacción",
  "history.filter": "Mostrar",
  "history.all": "Todo",
  "history.received": "Recibido",
  "history.sent": "Enviado",
  "history.mined": "Minado",
  "history.count": { one: "{count} entrada", other: "{count} entradas" },
  "history.more": "Mostrar más",
  "history.none": "Ninguna entrada coincide.",
  "history.empty": "Aún no hay pagos.",

  "row.received": "Recibido",
  "row.sent": "Enviado",
  "row.mined": "Minado",
  "row.self": "A usted mismo",
  "row.working": "En preparación",
  "row.payment": "Pago",
  "row.waiting": "Espera un bloque",
  "row.untaken": "Espera un nodo",
  "row.arriving": "Llegando",
  "row.settled": "Confirmado por este nodo",
  "row.refused": "Rechazado por este nodo",
  "row.failed": "Fallido",
  "row.cancelled": "Cancelado",
  "row.draft": "No enviado",
  "row.conflicted": "Sustituido",
  "row.expired": "Demasiado antiguo, dice este nodo",

  "detail.amount": "Importe",
  "detail.fee": "Comisión",
  "detail.to": "Para",
  "detail.at": "Recibido en",
  "detail.address": "Su dirección {number}",
  "detail.memo": "Mensaje",
  "detail.memoBytes": "Mensaje (bytes)",
  "detail.date": "Fecha",
  "detail.state": "Estado",
  "detail.confirmations": {
    one: "{state}, {count} bloque de profundidad",
    other: "{state}, {count} bloques de profundidad",
  },
  "detail.block": "Bloque de la cadena",
  "detail.transaction": "Transacción",
  "detail.forget": "Quitar de la lista",
  "detail.again": "Volver a rellenar",
  "detail.open": "Detalles de esta entrada",

  "settings.title": "Ajustes",
  "settings.appearance": "Aspecto",
  "settings.themeSystem": "Como el sistema",
  "settings.themeLight": "Claro",
  "settings.themeDark": "Oscuro",
  "settings.theme": "Colores",
  "settings.network": "Red",
  "settings.nodeOnline": "Responde",
  "settings.nodeOffline": "No responde",
  "settings.nodeConnecting": "Conectando",
  "settings.nodeRefused": "Rechazado",
  "settings.nodeLive": "Conexión en directo",
  "settings.nodeLiveYes": "Sí",
  "settings.nodeLiveNo": "No, se pregunta cada pocos segundos",
  "settings.nodePool": "Pagos en espera",
  "settings.retry": "Volver a intentarlo ahora",
  "settings.security": "Seguridad",
  "settings.lockText": "Quita todas las claves de la memoria.",
  "settings.lock": "Bloquear ahora",
  "settings.seedText":
    "Muestra la semilla y sus dígitos de control después de pedir la frase de contraseña.",
  "settings.seed": "Mostrar la semilla",
  "settings.rescanText":
    "Lee la cadena otra vez, desde el primer bloque del monedero o desde el de la cadena. Los pagos en preparación se conservan.",
  "settings.rescan": "Leer otra vez",
  "settings.rescanAll": "Desde el principio",
  "settings.rescanBegun": "La lectura ha empezado de nuevo.",
  "settings.kept":
    "Este navegador ha prometido guardar los datos del monedero hasta que usted los quite.",
  "settings.notKept":
    "Este navegador no ha prometido guardar los datos del monedero: puede borrarlos cuando falte espacio, y una ventana privada los olvida al cerrarse. La semilla anotada recupera el monedero.",
  "settings.danger": "Quitar",
  "settings.deleteText":
    "Quita el monedero y el historial de este navegador. Solo la semilla anotada o un archivo de copia los recupera; los contactos, los nombres y los comentarios vuelven únicamente con el archivo.",
  "settings.delete": "Quitar el monedero…",

  "about.title": "Acerca de este programa",
  "about.text":
    "Quien lleva {origin} podría servir otro programa, que podría mostrar aquí cualquier hash. Compare desde fuera: npm run hashes, en su propia copia del código fuente, construye los mismos archivos y comprueba los de un servidor.",
  "about.servedBy": "Servido por",
  "about.variant": "Variante",
  "about.variantListed": "Para nodos listados",
  "about.variantAny": "Para cualquier nodo",
  "about.hash": "Hash de todos los archivos",
  "about.reading": "Leyendo…",
  "about.none": "El servidor no lo dice",
  "about.files": {
    one: "{count} archivo con su SHA-256",
    other: "{count} archivos con su SHA-256",
  },

  "reveal.title": "Mostrar la semilla",
  "reveal.text": "Quien la vea puede llevárselo todo. Solo está en esta pantalla.",
  "reveal.submit": "Mostrar",

  "delete.title": "¿Quitar este monedero?",
  "delete.text":
    "Las claves, las direcciones, el historial, los contactos y los comentarios se borran de este navegador. Las monedas siguen en la cadena, y solo la semilla llega a ellas.",
  "delete.backupMissing": "Usted no ha confirmado una copia de esta semilla.",
  "delete.confirm": "Tengo la semilla por escrito, o quiero renunciar a estas monedas.",
  "delete.submit": "Quitar el monedero",

  ...esAppearance,
  ...esCautions,
  ...esDevice,
  ...esEvidence,
  ...esFace,
  ...esHistoryFile,
  ...esStart,
  ...esKeys,
  ...esLabels,
  ...esReceive,
  ...esMerging,
  ...esMessages,
  ...esMoney,
  ...esPayees,
  ...esTabs,
  ...esNodes,
  ...esReceipt,
  ...esSigner,
};
