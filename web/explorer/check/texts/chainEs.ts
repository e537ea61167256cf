/** Spanish texts of the step "on the chain", a part of `es.ts`. */
import type { Message } from "../../../i18n/message.ts";
import type { chainEn } from "./chainEn.ts";

/** The messages. */
export const chainEs: { readonly [K in keyof typeof chainEn]: Message } = {
  "subject.merging": "Bloque de la cadena que lo unió",
  "step.onChain": "Está en la cadena",
  "step.merged": "Un bloque de la cadena lo unió",
  "reason.inLog":
    "Por su lugar en el registro de la cadena, bajo cabeceras cuyo trabajo se ha recalculado aquí.",
  "reason.linked": "Por las cabeceras que tiene encima, cuyo trabajo se ha recalculado aquí.",
  "reason.noWork": "Esta red no demuestra nada: sus bloques no cuestan trabajo.",
  "reason.firstBlock": "Es el primer bloque; toda cadena de esta red se apoya en él.",
  "reason.unmerged": "Ningún bloque de la cadena lo ha unido aún.",
  "reason.youngBlock":
    "Ningún bloque de la cadena se apoya aún en él. Compruébelo de nuevo en un momento.",
  "reason.noLog":
    "Esta red no lleva registro de su cadena: solo sus bloques más nuevos se pueden mostrar por trabajo.",
  "reason.beforeLog":
    "Es anterior al registro de la cadena, que empieza con la bifurcación de seguridad, y demasiado antiguo para mostrarlo por las cabeceras que tiene encima.",
  "reason.notInLog": "El servidor dice que el registro de su cadena no tiene este bloque.",
  "reason.leftChain": "El servidor dice que su cadena no tiene (ya) este bloque.",
  "reason.evidencePruned": "El servidor ya no tiene lo que lo muestra.",
  "reason.noEvidence":
    "El servidor no da pruebas de su cadena. Los nodos de este proyecto las dan, y el explorador ante ellos también.",
  "reason.chainEasy":
    "Lo que muestra el servidor tiene menos trabajo del que cuestan los bloques de esta red.",
  "reason.chainOther": "Lo que muestra el servidor es el lugar de otro bloque.",
  "reason.chainFalse": "Lo que muestra el servidor de su cadena no es válido.",
  "chain.block": "En la cadena de esta red: {place}.",
  "chain.merging": "Unido por la cadena de esta red, en {place}.",
  "chain.accepting": "Recogida por la cadena de esta red, en {place}.",
  "chain.number": "bloque de la cadena número {number}",
  "chain.numberSince": "bloque de la cadena número {number} desde la bifurcación de seguridad",
  "chain.noNumber": "un bloque de la cadena",
  "chain.work":
    "El servidor mostró unos {time} de trabajo por encima de él, que su navegador ha recalculado.",
  "chain.workYoung": "Se apoyan en él demasiado pocos bloques para decir algo de su trabajo.",
  "chain.above": {
    one: "{count} bloque de la cadena se apoya en él.",
    other: "{count} bloques de la cadena se apoyan en él.",
  },
  "chain.limit":
    "El tiempo sale de la dificultad que nombran estos bloques. Quien se lo invente tiene que minar él mismo estos bloques. Nada de esto muestra que ninguna otra cadena tenga más trabajo, ni que este servidor siga la que más tiene.",
  "chain.open": "No se ha mostrado que esté en la cadena: {reason}",
  "chain.differs": "El servidor no muestra la cadena que afirma: {reason}",
};
