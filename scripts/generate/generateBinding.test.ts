import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { QUESTION_NAMES } from "@svc/node-server/engine/calls/engineQuestions.ts";
import { readDeclarations } from "./bindingTypes.ts";
import { renderDocument, renderTypes } from "./generateBinding.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const CORE = { name: "core", title: "Core", about: "a build" } as const;

const SOURCE = `
/**
 * A thing with
 * two lines.
 */
export class Thing {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Takes \`raw_tx\`.
     */
    take(raw_tx: Uint8Array | number[], now_ms: bigint): Part | undefined;
    /**
     * Makes one.
     */
    constructor(store: any, cache?: Uint8Array | number[] | null);
    all(parts: Uint8Array[]): Uint8Array[];
}

/**
 * A part.
 */
export class Part {
    private constructor();
    free(): void;
    size(): number;
}

export function start(): void;
/**
 * Counts.
 */
export function count(json: string): bigint;
export interface InitOutput {
    readonly count: (a: number) => bigint;
}
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;
`;

describe("declarations", () => {
  const bound = readDeclarations(SOURCE);

  it("are read with their comments, names and types as the host knows them", () => {
    expect(bound.functions).toEqual([
      {
        name: "count",
        about: "Counts.",
        parameters: [{ name: "json", type: "string" }],
        answer: "bigint",
      },
    ]);
    const [thing, part] = bound.classes;
    expect(thing?.about).toBe("A thing with two lines.");
    expect(thing?.calls.map(({ name, about, answer }) => [name, about, answer])).toEqual([
      ["take", "Takes `rawTx`.", "RawPart | undefined"],
      ["new", "Makes one.", ""],
      ["all", "", "Uint8Array[]"],
    ]);
    expect(
      thing?.calls.map(({ parameters }) => parameters.map(({ name, type }) => `${name}: ${type}`)),
    ).toEqual([
      ["rawTx: Uint8Array", "nowMs: bigint"],
      ["store: HostStore", "cache?: Uint8Array"],
      ["parts: readonly Uint8Array[]"],
    ]);
    expect(part?.calls.map(({ name }) => name)).toEqual(["size"]);
  });

  it("with an object of the host that nobody knows are refused", () => {
    expect(() => readDeclarations("export function f(other: any): void;")).toThrow("other: any");
  });

  it("become interfaces, and classes that can be made", () => {
    const text = renderTypes(CORE, bound);
    expect(text).toContain(
      "  readonly Thing: new (store: HostStore, cache?: Uint8Array) => RawThing;",
    );
    expect(text).not.toContain("readonly Part");
    expect(text).toContain("export interface RawPart extends WasmObject {");
    expect(text).toContain('  "initSync",\n  "Thing",\n  "count",\n');
  });

  it("become a table", () => {
    const text = renderDocument([[CORE, bound]]);
    expect(text).toContain(
      "| `take(rawTx: Uint8Array, nowMs: bigint)` | `Part?` | Takes `rawTx`. |",
    );
  });
});

it("the built core answers the questions that have a row, and no others", () => {
  const { classes } = readDeclarations(read("wasm-core/pkg/core/core.d.ts"));
  const reader = classes.find(({ name }) => name === "Reader")?.calls.map(({ name }) => name) ?? [];
  const engine = classes.find(({ name }) => name === "Engine")?.calls.map(({ name }) => name) ?? [];
  expect(reader.filter((name) => name !== "new").toSorted()).toEqual(QUESTION_NAMES.toSorted());
  expect(engine).toEqual(expect.arrayContaining([...QUESTION_NAMES]));
});
