/** Errors of the core carry the data that the code registry lists, and the rule is shown able to fail. */
import { describe, expect, it } from "vitest";
import { CODE_FIELDS } from "@svc/shared/base/generated/codes.ts";
import {
  errorSites,
  errorSiteViolations,
  madeInRust,
  madeInTypescript,
  rustName,
  unmadeCodes,
} from "./errorSites.ts";
import { isRust, isTypescript, readSourceTree } from "./sourceTree.ts";

const fieldsOf = new Map<string, readonly string[]>(
  Object.entries(CODE_FIELDS).map(([code, fields]) => [rustName(code), fields]),
);

/** Not every place knows the key or the cause of a record, or the action a field belongs to. */
const PARTIAL = new Set(["StoreCorrupt", "StoreMissing", "ShieldedBadField"]);

/** Its failures are made up: it plays a store that breaks. */
const SIMULATOR = "wasm-core/crates/sim/";

/** Where a code is named and no error of the core made: the list itself, and what plays with the core. */
const NO_MAKERS = [SIMULATOR, "wasm-core/crates/fuzz/", "wasm-core/crates/codec/src/code.rs"];

/** Codes of the core that nobody makes, each with what it is there for. */
const UNMADE: ReadonlyMap<string, string> = new Map([
  [
    "virtual/finality-violation",
    "names a line of the log: the chain is not followed, nobody is refused",
  ],
  ["wallet/no-anchor", "wallets without an anchor have no spendable note either, and say that"],
]);

const site = (text: string) => errorSites({ path: "wasm-core/crates/a/src/b.rs", text });

describe("the scanner", () => {
  it("reads chains, names, closures, helpers and tables", () => {
    expect(
      site(`fn a() { return Err(SvcError::new(Code::A).with("x", f(1, ")")).with("y", 2)); }`),
    ).toMatchObject([{ code: "A", fields: ["x", "y"] }]);
    expect(
      site(`fn a() { let error = SvcError::new(Code::A);\n return Err(error\n.with("x", 1)); }`),
    ).toMatchObject([{ code: "A", fields: ["x"] }]);
    expect(
      site(
        `fn a() { let missing = || SvcError::new(Code::A).with("x", 1); b.ok_or_else(missing) }`,
      ),
    ).toMatchObject([{ code: "A", fields: ["x"] }]);
    expect(
      site(
        `fn long(code: Code) -> SvcError { SvcError::new(code).with("x", 1) }
         fn b() { long(Code::A); long(Code::B) }`,
      ),
    ).toMatchObject([
      { code: "A", fields: ["x"] },
      { code: "B", fields: ["x"] },
    ]);
    expect(
      site(
        `fn b() { let rows = [(Code::A, got, 1), (Code::B, got, 2)];
         match rows { Some((code, got, max)) => SvcError::new(code).with("x", got) } }`,
      ),
    ).toMatchObject([{ code: "A" }, { code: "B", fields: ["x"] }]);
  });

  it("keeps one error apart from the next of the same name, and tests out", () => {
    const text = `fn a() { let error = SvcError::new(Code::A); error.with("x", 1) }
      fn b() { let error = SvcError::new(Code::B); error.with("y", 1) }
      #[cfg(test)] mod tests { fn c() { SvcError::new(Code::C); } }`;
    expect(site(text)).toMatchObject([
      { code: "A", fields: ["x"] },
      { code: "B", fields: ["y"] },
    ]);
  });
});

describe("errors of the core", () => {
  it("break the rule when a field is missing, too many or the code unknown", () => {
    const listed = new Map([["A", ["x"]]]);
    const broken = (text: string) => errorSiteViolations(site(text), listed, new Set()).length;
    expect(broken(`SvcError::new(Code::A).with("x", 1)`)).toBe(0);
    expect(broken(`SvcError::new(Code::A)`)).toBe(1);
    expect(broken(`SvcError::new(Code::A).with("x", 1).with("y", 1)`)).toBe(1);
    expect(broken(`SvcError::new(Code::B)`)).toBe(1);
  });

  it("send the fields their codes list", () => {
    const files = readSourceTree().filter(
      ({ path }) =>
        isRust(path) && path.startsWith("wasm-core/crates/") && !path.startsWith(SIMULATOR),
    );
    const sites = files.flatMap(errorSites);
    expect(sites.length).toBeGreaterThan(200);
    expect(errorSiteViolations(sites, fieldsOf, PARTIAL)).toEqual([]);
  });

  it("are made somewhere: a code that is only listed or looked for is found", () => {
    const made = (text: string) => madeInRust({ path: "wasm-core/crates/a/src/b.rs", text });
    expect(made(`fn a() { about(Code::A, hash); b(svc::Code::B) }`)).toEqual(["A", "B"]);
    const looked = `if error.code == Code::A || matches!(code, Code::B) {} // Code::C
      match code { Code::D | Code::E => 1, other => 2 }
      #[cfg(test)] mod tests { fn c() { SvcError::new(Code::F); } }`;
    expect(made(looked)).toEqual([]);
    const thrown = { path: "shared/a.ts", text: `throw new SvcError(\n"tx/a-b", {}); "tx/c"` };
    expect(madeInTypescript(thrown)).toEqual(["TxAB"]);
    expect(madeInTypescript({ ...thrown, path: "shared/a.test.ts" })).toEqual([]);
    const listed = { codes: ["tx/a", "tx/b"], made: new Set(["TxA"]) };
    expect(unmadeCodes({ ...listed, reasons: new Map() })).toEqual(["tx/b is made nowhere"]);
    expect(unmadeCodes({ ...listed, reasons: new Map([["tx/b", "why"]]) })).toEqual([]);
    const needless = new Map([
      ["tx/a", "why"],
      ["tx/b", "why"],
    ]);
    expect(unmadeCodes({ ...listed, reasons: needless })).toEqual(["tx/a needs no reason"]);
  });

  it("each code of codes.json that belongs to the core has a site that makes it", () => {
    const files = readSourceTree();
    const rust = files.filter(
      ({ path }) =>
        isRust(path) &&
        path.startsWith("wasm-core/crates/") &&
        !NO_MAKERS.some((from) => path.startsWith(from)),
    );
    const inRust = new Set(rust.flatMap(madeInRust));
    const made = new Set([
      ...inRust,
      ...files.filter(({ path }) => isTypescript(path)).flatMap(madeInTypescript),
    ]);
    const all = Object.keys(CODE_FIELDS);
    const areaOf = (code: string) => code.split("/")[0];
    const areas = new Set(all.filter((code) => inRust.has(rustName(code))).map(areaOf));
    const codes = all.filter((code) => areas.has(areaOf(code)));
    expect(codes.length).toBeGreaterThan(150);
    expect(unmadeCodes({ codes, made, reasons: UNMADE })).toEqual([]);
  });
});
