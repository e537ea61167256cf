/** Spanish sentences of the errors that the wallet page can show. Their data are the registry's. */
import type { Language } from "../language.ts";

/** The sentences, by code and with the slots of the English ones. */
export const esErrors: Language["sentences"] = {
  "amount/malformed": "«{text}» no es un importe. Escríbalo así: 12,5.",
  "amount/zero": "El importe tiene que ser mayor que cero.",
  "amount/negative": "El importe no puede ser negativo.",
  "amount/too-many-decimals": "Un importe tiene {max} decimales como máximo.",
  "amount/too-large": "Eso es más que todas las monedas que habrá jamás.",

  "address/missing-prefix":
    "A la dirección le falta el nombre de su red delante de los dos puntos.",
  "address/wrong-network": "La dirección es de {found}; este monedero está en {expected}.",
  "address/bad-character":
    "El carácter {position} de la dirección no puede estar en una dirección.",
  "address/bad-checksum": "La dirección está mal escrita: sus dígitos de control no encajan.",
  "address/bad-version": "La dirección es de un tipo que este programa no conoce.",
  "address/bad-length": "La dirección es demasiado corta o demasiado larga.",
  "address/bad-padding": "La dirección está dañada al final.",
  "address/bad-key": "La dirección está bien escrita, pero nadie podría recibir con ella.",

  "uri/duplicate-key": "El enlace de pago nombra «{key}» dos veces.",
  "uri/malformed": "Esto no es un enlace de pago: {reason}.",
  "uri/too-long": "El enlace de pago tiene {length} caracteres; se leen {max} como máximo.",
  "uri/unsupported": "El enlace de pago exige «{key}», que este monedero no conoce.",

  "keys/bad-seed": "La semilla no es una clave utilizable.",
  "keys/bad-spend-key": "La clave de gasto no es utilizable.",
  "keys/bad-viewing-key": "La clave de vista no es utilizable.",
  "keys/bad-signature": "La firma no es de esta dirección y este mensaje.",
  "keys/address-mismatch": "La clave de vista no es de esta dirección.",
  "keys/random-unavailable": "El sistema no dio números al azar, así que no se creó ninguna clave.",

  "codec/bad-checksum": "Los datos se dañaron en el camino.",
  "codec/bad-hex": "«{text}» no es hexadecimal o no tiene la longitud correcta.",
  "codec/bad-json": "La respuesta no es lo que se esperaba: {reason}.",
  "codec/unexpected-end": "Los datos terminan demasiado pronto.",
  "codec/version": "Los datos tienen el formato {found}; este programa conoce {expected}.",

  "wallet/bad-backup": "El archivo de copia no se puede leer: {reason}.",
  "wallet/bad-page": "El nodo envió bloques que no encajan con los anteriores: {reason}.",
  "wallet/bad-payee": "Destinatario {index}: {reason}",
  "wallet/bad-payout-file": "Línea {line} de los pagos: {reason}.",
  "wallet/bad-seed": "Una semilla tiene 64 dígitos hexadecimales. Compárela con lo que anotó.",
  "wallet/bad-signature": "La firma de la acción {index} no es de este pago preparado.",
  "wallet/cancelled": "Cancelado. No se envió nada.",
  "wallet/exists": "Aquí ya hay un monedero.",
  "wallet/false-record":
    "El nodo dio datos falsos del bloque {index}: {reason}. Lo que muestra este monedero puede estar mal. Elija otro nodo y lea la cadena otra vez.",
  "wallet/fee-too-high": "La comisión sería {fee}, más que su límite de {max}.",
  "wallet/funds-maturing":
    "Hacen falta {needed} y ahora se pueden gastar {spendable}; otras {maturing} aún maduran.",
  "wallet/insufficient-funds":
    "Hacen falta {needed}, con la comisión; se pueden gastar {spendable}.",
  "wallet/locked": "El monedero está bloqueado. Desbloquéelo con su frase de contraseña.",
  "wallet/memo-too-long": "El mensaje tiene {length} bytes; caben {max} como máximo.",
  "wallet/no-anchor": "La cadena es demasiado joven para gastar de ella; espere más bloques.",
  "wallet/no-wallet": "Aquí aún no hay ningún monedero.",
  "wallet/node-history-incomplete":
    "Lo que este nodo guarda empieza en {from}, después del primer día del monedero, {birthday}: el saldo sería demasiado bajo.",
  "wallet/node-unreachable": "El nodo {url} no responde.",
  "wallet/node-wrong-network": "El nodo está en la red {found}; este monedero está en {expected}.",
  "wallet/not-synced": "El monedero está aún {behind} bloques por detrás de la cadena.",
  "wallet/opening": "El monedero se está abriendo; aún no se sabe nada de él.",
  "wallet/nothing-to-consolidate":
    "No hay nada que juntar: {notes} notas de {sum} en total, y juntarlas cuesta {fee}.",
  "wallet/page-changed":
    "El servidor tiene una versión más nueva de esta página, y esta pestaña ya no puede cargar las partes de la suya. No se envió nada. Vuelva a cargar la página.",
  "wallet/partly-sent":
    "El pago se envió en parte: {sent} de {total} transacciones están en camino, y luego {reason}",
  "wallet/payment-pending":
    "Un pago anterior gasta las mismas notas; espere a que esté en la cadena.",
  "wallet/payment-rejected":
    "Este nodo rechazó el pago: {reason} Tiene los bytes firmados, así que el pago aún puede llegar a su destino. Otro intento usa las mismas notas: de los dos se puede pagar uno como máximo.",
  "wallet/payout-twice": "La referencia de este pago ya está en la línea {line}.",
  "wallet/reorg-too-deep":
    "La cadena cambió {depth} bloques atrás; no se pueden deshacer más de {max}. Restaure el monedero con su semilla.",
  "wallet/retry-unsafe":
    "Un pago anterior a esta dirección aún puede llegar a su destino, y sus notas no se pueden usar ahora. Pagar otra vez con otras notas podría ser pagar dos veces. Espere, o pregunte a otro nodo.",
  "wallet/storage": "El monedero no se pudo guardar o leer: {reason}.",
  "wallet/storage-closed":
    "El navegador dejó de guardar este monedero, casi siempre porque el disco está lleno. Libere espacio en este dispositivo y vuelva a cargar la página. Lo que se confirmó está a salvo, y mientras tanto no se paga nada.",
  "wallet/storage-full":
    "Este navegador ya no tiene sitio para el monedero. Libere espacio en este dispositivo, o quite datos de otros sitios. Lo que se confirmó está a salvo, y mientras tanto no se paga nada.",
  "wallet/storage-removed":
    "El navegador quitó los datos de este monedero, o se borraron a mano. Sus monedas están a salvo en la cadena: restaure el monedero con su semilla.",
  "wallet/too-few-notes":
    "Hay dinero bastante, pero en muy pocas notas: ahora se puede pagar a {payable} de {payees} destinatarios, y a los demás cuando el cambio haya madurado.",
  "wallet/too-many-notes":
    "El pago necesita {count} notas; una transacción admite {max}. Envíe antes un importe menor.",
  "wallet/too-many-payees": "El pago tiene {count} destinatarios; una transacción admite {max}.",
  "wallet/tree-mismatch":
    "El árbol de notas del monedero es distinto del que tiene el nodo; hay que leer la cadena otra vez.",
  "wallet/watch-only":
    "Este monedero solo tiene una clave de vista: su semilla está en otro sitio.",
  "wallet/weak-passphrase": "La frase de contraseña necesita al menos {min} caracteres.",
  "wallet/worker-failed": "Un proceso de fondo del monedero se detuvo: {reason}.",
  "wallet/wrong-passphrase": "Esta frase de contraseña no abre el monedero.",

  "tx/anchor-not-final":
    "El pago se probó contra un estado que aquí no es definitivo; hágalo de nuevo.",
  "tx/anchor-too-old": "El pago se probó hace demasiado tiempo; hágalo de nuevo.",
  "tx/invalid-proof": "La prueba del pago o una de sus firmas no es válida: {reason}.",
  "tx/nullifier-spent": "Una nota de este pago ya está gastada.",

  "mempool/already-applied": "El pago ya está en la cadena.",
  "mempool/duplicate": "El pago ya está en espera.",
  "mempool/fee-too-low": "La comisión de {fee} está por debajo del mínimo de {minimum}.",
  "mempool/full": "El nodo no tiene sitio para más pagos en espera.",
  "mempool/mass-too-high": "La masa del pago es {mass}; los nodos retransmiten {max} como máximo.",
  "mempool/nullifier-conflict": "Otro pago en espera gasta la misma nota.",
  "mempool/verification-queue-full":
    "El nodo está comprobando otros pagos; inténtelo de nuevo en un momento.",

  "prove/assets-damaged": "Los datos del sistema de pruebas no se pueden usar: {reason}.",
  "prove/bad-plan": "El pago no se puede probar así: {reason}.",
  "prove/check-failed":
    "La prueba que se hizo no es válida ({reason}), así que no se envió nada: este programa o este equipo calcula mal.",
  "prove/failed": "No se pudo hacer la prueba: {reason}.",
  "prove/missing-signature": "El gasto {index} del pago no tiene firma.",
  "prove/unbalanced":
    "Las entradas de {inputs} no cubren las salidas de {outputs} y la comisión de {fee}.",

  "evidence/behind-other":
    "Otro nodo muestra trabajo hasta el blue score {other}; este solo hasta {found}.",
  "evidence/below-level":
    "La cabecera {hash} alcanza el nivel de bloque {level}; su serie dice {min}.",
  "evidence/contradicted":
    "Este nodo dejó el bloque {block}, sobre el que se había mostrado el trabajo de la red.",
  "evidence/foreign-coinbase": "La transacción mostrada no es la coinbase del bloque {hash}.",
  "evidence/no-log": "El estado del bloque {block} no contiene un registro de la cadena.",
  "evidence/no-parent": "El bloque {hash} no tiene un padre cuyo estado pueda mostrar.",
  "evidence/not-in-tree": "La nota mostrada no está en el árbol {root}.",
  "evidence/not-linked": "La cabecera {hash} no sigue a la anterior.",
  "evidence/not-member":
    "El camino de la entrada {index} no lleva al registro de la cadena de {count} bloques.",
  "evidence/not-shown": "Este nodo no muestra el trabajo sobre sus bloques: {reason}.",
  "evidence/other-challenge": "El recibo no se hizo para el texto que se pidió.",
  "evidence/other-coins":
    "Este nodo dijo otras monedas minadas que las que la cadena compromete en el bloque {block}.",
  "evidence/other-header":
    "Las piezas mostradas tratan de cabeceras distintas: {found} en lugar de {expected}.",
  "evidence/other-network": "El recibo es de la red {found}; esta es {expected}.",
  "evidence/other-notes":
    "Este nodo omitió o inventó pagos: en el bloque {block} la cadena compromete otras notas.",
  "evidence/other-nullifiers":
    "Este nodo omitió o inventó gastos: en el bloque {block} la cadena compromete otros nulificadores.",
  "evidence/other-page": "Otro nodo cuenta otra cosa de los datos tras el bloque {block}.",
  "evidence/other-payload": "El pago {txid} no es el que dijo este nodo.",
  "evidence/other-scores":
    "Este nodo dijo otro score u otra hora del bloque {block}: {found} en lugar de {expected}.",
  "evidence/other-state":
    "Las partes mostradas no son el estado que compromete la coinbase: {found} en lugar de {expected}.",
  "evidence/stale-tip":
    "El bloque más nuevo que muestra este nodo es más antiguo de lo que permite el reloj.",
  "evidence/too-easy": "Una cabecera tiene la dificultad {bits}, más fácil que el mínimo {floor}.",
  "evidence/too-few-headers":
    "La serie muestra {count} cabeceras de su nivel de bloque; hacen falta al menos {min}.",
  "evidence/unknown-work": "Este programa aún no conoce ningún trabajo de esta red.",

  "chain/no-common-block": "Ninguno de los bloques nombrados está en la cadena elegida.",
  "chain/not-on-chain": "El bloque dejó la cadena elegida; el último bloque común es {commonHash}.",
  "chain/pruned": "El bloque {hash} es demasiado antiguo; los de esa edad ya no se guardan.",
  "chain/unknown-block": "El bloque {hash} no se conoce.",
  "chain/unknown-transaction": "La transacción {txid} no se conoce.",

  "engine/abi-mismatch":
    "El núcleo es de la versión {found} y el programa necesita {expected}; construya los dos de nuevo.",
  "engine/bad-call": "Se llamó mal al núcleo: {reason}.",
  "engine/not-imported": "El nodo aún trae el estado del que parte.",
  "engine/out-of-memory":
    "No hay memoria bastante para esto; cierre otros programas o use un equipo con más.",
  "engine/overflow": "El estado de la cadena no cabe en su tipo: {what}.",
  "engine/panic": "El núcleo se detuvo por un defecto: {message}.",
  "engine/restarted": "El núcleo se reinició; inténtelo de nuevo.",

  "http/bad-request": "La petición está mal formada: {reason}.",
  "http/body-too-large": "La petición tiene {length} bytes; se admiten {max} como máximo.",
  "http/forbidden": "Esta llamada solo se puede hacer desde este equipo.",
  "http/foreign-host": "Este servidor no se llama {host}; su operador puede añadir el nombre.",
  "http/foreign-origin":
    "Las páginas de {origin} no pueden usar este servidor; su operador puede permitir el origen.",
  "http/not-found": "No hay nada en {path}.",
  "http/timeout": "La petición tardó más de {ms} ms.",
  "http/tls-only": "Este puerto habla TLS: escriba https:// en lugar de http://.",
  "http/too-many-connections": "Hay más de {max} conexiones abiertas; inténtelo más tarde.",
  "http/too-many-requests": "Demasiadas peticiones; inténtelo de nuevo dentro de {retryAfter} s.",
  "http/unavailable": "El servidor no puede responder ahora: {reason}.",

  "internal/erased-secret": "Se usó un secreto después de borrarlo.",
  "internal/unexpected": "Algo salió mal que no debería: {message}.",

  "live/bad-frame": "Por la conexión en directo llegó algo que no se conoce: {reason}.",
  "live/closed": "La conexión en directo se cerró: {reason}.",
  "live/too-slow": "La conexión en directo se quedó más de {window} bloques atrás.",

  "queue/closed": "El programa se está deteniendo ({queue}).",
  "queue/full": "Demasiado a la vez: {queue} ya tiene {limit}.",
  "queue/too-fast": "Demasiados {kind} en poco tiempo; inténtelo de nuevo dentro de {retryMs} ms.",

  "run/aborted": "Cancelado.",
  "run/timeout": "{what} tardó más de {limitMs} ms.",

  "store/version":
    "Los datos guardados tienen el formato {found}; este programa lee {expected}. Un formato más alto es de un programa más nuevo: use ese. Uno más bajo se pone al día cuando un nodo o un monedero de este programa arranca con él.",
};
