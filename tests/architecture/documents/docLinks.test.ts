/** Every relative link of a document leads to a file or folder that is there, and to a heading that the document has. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { linkViolations } from "./docLinks.ts";
import { readSourceTree, ROOT } from "../sourceTree.ts";

const OTHER = "# Other things\n\n## 1.2 The `size`, in bytes\n\n## Twice\n\n## Twice\n";
const THERE = new Set(["docs", "docs/a.md", "docs/other.md", "docs/spec", "code", "code/b.ts"]);

/** The links of a document `docs/a.md` that lead nowhere. */
function dead(text: string): readonly string[] {
  const files = [
    { path: "docs/a.md", text },
    { path: "docs/other.md", text: OTHER },
    { path: "code/b.ts", text: "// [no document](gone.md)" },
  ];
  return linkViolations(files, (path) => THERE.has(path)).map(({ message }) =>
    message.replace("the link ", "").replace(" leads nowhere", ""),
  );
}

describe("a link", () => {
  it("leads to a file or folder, seen from its document", () => {
    expect(dead("[a](other.md) and [b](../code/b.ts), [c](spec/), [d](../code)")).toEqual([]);
    expect(dead('[a `code`](other.md "title")\n![picture](../code/b.ts)')).toEqual([]);
  });

  it("is a fault where nothing is", () => {
    expect(dead("[a](gone.md) and [b](other.md), [c](code/b.ts)")).toEqual([
      "gone.md",
      "code/b.ts",
    ]);
    expect(dead("[a](../../other.md)")).toEqual(["../../other.md"]);
    expect(linkViolations([{ path: "a.md", text: "[a](b.md)" }], () => false)).toEqual([
      { path: "a.md", message: "the link b.md leads nowhere" },
    ]);
    expect(dead("| [a](gone/) | ![b](gone.png) |")).toEqual(["gone/", "gone.png"]);
  });

  it("leads to a heading, of its own document too", () => {
    expect(dead("[a](other.md#other-things), [b](other.md#12-the-size-in-bytes)")).toEqual([]);
    expect(dead("[a](other.md#twice), [b](other.md#twice-1)")).toEqual([]);
    expect(dead("# [Own](other.md) heading\n\n[a](#own-heading)")).toEqual([]);
  });

  it("is a fault where no heading is", () => {
    expect(dead("[a](other.md#things), [b](other.md#twice-2)")).toEqual([
      "other.md#things",
      "other.md#twice-2",
    ]);
    expect(dead("```\n# Not a heading\n```\n\n[a](#not-a-heading)")).toEqual(["#not-a-heading"]);
  });

  it("to elsewhere, and in code, is left alone", () => {
    expect(dead("[a](https://example.org/gone.md#b), [b](mailto:a@example.org)")).toEqual([]);
    expect(dead("`[a](gone.md)` and ``[b](gone.md) ` ``, `broken\n[c](gone.md)`")).toEqual([]);
    expect(dead("```ts\n[a](gone.md)\n```\n\n~~~\n[b](gone.md)\n~~~")).toEqual([]);
    expect(dead("a lonely ` mark\n\n[a](gone.md), another `")).toEqual(["gone.md"]);
  });
});

describe("the whole tree", () => {
  it("has documents whose links lead somewhere", () => {
    const tree = readSourceTree();
    expect(tree.filter(({ path }) => path.endsWith(".md")).length).toBeGreaterThan(40);
    const violations = linkViolations(tree, (path) => existsSync(ROOT + path));
    expect(violations.map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
  });
});
