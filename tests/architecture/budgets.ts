/** Architecture rule: size budgets of files, functions and folders. */
import { isRust, isTest, isTypescript, type SourceFile, type Violation } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

/** Lines of one source file. */
export const FILE_LINES = 500;
/** Lines of one function, signature and braces included, markup left out. */
export const FUNCTION_LINES = 60;
/** Lines of one component with its markup. */
export const COMPONENT_LINES = 120;

/** Source files directly in one folder. Tests beside the code and what helps them are not counted; below `tests/` they are. */
export const FOLDER_FILES = 20;

/** A source file beyond its budget. */
export function fileBudgetViolations(file: SourceFile): Violation[] {
  const lines = file.text.trimEnd().split("\n").length;
  if (lines <= FILE_LINES) return [];
  return [{ path: file.path, message: `${lines} lines; at most ${FILE_LINES}` }];
}

/** Folders with more source files of their own than a person overlooks. */
export function folderBudgetViolations(files: readonly SourceFile[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    if (!isTypescript(path) && !isRust(path)) continue;
    const helps = isTest(path) || path.includes("/testkit/");
    if (helps && !path.startsWith("tests/")) continue;
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return Array.from(counts)
    .filter(([, count]) => count > FOLDER_FILES)
    .map(([path, count]) => ({ path, message: `${count} source files; at most ${FOLDER_FILES}` }));
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
