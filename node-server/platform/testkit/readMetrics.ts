/** Reader of the text format 0.0.4 of Prometheus, which takes what the format's description allows and nothing else. */

/** A series: its name, its labels, its value. */
export type ReadSeries = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\\\\\|\\\\n)*$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`);
const SERIES = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\\\|\\"|\\n)*)"(?:,|$)/;
const SUFFIXES = /_(?:bucket|sum|count)$/;

/** Reads a text. Throws an error with the line that is none of the format, stands in no family, or comes twice. */
export function readMetrics(text: string): readonly ReadSeries[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const read: ReadSeries[] = [];
  const families = new Set<string>();
  const seen = new Set<string>();
  let [family, kind] = ["", ""];
  for (const line of text.slice(0, -1).split("\n")) {
    const help = HELP.exec(line);
    const type = TYPE.exec(line);
    if (help !== null) {
      family = help[1] ?? "";
      if (families.has(family)) throw new Error(`a second family: ${line}`);
      families.add(family);
    } else if (type !== null) {
      if (type[1] !== family) throw new Error(`a type without its help: ${line}`);
      kind = type[2] ?? "";
    } else {
      const series = readSeries(line);
      const name = kind === "histogram" ? series.name.replace(SUFFIXES, "") : series.name;
      const key = line.slice(0, line.lastIndexOf(" "));
      if (name !== family || seen.has(key)) throw new Error(`out of place: ${line}`);
      seen.add(key);
      read.push(series);
    }
  }
  return read;
}

function readSeries(line: string): ReadSeries {
  const [, name = "", labels = "", value = ""] = SERIES.exec(line) ?? [];
  const number = value === "+Inf" ? Infinity : Number(value);
  if (name === "" || Number.isNaN(number)) throw new Error(`no series: ${line}`);
  return { name, labels: readLabels(labels), value: number };
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== "";) {
    const [all, name = "", value = ""] = LABEL.exec(rest) ?? [];
    if (all === undefined || name in labels) throw new Error(`no label: ${rest}`);
    labels[name] = value.replaceAll(/\\([\\"n])/g, (_, sign) => (sign === "n" ? "\n" : sign));
    rest = rest.slice(all.length);
  }
  return labels;
}
