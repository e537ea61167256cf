/** Every architecture rule, shown to fail on a small file that breaks it and to pass on one that does not. */
import { describe, expect, it } from "vitest";
import {
  fileBudgetViolations,
  folderBudgetViolations,
  functionBudgetViolations,
} from "./budgets.ts";
import { crateViolations } from "./crates/crateRanks.ts";
import { crateRoomViolations } from "./crates/crateRooms.ts";
import { listenerViolations } from "./foreignListeners.ts";
import { identityOf, identityViolations, wordViolations } from "./identity.ts";
import { limitViolations, unreadLimits } from "./limitPlaces.ts";
import { hiddenMemberViolations, nameViolations } from "./nameForms.ts";
import { rankViolations } from "./ranks.ts";
import {
  barrelViolations,
  importFormViolations,
  platformViolations,
  purityViolations,
  typeHoleViolations,
  undeclaredViolations,
} from "./typescriptHabits.ts";
import { wallClockViolations } from "./wallClock.ts";

const file = (path: string, text: string) => ({ path, text });
const count = (violations: readonly unknown[]) => violations.length;

describe("ranks", () => {
  it.each([
    ["shared/base/a.ts", "../wallet/b.ts", 1],
    ["shared/wallet/a.ts", "../base/b.ts", 0],
    ["shared/wallet/a.ts", "./b.ts", 0],
    ["node-server/app/a.ts", "@svc/shared/base/b.ts", 0],
    ["node-server/app/a.ts", "../../web/pages/b.ts", 1],
    ["web/pages/a.ts", "@svc/node-server/app/b.ts", 1],
    ["web/pages/a.ts", "../../tests/b.ts", 1],
    ["node-server/storage/a.ts", "../engine/b.ts", 1],
    ["node-server/engine/a.ts", "../storage/b.ts", 0],
    ["node-server/unknown/a.ts", "../storage/b.ts", 1],
    ["shared/wallet/run/a.ts", "../state/b.ts", 0],
    ["shared/wallet/state/a.ts", "../plan/b.ts", 1],
    ["shared/wallet/plan/a.ts", "../view/b.ts", 1],
    ["shared/wallet/unknown/a.ts", "../state/b.ts", 1],
    ["node-server/engine/a.ts", "./host/b.ts", 0],
    ["node-server/engine/host/a.ts", "../b.ts", 1],
    ["node-server/engine/a.ts", "./b.ts", 0],
    ["node-server/platform/files/a.ts", "../projectRoot.ts", 0],
    ["node-server/platform/projectRoot.ts", "./files/a.ts", 1],
    ["web/features/send/a.ts", "../../wallet-worker/b.ts", 1],
    ["web/features/send/a.ts", "../../wallet-api/b.ts", 0],
    ["web/pages/a.ts", "../workers/b.ts", 1],
    ["node-server/walletd/a.ts", "../engine/b.ts", 1],
    ["node-server/walletd/http/a.ts", "../../mempool/b.ts", 1],
    ["node-server/walletd/http/a.ts", "../../mining/b.ts", 1],
    ["node-server/walletd/http/a.ts", "../../p2p/b.ts", 1],
    ["node-server/walletd/http/a.ts", "../../rpc/service/b.ts", 1],
    ["node-server/walletd/http/a.ts", "../../app/node/b.ts", 1],
    ["node-server/walletd/http/a.ts", "../../client/b.ts", 0],
    ["node-server/gateway/a.ts", "../mempool/b.ts", 1],
    ["node-server/bridge/a.ts", "../rpc/service/b.ts", 1],
    ["node-server/bridge/a.ts", "../client/b.ts", 0],
    ["shared/wallet/state/a.ts", "../testkit/b.ts", 1],
    ["shared/wallet/state/a.test.ts", "../testkit/b.ts", 0],
    ["edge/gateway/vitest.config.ts", "./testkit/b.ts", 0],
    ["edge/gateway/a.config.ts", "./testkit/b.ts", 1],
    ["shared/wallet/state/a.test.ts", "../plan/b.ts", 0],
    ["shared/base/a.test.ts", "../wallet/state/b.ts", 1],
    ["elsewhere/a.ts", "../shared/base/b.ts", 1],
    ["edge/gateway/a.ts", "@svc/shared/gateway/b.ts", 0],
    ["edge/gateway/a.ts", "@svc/node-server/client/b.ts", 1],
    ["edge/gateway/a.ts", "../../web/ui/b.ts", 1],
    ["edge/gateway/a.ts", "../explorer/b.ts", 1],
    ["edge/gateway/a.ts", "../plugin/vendure/src/b.ts", 1],
    ["edge/platform/a.ts", "../gateway/b.ts", 1],
    ["node-server/gateway/a.ts", "@svc/edge/gateway/b.ts", 1],
    ["shared/base/a.test.ts", "../../tests/vectors/b.json", 0],
    ["shared/base/a.ts", "../../tests/vectors/b.json", 1],
    ["shared/base/a.ts", "valibot", 0],
    ["shared/base/a.test.ts", "../wallet/testkit/b.ts", 0],
    ["shared/base/a.test.ts", "@svc/node-server/platform/testkit/b.ts", 0],
    ["shared/base/a.test.ts", "@svc/node-server/platform/files/b.ts", 1],
    ["shared/base/a.test.ts", "@svc/node-server/platform/files/wasmFiles.ts", 0],
    ["shared/base/a.ts", "@svc/node-server/platform/files/wasmFiles.ts", 1],
    ["shared/base/a.test.ts", "../../tests/gateway/b.ts", 0],
    ["edge/testkit/a.ts", "../../tests/gateway/b.ts", 0],
    ["edge/gateway/a.ts", "../../tests/gateway/b.ts", 1],
    ["tests/edge/a.ts", "../gateway/b.ts", 0],
    ["tests/edge/a.ts", "../../scripts/lib/b.ts", 1],
    ["web/explorer/a.tsx", "../ui/styles/b.css", 0],
    ["web/explorer/a.tsx", "../ui/mark.svg", 0],
    ["web/explorer/a.tsx", "../ui/Card.tsx", 1],
    ["web/explorer/a.tsx", "../ui/stylesheets/b.css", 1],
    ["node-server/app/a.ts", "../package.json", 0],
    ["node-server/app/a.ts", "../../web/package.json", 1],
  ])("%s importing %s: %i broken", (path, specifier, expected) => {
    for (const text of [
      `import { x } from "${specifier}";`,
      `import type { x } from "${specifier}";`,
      `const x = await import("${specifier}");`,
      `type X = import("${specifier}").X;`,
    ]) {
      expect(count(rankViolations(file(path, text))), text).toBe(expected);
    }
  });

  it("holds for crates", () => {
    const manifest = (name: string, rest: string) =>
      file(
        "wasm-core/crates/x/Cargo.toml",
        `[package]\nname = "${name}"\n${rest}\n\n[lints]\nworkspace = true\n`,
      );
    const crates = (name: string, rest: string) => count(crateViolations(manifest(name, rest)));
    expect(crates("svc-chain", "[dependencies]\nsvc-codec.workspace = true")).toBe(0);
    expect(crates("svc-codec", "[dependencies]\nsvc-chain.workspace = true")).toBe(1);
    expect(crates("svc-pow", "[dependencies]\nsvc-shielded = { path = '' }")).toBe(1);
    expect(crates("svc-codec", "[dev-dependencies]\nsvc-chain.workspace = true")).toBe(0);
    expect(crates("svc-codec", "[target.'cfg(unix)'.dependencies.svc-chain]\npath = ''")).toBe(1);
    expect(crates("svc-dag", '[dependencies]\nwasm-bindgen = "0.2"')).toBe(1);
    expect(crates("svc-bind", '[dependencies]\nwasm-bindgen = "0.2"')).toBe(0);
    expect(crates("svc-new", "")).toBe(1);
    const unlinted = (name: string) => file("wasm-core/crates/x/Cargo.toml", `name = "${name}"`);
    expect(count(crateViolations(unlinted("svc-codec")))).toBe(1);
    expect(count(crateViolations(unlinted("svc-kernels")))).toBe(0);
  });
});

describe("ranks inside crates", () => {
  const consensus = "wasm-core/crates/consensus/src";
  it.each([
    [`${consensus}/records/meta.rs`, "use crate::store::Store;", 0],
    [`${consensus}/records/meta.rs`, "use crate::records::State;", 0],
    [`${consensus}/records.rs`, "use crate::records::meta::Counters;", 0],
    [`${consensus}/engine.rs`, "use crate::{import::Import, rules::acceptance};", 0],
    [`${consensus}/records/meta.rs`, "use crate::rules::acceptance::Acceptance;", 1],
    [`${consensus}/records/meta.rs`, "fn f() { crate::engine::open(); }", 1],
    [`${consensus}/records/meta.rs`, "use crate::{store::Store, engine::{Engine, Resolved}};", 1],
    [`${consensus}/proof/build.rs`, "use crate::pipeline::event::Event;", 1],
    [`${consensus}/records/meta.rs`, "// crate::engine is above", 0],
    [`${consensus}/records/meta.rs`, "#[cfg(test)]\nmod tests {\n use crate::engine::E;\n}", 0],
    [`${consensus}/corner.rs`, "", 1],
    ["wasm-core/crates/prove/src/halo2/wire/share.rs", "use crate::halo2::Fp;", 0],
    ["wasm-core/crates/prove/src/halo2/wire/share.rs", "use crate::halo2::shard::task;", 1],
    ["wasm-core/crates/codec/src/reader.rs", "use crate::writer::Writer;", 0],
  ])("%s: %s: %i broken", (path, text, expected) => {
    expect(count(crateRoomViolations(file(path, text)))).toBe(expected);
  });
});

describe("names", () => {
  it.each([
    ["shared/base/a.ts", 0],
    ["shared/base/someThing.test.ts", 0],
    ["web/workers/prove.worker.ts", 0],
    ["web/ui/SomeThing.tsx", 0],
    ["web/pages/walletMain.tsx", 0],
    ["wasm-core/crates/bench-peer/src/a_b.rs", 0],
    ["shared/base/SomeThing.ts", 1],
    ["shared/base/some_thing.ts", 1],
    ["shared/base/some-thing.ts", 1],
    ["web/ui/someThing.tsx", 1],
    ["shared/someThing/a.ts", 1],
    ["shared/some_thing/a.ts", 1],
    ["wasm-core/crates/codec/src/someThing.rs", 1],
    ["wasm-core/crates/codec/src/some-thing/a.rs", 1],
  ])("%s: %i broken", (path, expected) => {
    expect(count(nameViolations(file(path, "")))).toBe(expected);
  });

  it("find members that a word hides", () => {
    const hidden = (text: string) => count(hiddenMemberViolations(file("a.ts", text)));
    expect(hidden("class A { private b = 1; }")).toBe(1);
    expect(hidden("class A { private b(): void {} }")).toBe(1);
    expect(hidden("class A { #b = 1; protected c = 2; private constructor() {} }")).toBe(0);
  });
});

describe("budgets", () => {
  it("count lines of files", () => {
    expect(fileBudgetViolations(file("a.ts", "x\n".repeat(500)))).toEqual([]);
    expect(count(fileBudgetViolations(file("a.ts", "x\n".repeat(501))))).toBe(1);
  });

  it("count source files of a folder, and no others", () => {
    const many = (count: number, path: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => file(path(index), ""));
    const others = [
      ...many(30, (index) => `web/ui/a${index}.test.ts`),
      ...many(30, (index) => `web/ui/testkit/a${index}.ts`),
      ...many(30, (index) => `shared/base/generated/a${index}.ts`),
    ];
    const sources = (count: number) => many(count, (index) => `web/ui/a${index}.ts`);
    const tests = (count: number) => many(count, (index) => `tests/e2e/a${index}.test.ts`);
    expect(folderBudgetViolations([...sources(20), ...others])).toEqual([]);
    expect(count(folderBudgetViolations([...sources(21), ...others]))).toBe(1);
    expect(folderBudgetViolations(tests(20))).toEqual([]);
    expect(count(folderBudgetViolations(tests(21)))).toBe(1);
    expect(count(folderBudgetViolations(many(21, (index) => `wasm-core/a${index}.rs`)))).toBe(1);
  });

  it("count lines of functions", () => {
    const body = (lines: number) => "  x();\n".repeat(lines - 2);
    const cases: [string, string, number][] = [
      ["shared/a.ts", `function f() {\n${body(60)}}\n`, 0],
      ["shared/a.ts", `function f() {\n${body(61)}}\n`, 1],
      ["shared/a.ts", `const f = () => {\n${body(61)}};\n`, 1],
      ["shared/a.ts", `class A { m() {\n${body(61)}} }\n`, 1],
      ["shared/a.test.ts", `it("x", () => {\n${body(90)}});\n`, 0],
      ["shared/a.test.ts", `function f() {\n${body(61)}}\n`, 1],
      ["a.rs", `#[test]\nfn f() {\n${body(90)}}\n`, 0],
      ["a.rs", `pub fn f() {\n${body(60)}}\n`, 0],
      ["a.rs", `pub(crate) const fn f() {\n${body(61)}}\n`, 1],
      ["a.rs", `impl A {\n    fn f() {\n${body(61)}    }\n}\n`, 1],
    ];
    const markup = (lines: number) => `<b>\n${"x\n".repeat(lines - 2)}</b>`;
    cases.push(
      ["web/A.tsx", `function A() {\n${body(30)}return ${markup(80)};\n}\n`, 0],
      ["web/A.tsx", `function A() {\n${body(63)}return ${markup(10)};\n}\n`, 1],
      ["web/A.tsx", `function A() {\nreturn ${markup(120)};\n}\n`, 1],
    );
    for (const [path, text, expected] of cases) {
      expect(count(functionBudgetViolations(file(path, text))), text.slice(0, 40)).toBe(expected);
    }
  });
});

describe("listeners of foreign sources", () => {
  const listeners = (text: string, path = "node-server/rpc/a.ts") =>
    count(listenerViolations(file(path, text)));

  it.each([
    'server.on("upgrade", (request) => new URL(request.url));',
    'this.#socket.once("data", take);',
    'socket.addListener("error", () => socket.destroy());',
    "for (const event of events) stream.on(event, gone);",
    'live.addEventListener("message", take);',
    "createServer((request) => take(request));",
    "grpc.addService(definition, { messageStream: (stream) => take(stream) });",
    "const take = careful(listener); udp.on('message', take);",
    "source.on('data', take);",
  ])("breaks the rule: %s", (text) => {
    expect(listeners(text)).toBe(1);
  });

  it.each([
    'server.on("upgrade", guarded((request) => new URL(request.url), onFault));',
    "const take = guarded(listener, onFault); udp.on('message', take);",
    'process.on("SIGINT", stop); port.on("message", take); worker.once("exit", gone);',
    'signal.addEventListener("abort", stop, { once: true });',
    "grpc.addService(definition, { messageStream: guarded(take, onFault) });",
    "createServer({ noDelay: true });",
  ])("keeps the rule: %s", (text) => {
    expect(listeners(text)).toBe(0);
  });

  it("looks at the node alone, and not at its tests", () => {
    const text = 'server.on("upgrade", take);';
    for (const path of ["web/a.ts", "node-server/rpc/a.test.ts", "node-server/p2p/testkit/a.ts"]) {
      expect(listeners(text, path)).toBe(0);
    }
  });
});

describe("TypeScript habits", () => {
  it("find type holes, and not their names in text", () => {
    const text = 'const a: any = 1;\nconst b = c!.d;\nconst e = "any!";\n';
    expect(typeHoleViolations(file("a.ts", text)).map(({ path }) => path)).toEqual([
      "a.ts:1",
      "a.ts:2",
    ]);
  });

  it("find barrels", () => {
    expect(count(barrelViolations(file("a/b.ts", 'export { x } from "./c.ts";')))).toBe(1);
    expect(count(barrelViolations(file("a/b.ts", 'export * from "./c.ts";')))).toBe(1);
    expect(count(barrelViolations(file("a/index.ts", "export const x = 1;")))).toBe(1);
    expect(count(barrelViolations(file("a/b.ts", "const x = 1;\nexport { x };")))).toBe(0);
  });

  it("find imports without a file ending", () => {
    expect(count(importFormViolations(file("a.ts", 'import { x } from "./b";')))).toBe(1);
    expect(count(importFormViolations(file("a.ts", 'import { x } from "@svc/shared/b";')))).toBe(1);
    expect(count(importFormViolations(file("a.ts", 'import x from "./b.wasm?url";')))).toBe(0);
    expect(count(importFormViolations(file("a.ts", 'import { x } from "hono";')))).toBe(0);
  });

  it("find effects in shared code", () => {
    const pure = (path: string, text: string) => count(purityViolations(file(path, text)));
    expect(pure("shared/base/a.ts", 'import { x } from "node:fs";')).toBe(1);
    expect(pure("shared/base/a.ts", "const t = Date.now();")).toBe(1);
    expect(pure("shared/base/a.ts", "// never Date.now here")).toBe(0);
    expect(pure("shared/base/a.test.ts", "const t = Date.now();")).toBe(0);
    expect(pure("node-server/app/a.ts", "const t = Date.now();")).toBe(0);
  });

  it("find modules of Node at the edge, and modules of the edge elsewhere", () => {
    const found = (path: string, specifier: string) =>
      count(platformViolations(file(path, `import { x } from "${specifier}";`)));
    expect(found("edge/gateway/a.ts", "node:crypto")).toBe(1);
    expect(found("edge/gateway/a.test.ts", "node:fs")).toBe(1);
    expect(found("edge/vitest.config.ts", "node:url")).toBe(0);
    expect(found("edge/plugin/vendure/src/a.ts", "node:crypto")).toBe(0);
    expect(found("edge/plugin/vendure/src/a.ts", "cloudflare:workers")).toBe(1);
    expect(found("edge/gateway/a.ts", "cloudflare:workers")).toBe(0);
    expect(found("shared/gateway/a.ts", "cloudflare:workers")).toBe(1);
    expect(found("node-server/app/a.ts", "node:fs")).toBe(0);
  });

  it("find clocks that are read elsewhere, and durations of the wall clock", () => {
    const found = (path: string, text: string) => count(wallClockViolations(file(path, text)));
    expect(found("node-server/app/a.ts", "const t = Date.now();")).toBe(1);
    expect(found("edge/gateway/a.ts", "const t = Date.now();")).toBe(1);
    expect(found("edge/platform/edgeClock.ts", "const t = Date.now();")).toBe(0);
    expect(found("edge/plugin/vendure/src/order/a.ts", "const t = Date.now();")).toBe(1);
    expect(found("node-server/app/a.ts", "const t = new Date();")).toBe(1);
    expect(found("node-server/app/a.ts", "const t = performance.now();")).toBe(1);
    expect(found("node-server/app/a.ts", "const t = uptime();")).toBe(1);
    expect(found("node-server/app/a.ts", "const t = clock.nowMs() - this.#sinceMs;")).toBe(1);
    expect(found("node-server/app/a.ts", "const t = clock.steadyMs();")).toBe(0);
    expect(found("node-server/app/a.ts", "// never Date.now here")).toBe(0);
    expect(found("node-server/app/a.test.ts", "const t = Date.now();")).toBe(0);
    expect(found("node-server/app/node/syncState.ts", "const t = clock.nowMs();")).toBe(0);
    expect(found("node-server/app/node/syncState.ts", "const t = Date.now();")).toBe(1);
  });

  it("find packages that no manifest declares", () => {
    const declared = new Set(["hono", "@noble/hashes"]);
    const used = (specifier: string) =>
      count(undeclaredViolations(file("a.ts", `import x from "${specifier}";`), declared));
    expect([used("hono/cors"), used("@noble/hashes/blake2.js"), used("node:fs")]).toEqual([
      0, 0, 0,
    ]);
    expect([used("left-pad"), used("@noble/curves/x")]).toEqual([1, 1]);
  });
});

describe("identity", () => {
  const identity = identityOf([
    { hrp: "abcdev", genesis: { hash: "ff00ff00", nonce: 4711 }, ports: { grpc: 23456 }, k: 9999 },
  ]);
  const spelled = (path: string, text: string) =>
    count(identityViolations(file(path, text), identity));

  it("finds strings, ports and genesis numbers of a profile in code", () => {
    expect(spelled("shared/a.ts", 'const hrp = "abcdev";')).toBe(1);
    expect(spelled("wasm-core/a.rs", 'let h = "ff00ff00";')).toBe(1);
    expect(spelled("shared/a.ts", "listen(23_456);")).toBe(1);
    expect(spelled("shared/a.ts", "const nonce = 4711;")).toBe(1);
    expect(spelled("shared/a.ts", "const k = 9999;")).toBe(0);
  });

  it("leaves tests and comments alone", () => {
    expect(spelled("shared/a.test.ts", 'const hrp = "abcdev";')).toBe(0);
    expect(spelled("wasm-core/a.rs", '#[cfg(test)]\nmod tests { const H: &str = "abcdev"; }')).toBe(
      0,
    );
    expect(spelled("shared/a.ts", '// such as "abcdev"')).toBe(0);
  });
});

describe("words", () => {
  const words = (text: string) => wordViolations(file("a.md", text)).map(({ message }) => message);

  it("find unfinished work and outside places", () => {
    expect(words(["TO", "DO later"].join(""))).toEqual(["unfinished work"]);
    expect(words(["todo", "!()"].join(""))).toEqual(["unfinished work"]);
    expect(words(["see /wo", "rk/x"].join(""))).toEqual(["a place outside the repository"]);
    expect(words("all is done in this workshop")).toEqual([]);
  });

  it("find the brand in any case and inside longer words", () => {
    const digest = "03ac674216f3e15c761ee1a5e255f067953623c8b388b4459e13f978d7c846f4";
    // The digest of "1234" never matches, that of "acme" does.
    expect(wordViolations(file("a.md", "acme ACMEchain"), digest)).toEqual([]);
    const acme = "822b33ad87c148a0a20a5ba7cd5ebcaa68d36a18e7aad165554903f52ca82757";
    expect(count(wordViolations(file("a.md", "acme ACMEchain pacme"), acme))).toBe(2);
  });
});

describe("limit places", () => {
  it("find bounds outside the limits files", () => {
    const limits = (path: string, text: string) => count(limitViolations(file(path, text)));
    expect(limits("shared/a.ts", "const PEER_TIMEOUT_MS = 800;")).toBe(1);
    expect(limits("shared/a.ts", "export const QUEUE_ITEMS: number = 8_000;")).toBe(1);
    expect(limits("wasm-core/a.rs", "    pub const CACHE_SIZE: usize = 10;")).toBe(1);
    expect(limits("node-server/p2p/p2pLimits.ts", "const PEER_TIMEOUT_MS = 800;")).toBe(0);
    expect(limits("shared/a.ts", "const MAX_MANTISSA = 8;\nconst CACHED = 3;")).toBe(0);
    expect(limits("shared/a.test.ts", "const PEER_TIMEOUT_MS = 800;")).toBe(0);
  });

  it("find bounds without a name", () => {
    const limits = (text: string) => count(limitViolations(file("web/a.ts", text)));
    expect(limits('new BoundedQueue<Job>("jobs", 100)')).toBe(1);
    expect(limits("new LruMap<string, number>(100)")).toBe(1);
    expect(limits("setTimeout(() => stop(), 5000)")).toBe(1);
    expect(limits("AbortSignal.timeout(5000)")).toBe(1);
    expect(limits('new BoundedQueue("jobs", LIMITS.jobs)')).toBe(0);
    expect(limits("setTimeout(stop, LIMITS.stopMs)")).toBe(0);
    expect(limits("setTimeout(tick, 1_000)")).toBe(0);
  });
});

describe("limits that nobody reads", () => {
  const table = file(
    "shared/core/coreLimits.ts",
    "export const CORE_LIMITS = {\n  a: 1,\n  b: 2,\n};",
  );
  const unread = (text: string) => count(unreadLimits([table, file("shared/core/x.ts", text)]));

  it("are found, and others are not", () => {
    expect(unread("f(CORE_LIMITS.a);")).toBe(1);
    expect(unread("f(CORE_LIMITS.a, CORE_LIMITS.b);")).toBe(0);
    expect(unread("const { a, b } = CORE_LIMITS;")).toBe(0);
    const test = file("shared/core/x.test.ts", "f(CORE_LIMITS.a, CORE_LIMITS.b);");
    expect(count(unreadLimits([table, test]))).toBe(2);
  });
});
