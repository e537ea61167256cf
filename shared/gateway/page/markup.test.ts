import { describe, expect, it } from "vitest";
import { filled, markup } from "./markup.ts";

describe("markup", () => {
  it("escapes what it is given, in text and in attributes, and leaves markup as it is", () => {
    const name = `<b title='x'>"&`;
    const inner = markup`<i>${name}</i>`;
    expect(
      String(markup`<p title="${name}">${inner}${[inner, inner]}${null}${false}${7}</p>`),
    ).toBe(
      `<p title="&lt;b title=&#39;x&#39;&gt;&quot;&amp;">${`<i>&lt;b title=&#39;x&#39;&gt;&quot;&amp;</i>`.repeat(3)}7</p>`,
    );
  });

  it("fills messages, and misses no slot", () => {
    expect(String(filled("{a} < {b}{a}", { a: "&", b: markup`<b></b>` }))).toBe(
      "&amp; &lt; <b></b>&amp;",
    );
    expect(() => filled("{c}", {})).toThrow("a message has no c");
  });
});
