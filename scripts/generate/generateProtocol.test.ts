/** The generated messages are those of the proto files: an ordinary checkout has no compiler that could tell. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const protocol = new URL("../../shared/protocol/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, protocol), "utf8");

test.each([
  ["proto/rpc.proto", "rpc/generated/rpc.ts"],
  ["proto/p2p.proto", "p2p/generated/p2p.ts"],
])("each payload of %s has its case in %s", (proto, generated) => {
  const source = read(proto);
  const payloads = [...source.matchAll(/^ +\w+ (\w+) = \d+;$/gm)].map(([, name]) => name);
  expect(payloads.length).toBeGreaterThan(30);
  const text = read(generated);
  const lacking = payloads.filter(
    (name) => !text.includes(`$case: "${name}"`) && !text.includes(`  ${name}: `),
  );
  expect(lacking).toEqual([]);
});

test.each([
  ["proto/rpcMessages.proto", "rpc/generated/rpcMessages.ts"],
  ["proto/rpcValues.proto", "rpc/generated/rpcValues.ts"],
  ["proto/p2pMessages.proto", "p2p/generated/p2pMessages.ts"],
  ["proto/p2pValues.proto", "p2p/generated/p2pValues.ts"],
])("each message of %s is in %s, with its fields", (proto, generated) => {
  const text = read(generated);
  const lacking: string[] = [];
  for (const [, message = "", body = ""] of read(proto).matchAll(
    /^message (\w+) \{(\}|.*?^\})/gms,
  )) {
    const [, fields] =
      new RegExp(`export interface ${message} \\{(\\}|.*?\\n\\})`, "s").exec(text) ?? [];
    if (fields === undefined) lacking.push(message);
    for (const [, field = ""] of body.matchAll(/^ +(?:repeated |optional )?[\w.]+ (\w+) = \d+/gm)) {
      const name = field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const isThere = new RegExp(`^ +${name}\\??:`, "m").test(fields ?? "");
      if (fields !== undefined && !isThere) lacking.push(`${message}.${field}`);
    }
  }
  expect(lacking).toEqual([]);
});
