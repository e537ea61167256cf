import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const CSS = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** The declarations of the block that a selector opens, the first one at or after the line that holds `media`. */
function block(selector: string, media = "@layer"): Map<string, string> {
  const begin = CSS.indexOf(`${selector} {`, CSS.indexOf(media));
  const text = CSS.slice(begin, CSS.indexOf("}", begin));
  return new Map(
    [...text.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((m) => [m[1] ?? "", m[2] ?? ""]),
  );
}

const light = block(":root");
const dark = block(':root[data-theme="dark"]');
const brightContrast = block(':root[data-theme="contrast"]');
const darkContrast = block(
  ':root[data-theme="contrast"]',
  "@media (prefers-color-scheme: dark) {\n    :root[data-theme",
);

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = channels.map((c) =>
    c <= 0.040_45 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(theme: Map<string, string>, text: string, ground: string): number {
  const a = luminance(theme.get(text) ?? "");
  const b = luminance(theme.get(ground) ?? "");
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const PAIRS = [
  ...["--ink", "--ink-2", "--ink-3"].flatMap((ink) =>
    ["--paper", "--surface", "--surface-2"].map((ground) => [ink, ground] as const),
  ),
  ["--accent-ink", "--accent"],
  ["--accent", "--surface"],
  ["--accent", "--paper"],
  ["--accent-strong", "--accent-soft"],
  ["--accent-strong", "--surface"],
  ["--gold", "--gold-soft"],
  ["--gold", "--surface"],
  ["--red", "--red-soft"],
  ["--red", "--surface"],
  ["--blue", "--blue-soft"],
] as const;

describe.each([
  ["light", light],
  ["dark", dark],
] as const)("the %s theme", (_, theme) => {
  test.each(PAIRS)("%s can be read on %s", (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5);
  });
});

describe.each([
  ["bright", brightContrast],
  ["dark", darkContrast],
] as const)("the %s theme of high contrast", (_, theme) => {
  test.each(PAIRS)("%s can be read on %s by weak eyes", (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(7);
  });

  test.each(["--line", "--line-strong", "--accent", "--red"])("%s can be seen", (line) => {
    expect(contrast(theme, line, "--surface")).toBeGreaterThanOrEqual(3);
    expect(contrast(theme, line, "--surface-2")).toBeGreaterThanOrEqual(3);
  });
});

test("high contrast is the same whether the system or the reader asks for it", () => {
  const more = "@media (prefers-contrast: more) {";
  expect(block(':root:not([data-theme="dark"])', more)).toEqual(brightContrast);
  expect(block(':root[data-theme="dark"]', more)).toEqual(darkContrast);
  const moreDark = "@media (prefers-contrast: more) and (prefers-color-scheme: dark)";
  expect(block(':root:not([data-theme="light"])', moreDark)).toEqual(darkContrast);
  expect(brightContrast.size).toBe(dark.size);
  expect(darkContrast).not.toEqual(brightContrast);
});

test("dark is the same whether the system or the reader asks for it", () => {
  expect(block(':root:not([data-theme="light"], [data-theme="contrast"])')).toEqual(dark);
  expect(dark.size).toBeGreaterThan(15);
});
