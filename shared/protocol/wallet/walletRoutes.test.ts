/** The table of the wallet API: its examples, its grammar of money, and what it refuses. */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import { NumberText, parseExactJson } from "../contract/numberText.ts";
import { WALLET_ROUTES, type RouteName } from "./walletRoutes.ts";
import { walletFault } from "./walletFault.ts";

const names = Object.keys(WALLET_ROUTES).filter((name): name is RouteName => name in WALLET_ROUTES);

/** What a request of this JSON text is read as, or the code and data of its refusal. */
function read(name: RouteName, text: string): unknown {
  const result = v.safeParse(WALLET_ROUTES[name].body, parseExactJson(text));
  if (result.success) return result.output;
  const { code, data } = walletFault(result.issues, "body");
  return { code, ...data };
}

describe("each row", () => {
  it("has a path and method of its own", () => {
    const places = names.map((name) => `${WALLET_ROUTES[name].method} ${WALLET_ROUTES[name].path}`);
    expect(new Set(places).size).toBe(names.length);
  });

  it.each(names)("%s: its example is what its schemas take", (name) => {
    const row = WALLET_ROUTES[name];
    const { example } = row;
    const answer = parseExactJson(JSON.stringify(example.answer));
    expect(v.safeParse(row.answer, answer).issues).toBeUndefined();
    const body = "body" in example ? parseExactJson(JSON.stringify(example.body)) : undefined;
    expect(v.safeParse(row.body, body).issues).toBeUndefined();
    const at = new URL("path" in example ? example.path : row.path, "http://localhost");
    const query = Object.fromEntries(at.searchParams);
    expect(v.safeParse(row.query, query).issues).toBeUndefined();
    const pattern = new RegExp(`^${row.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    expect(v.safeParse(row.params, { ...pattern.exec(at.pathname)?.groups }).success).toBe(true);
    expect(row.about).toMatch(/^[A-Z].*[.]$/);
  });
});

describe("money in a request", () => {
  const sent = (fields: string) => read("send", `{"to":"svc:x",${fields}}`);

  it("is exact as a JSON integer and as decimal text, beyond 2^53 too", () => {
    const most = 18_446_744_073_709_551_615n;
    for (const written of [
      "18446744073709551615",
      '"18446744073709551615"',
      '"+18446744073709551615"',
    ]) {
      expect(sent(`"amount_sompi":${written}`)).toMatchObject({ amount: most });
    }
    expect(sent('"amount_sompi":9007199254740993,"fee":"7"')).toMatchObject({
      amount: 9_007_199_254_740_993n,
      fee: 7n,
    });
  });

  it("has no other form", () => {
    const expected = "an unsigned 64-bit decimal integer";
    const refused = { code: "api/bad-field", field: "amount_sompi", expected };
    for (const written of [
      "1.0",
      "1e3",
      "-1",
      '" 1"',
      '"0x1"',
      '""',
      '"1e3"',
      "18446744073709551616",
    ]) {
      expect(sent(`"amount_sompi":${written}`), written).toEqual(refused);
    }
    for (const written of ["true", "{}", "[]"]) {
      expect(sent(`"amount_sompi":${written}`)).toEqual({ ...refused, code: "api/wrong-type" });
    }
  });

  it("may be coins, which are read from their digits and rounded half away from zero", () => {
    const cases: readonly (readonly [string, bigint])[] = [
      ["1.5", 150_000_000n],
      ["0.30000000000000004", 30_000_000n],
      ["0.000000005", 1n],
      ["1e-8", 1n],
      ["1.5E2", 15_000_000_000n],
      ["184467440737.09551615", 18_446_744_073_709_551_615n],
      ["90071992.54740993", 9_007_199_254_740_993n],
    ];
    for (const [written, amount] of cases) {
      expect(sent(`"amount_fc":${written}`), written).toMatchObject({ amount });
    }
    for (const written of ["-1.5", "0", "0.000000004", "1e-999", "0e9999"]) {
      expect(sent(`"amount_fc":${written}`), written).toMatchObject({
        code: "api/bad-field",
        field: "amount",
      });
    }
    for (const written of ["1e999", "184467440737.09551616", `1${"0".repeat(70)}`]) {
      expect(sent(`"amount_fc":${written}`), written).toMatchObject({
        code: "api/bad-field",
        field: "amount_fc",
      });
    }
    expect(sent('"amount_fc":"1.5"')).toMatchObject({ code: "api/wrong-type" });
  });

  it("is the exact one where both are given, and must be given", () => {
    expect(sent('"amount_sompi":"7","amount_fc":1')).toMatchObject({ amount: 7n });
    expect(sent('"amount_sompi":null,"amount_fc":1')).toMatchObject({ amount: 100_000_000n });
    expect(sent('"memo":"x"')).toEqual({
      code: "api/bad-field",
      field: "amount",
      expected: "given as amount_sompi or amount_fc",
    });
    expect(sent('"amount_sompi":0')).toMatchObject({ code: "api/bad-field", field: "amount" });
  });
});

describe("a request", () => {
  it("may have fields that nobody knows, and null for those it leaves out", () => {
    expect(read("settings", '{"later":{"x":1},"recoverable_history":true}')).toEqual({
      recoverable_history: true,
    });
    expect(read("rescan", '{"force":null,"birthday":null}')).toEqual({
      force: null,
      birthday: null,
    });
    expect(read("consolidate", "null")).toEqual({});
  });

  it("names what it lacks or writes wrongly", () => {
    expect(read("import", "{}")).toEqual({ code: "api/missing-field", field: "seed_hex" });
    expect(read("import", '{"seed_hex":"0G"}')).toMatchObject({
      code: "api/bad-field",
      field: "seed_hex",
    });
    expect(read("import", "[]")).toMatchObject({ code: "api/wrong-type" });
    expect(read("import", "7")).toMatchObject({ code: "api/wrong-type", field: "body" });
    expect(read("settings", '{"recoverable_history":"yes"}')).toMatchObject({
      code: "api/wrong-type",
      field: "recoverable_history",
      expected: "true or false",
    });
    const sigs = `{"session":"${"5e".repeat(24)}","sigs":[{"index":0,"sig":"${"00".repeat(64)}"},{"index":"x","sig":""}]}`;
    expect(read("submit", sigs)).toMatchObject({ code: "api/bad-field", field: "sigs[1].index" });
    expect(read("sendMany", '{"payees":[]}')).toMatchObject({
      code: "api/bad-field",
      field: "payees",
    });
    const payees = '{"payees":[{"to":"a","amount_sompi":1},{"to":"b"}]}';
    expect(read("sendMany", payees)).toMatchObject({ field: "payee 1: amount" });
  });

  it("tells no value of a secret field", () => {
    const seed = "ab".repeat(31);
    expect(JSON.stringify(read("import", `{"seed_hex":"${seed}"}`))).not.toContain("abab");
  });
});

describe("a status", () => {
  const whole = WALLET_ROUTES.status.example.answer;

  it.each(Object.keys(whole).filter((key) => key !== "network"))(
    "without %s is read as the safe value",
    (key) => {
      const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key));
      const status: Readonly<Record<string, unknown>> = v.parse(
        WALLET_ROUTES.status.answer,
        parseExactJson(JSON.stringify({ ...rest, later: [1] })),
      );
      expect([false, 0, 0n, "0", null]).toContain(status[key]);
      expect(status).not.toHaveProperty("later");
    },
  );
});

describe("numbers of JSON", () => {
  it("are read and written digit for digit", () => {
    const text = '{"a":18446744073709551615,"b":[-0.10,1e5]}';
    expect(parseExactJson(text)).toEqual({
      a: new NumberText("18446744073709551615"),
      b: [new NumberText("-0.10"), new NumberText("1e5")],
    });
    expect(JSON.stringify(parseExactJson(text))).toBe(text);
  });

  it("of text that is no JSON are an error, whatever its depth", () => {
    for (const text of ["", "{", "[1,]", "NaN", "[".repeat(2_000_000)]) {
      expect(() => parseExactJson(text)).toThrow(SvcError);
    }
    const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
    expect(() => parseExactJson(deep)).toThrow(SvcError);
  });
});
