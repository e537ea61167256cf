/** How long files and functions may be. */
import { isRust, isTest, isTypescript, type SourceFile, type Violation } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

/** Lines of one source file. */
export const FILE_LINES = 500;
/** Lines of one function, signature and braces included, markup left out. */
export const FUNCTION_LINES = 60;
/** Lines of one component with its markup. */
export const COMPONENT_LINES = 120;

/** Tables, which are one list with a row for each thing: splitting them would only hide rows. */
const TABLES: ReadonlySet<string> = new Set(["shared/base/limits.ts"]);

/** A source file beyond its budget. */
export function fileBudgetViolations(file: SourceFile): Violation[] {
  if (TABLES.has(file.path)) return [];
  const lines = file.text.trimEnd().split("\n").length;
  if (lines <= FILE_LINES) return [];
  return [{ path: file.path, message: `${lines} lines; at most ${FILE_LINES}` }];
}

/** Functions beyond their budget. A test body handed to the runner is a list of cases, not counted. */
export function functionBudgetViolations(file: SourceFile): Violation[] {
  const spans = isTypescript(file.path) ? typescriptSpans(file) : [];
  if (isRust(file.path)) spans.push(...rustSpans(file));
  return spans
    .filter(({ lines, markup }) => lines - markup > FUNCTION_LINES || lines > COMPONENT_LINES)
    .map(({ name, line, lines, markup }) => ({
      path: `${file.path}:${line}`,
      message: `function ${name} has ${lines} lines, ${markup} of them markup`,
    }));
}

type Span = {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  readonly markup: number;
};

function typescriptSpans(file: SourceFile): Span[] {
  const skipArguments = isTest(file.path);
  return readTypescript(file)
    .functions.filter((span) => !(skipArguments && span.isArgument))
    .map(({ name, line, lines, markupLines }) => ({ name, line, lines, markup: markupLines }));
}

/** Test functions do not count. rustfmt puts the closing brace of a function at the indentation of its first line. */
function rustSpans(file: SourceFile): Span[] {
  const lines = file.text.split("\n");
  const spans: Span[] = [];
  lines.forEach((text, index) => {
    const head = /^(\s*)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn (\w+)/.exec(text);
    if (head === null || lines[index - 1]?.trim() === "#[test]") return;
    const [, indent = "", name = ""] = head;
    const length = lines
      .slice(index)
      .findIndex((line) => line === `${indent}}` || line === `${indent};`);
    const oneLine = /[;}]$/.test(text);
    if (length > 0 && !oneLine) spans.push({ name, line: index + 1, lines: length + 1, markup: 0 });
  });
  return spans;
}
