/** Browser features that the pages use, and the versions that brought them: a build rewrites syntax, and puts no function in. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BROWSER_TARGET } from "./browserTarget.ts";

type Needed = { readonly uses: RegExp; readonly since: Readonly<Record<string, number>> };

/** Functions of later years, with the first versions that have them. */
const NEEDED: readonly Needed[] = [
  { uses: /\bAbortSignal\.any\(/, since: { chrome: 116, firefox: 124, safari: 17.4 } },
  { uses: /\bPromise\.withResolvers\b/, since: { chrome: 119, firefox: 121, safari: 17.4 } },
  { uses: /\bURL\.canParse\(/, since: { chrome: 120, firefox: 115, safari: 17 } },
  {
    uses: /\.(?:toSorted|toReversed|toSpliced)\(/,
    since: { chrome: 110, firefox: 115, safari: 16 },
  },
  { uses: /\.findLast(?:Index)?\(/, since: { chrome: 97, firefox: 104, safari: 15.4 } },
  { uses: /\b(?:Object|Map)\.groupBy\(/, since: { chrome: 117, firefox: 119, safari: 17.4 } },
  { uses: /\bArray\.fromAsync\(/, since: { chrome: 121, firefox: 115, safari: 16.4 } },
  {
    uses: /\.isSubsetOf\(|\.symmetricDifference\(/,
    since: { chrome: 122, firefox: 127, safari: 17 },
  },
  { uses: /\bURL\.parse\(/, since: { chrome: 126, firefox: 126, safari: 18 } },
  { uses: /\bPromise\.try\(/, since: { chrome: 128, firefox: 134, safari: 18.2 } },
  { uses: /\bIterator\.from\(/, since: { chrome: 122, firefox: 131, safari: 18.4 } },
  { uses: /\bRegExp\.escape\(/, since: { chrome: 136, firefox: 134, safari: 18.2 } },
  {
    uses: /\bUint8Array\.from(?:Base64|Hex)\(/,
    since: { chrome: 140, firefox: 133, safari: 18.2 },
  },
];

/** The sources that a page may load. */
const SOURCES = ["../../web/", "../../shared/"].flatMap((folder) => {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => !/node_modules|^dist\/|\.test\.ts|testkit|\.d\.ts$/.test(path))
    .map((path) => ({ path: `${folder}${path}`, text: readFileSync(`${root}${path}`, "utf8") }));
});

const target = Object.fromEntries(
  BROWSER_TARGET.map((one) => {
    const [, name = "", version = ""] = /^([a-z]+)([\d.]+)$/.exec(one) ?? [];
    return [name, Number(version)];
  }),
);

test("every browser of the target has what the pages use", () => {
  expect(Object.keys(target).toSorted()).toEqual(["chrome", "firefox", "safari"]);
  expect(SOURCES.length).toBeGreaterThan(500);
  const tooNew = SOURCES.flatMap(({ path, text }) =>
    NEEDED.filter(({ uses }) => uses.test(text)).flatMap(({ uses, since }) =>
      Object.entries(since)
        .filter(([name, version]) => version > (target[name] ?? 0))
        .map(([name, version]) => `${path}: ${uses.source} needs ${name} ${version}`),
    ),
  );
  expect(tooNew).toEqual([]);
});
