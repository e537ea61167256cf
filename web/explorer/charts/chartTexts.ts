/** Texts of the charts in the languages of the explorer. Those with numbers are functions of numbers that are written already. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";

/** The texts of a language. */
export type ChartTexts = typeof en;

const en = {
  hashrate: "Hash rate",
  difficulty: "Difficulty",
  bps: "Blocks per second",
  redShare: "Share of red blocks",
  transactions: "Payments",
  subsidy: "Coins that a block mints",
  supply: "Coins by the schedule",
  perBin: (duration: string) => `Counted in steps of ${duration}.`,
  estimate: "Estimated: 2 × difficulty × measured blocks per second.",
  time: "Time (UTC)",
  score: "DAA score",
  value: "Value",
  noValue: "no blocks",
  nothing: "No data yet.",
  newest: (value: string) => `newest: ${value}`,
  at: (value: string, place: string) => `${value} at ${place}`,
  table: "Show as a table",
  spread: (rows: string, all: string) => `${rows} of ${all} values. The CSV has all of them.`,
  csv: "CSV",
  json: "JSON",
  here: "you are here",
  scheduleNote:
    "By the schedule, if every block minted. Only blocks that the chain merges do, so there are a little fewer coins.",
  otherSchedule: "This network mints by another schedule than the one that is drawn here.",
  emissionNote: "It falls in steps; twelve of them halve it, down to a tail that never ends.",
};

const de: ChartTexts = {
  hashrate: "Hashrate",
  difficulty: "Schwierigkeit",
  bps: "Blöcke je Sekunde",
  redShare: "Anteil roter Blöcke",
  transactions: "Zahlungen",
  subsidy: "Münzen, die ein Block erzeugt",
  supply: "Münzen nach Plan",
  perBin: (duration) => `Gezählt in Schritten von ${duration}.`,
  estimate: "Geschätzt: 2 × Schwierigkeit × gemessene Blöcke je Sekunde.",
  time: "Zeit (UTC)",
  score: "DAA-Score",
  value: "Wert",
  noValue: "keine Blöcke",
  nothing: "Noch keine Daten.",
  newest: (value) => `neuester: ${value}`,
  at: (value, place) => `${value} bei ${place}`,
  table: "Als Tabelle zeigen",
  spread: (rows, all) => `${rows} von ${all} Werten. Die CSV-Datei hat alle.`,
  csv: "CSV",
  json: "JSON",
  here: "hier stehen wir",
  scheduleNote:
    "Nach Plan, wenn jeder Block Münzen erzeugt. Das tun nur Blöcke, die die Kette zusammenführt, also gibt es etwas weniger.",
  otherSchedule:
    "Dieses Netz erzeugt Münzen nach einem anderen Plan als dem, der hier gezeichnet wird.",
  emissionNote: "Es fällt in Stufen; zwölf davon halbieren es, bis zu einem Rest, der nie endet.",
};

const es: ChartTexts = {
  hashrate: "Tasa de hash",
  difficulty: "Dificultad",
  bps: "Bloques por segundo",
  redShare: "Proporción de bloques rojos",
  transactions: "Pagos",
  subsidy: "Monedas que emite un bloque",
  supply: "Monedas según el plan",
  perBin: (duration) => `Contados en pasos de ${duration}.`,
  estimate: "Estimada: 2 × dificultad × bloques por segundo medidos.",
  time: "Hora (UTC)",
  score: "DAA score",
  value: "Valor",
  noValue: "sin bloques",
  nothing: "Aún no hay datos.",
  newest: (value) => `último: ${value}`,
  at: (value, place) => `${value} en ${place}`,
  table: "Mostrar como tabla",
  spread: (rows, all) => `${rows} de ${all} valores. El CSV los tiene todos.`,
  csv: "CSV",
  json: "JSON",
  here: "estamos aquí",
  scheduleNote:
    "Según el plan, si cada bloque emitiera. Solo lo hacen los que la cadena fusiona, así que hay algo menos.",
  otherSchedule: "Esta red emite con otro plan que el que se dibuja aquí.",
  emissionNote: "Baja por escalones; doce la reducen a la mitad, hasta un resto que no termina.",
};

/** The texts by language. */
export const CHART_TEXTS: Readonly<Record<PageLocale, ChartTexts>> = { en, de, es };
