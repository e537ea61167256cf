/** Architecture rule: layering of the core's crates, read from their manifests. */
import type { SourceFile, Violation } from "../sourceTree.ts";

/** Ranks of the crates; a dependency points to a lower rank. */
export const CRATE_RANKS: Readonly<Record<string, number>> = {
  "svc-codec": 0,
  "svc-kernels": 0,
  "svc-chain": 1,
  "svc-circuit": 1,
  "svc-tree": 1,
  "svc-pow": 2,
  "svc-shielded": 2,
  "svc-circuit-gen": 2,
  "svc-witness": 2,
  "svc-dag": 3,
  "svc-evidence": 3,
  "svc-scan": 3,
  "svc-verify": 3,
  "svc-consensus": 4,
  "svc-prove": 4,
  "svc-bench-peer": 5,
  "svc-bind": 5,
  // Above all of the product, so that nothing of it can use repeatable chance.
  "svc-chance": 5,
  "svc-fuzz": 6,
  "svc-oracle": 6,
  "svc-sim": 6,
};

/** The one crate that may hold unsafe code; all others take the workspace's lints, or forbid it themselves. */
const UNSAFE_CRATE = "svc-kernels";
const FORBIDS_UNSAFE = /^\[lints\]\nworkspace = true$|^unsafe_code = "forbid"$/m;

/** The one crate that knows of JavaScript. */
const BINDING_CRATE = "svc-bind";
const BINDING_LIBRARIES = /^(wasm-bindgen|js-sys|web-sys|wasm-bindgen-[a-z-]+)\b/;

/** Violations of a manifest: dependencies that point upwards or sideways, unranked crates, JavaScript outside the binding. */
export function crateViolations(manifest: SourceFile): Violation[] {
  const name = /^name\s*=\s*"([^"]+)"/m.exec(manifest.text)?.[1] ?? "";
  const rank = CRATE_RANKS[name];
  if (rank === undefined) {
    return [{ path: manifest.path, message: `crate ${name} has no rank` }];
  }
  const found: Violation[] = [];
  if (name !== UNSAFE_CRATE && !FORBIDS_UNSAFE.test(manifest.text)) {
    found.push({ path: manifest.path, message: `${name} must forbid unsafe code` });
  }
  for (const dependency of dependenciesOf(manifest.text)) {
    const other = CRATE_RANKS[dependency];
    if (dependency.startsWith("svc-") && (other === undefined || other >= rank)) {
      found.push({ path: manifest.path, message: `${name} must not depend on ${dependency}` });
    }
    if (name !== BINDING_CRATE && BINDING_LIBRARIES.test(dependency)) {
      found.push({
        path: manifest.path,
        message: `${dependency} belongs in ${BINDING_CRATE} only`,
      });
    }
  }
  return found;
}

/** Names below `[dependencies]`, target-specific ones too; what only tests use may point anywhere. */
function dependenciesOf(text: string): string[] {
  const names: string[] = [];
  let inside = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("[")) {
      const header = /^\[(?:target\..*\.)?dependencies(?:\.([\w-]+))?\]/.exec(line);
      inside = header !== null && header[1] === undefined;
      if (header?.[1] !== undefined) names.push(header[1]);
    } else if (inside) {
      const name = /^([\w-]+)\s*[.=]/.exec(line)?.[1];
      if (name !== undefined) names.push(name);
    }
  }
  return names;
}
