/** Every citation of the specification leads to a section of docs/spec, and every one of the formats to one of theirs. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { citationViolations, sectionsOf } from "./citations.ts";
import { readSourceTree, ROOT, type SourceFile } from "../sourceTree.ts";

const book = sectionsOf([
  { path: "docs/spec/graph.md", text: "# Graph\n\n## 1 Order\n\n### 1.2 Size\n" },
  { path: "docs/spec/graph/02-work.md", text: "## 2 Work\n" },
  { path: "docs/spec/notes.md", text: "## 7 Notes\n" },
  { path: "docs/formats.md", text: "## 1 Bytes\n\n### 1.2 Blocks\n\n## 2 Records\n" },
  { path: "docs/other.md", text: "## 9 Nothing\n" },
]);

/** The sections that a text cites and nobody wrote. */
const missing = (text: string): readonly string[] =>
  citationViolations({ path: "a.ts", text }, book).map(({ message }) =>
    message.replace("there is no section ", ""),
  );

describe("a citation", () => {
  it("leads to a section of a part, in whichever file of it", () => {
    expect(missing("(specification graph 1.2)")).toEqual([]);
    expect(missing("Specification graph 1, 1.2 and 2, notes 7.")).toEqual([]);
    expect(missing("specification graph 2, step 4, is below")).toEqual([]);
    expect(missing("specification graph 1.2 K")).toEqual([]);
  });

  it("is a fault where there is no such section or part", () => {
    expect(missing("(specification graph 1.3)")).toEqual(["1.3 of specification graph"]);
    expect(missing("specification graph 1.2 and 4")).toEqual(["4 of specification graph"]);
    expect(missing("specification graph 1, notes 8")).toEqual(["8 of specification notes"]);
    expect(missing("specification wallets 1")).toEqual(["1 of specification wallets"]);
    expect(missing("specification other 9")).toEqual(["9 of specification other"]);
  });

  it("may be one of the formats", () => {
    expect(missing("(docs/formats.md 1.2)")).toEqual([]);
    expect(missing("Formats 1 and 2 (formats 1.2)")).toEqual([]);
    expect(missing("(specification graph 1.2; formats 2)")).toEqual([]);
    expect(missing("the forms of formats, 3 of them")).toEqual([]);
    expect(missing("(formats 3)")).toEqual(["3 of docs/formats.md"]);
    expect(missing("docs/formats.md 2, 4")).toEqual(["4 of docs/formats.md"]);
    expect(missing("/// Sizes (formats\n/// 5)")).toEqual(["5 of docs/formats.md"]);
    expect(missing("(specification graph 3; formats 3)")).toEqual([
      "3 of specification graph",
      "3 of docs/formats.md",
    ]);
  });

  it("may be broken by the end of a line", () => {
    expect(missing("/**\n * Sizes (specification\n * graph 3)")).toEqual([
      "3 of specification graph",
    ]);
    expect(missing("/// Work (specification graph\n/// 5, notes\n/// 6)")).toEqual([
      "5 of specification graph",
      "6 of specification notes",
    ]);
  });
});

/** What the vectors say of where they come from. */
function origins(): readonly SourceFile[] {
  const folder = "tests/vectors/";
  return readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const text = readFileSync(ROOT + folder + name, "utf8");
      return { path: folder + name, text: /"origin": "[^"]*"/.exec(text)?.[0] ?? "" };
    });
}

describe("the whole tree", () => {
  it("cites sections that are there", () => {
    const tree = readSourceTree();
    const sections = sectionsOf(tree);
    expect([...sections.keys()].toSorted()).toEqual([
      "airgap",
      "consensus",
      "docs/formats.md",
      "network",
      "prover",
      "service",
      "shielded",
      "wallet",
    ]);
    const cited = tree.filter(
      ({ path }) => !path.startsWith("tests/architecture/documents/citations"),
    );
    const violations = [...cited, ...origins()].flatMap((file) =>
      citationViolations(file, sections),
    );
    expect(violations.map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
  });
});
