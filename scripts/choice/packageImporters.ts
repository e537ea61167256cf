/** Which files import which packages. */
import type { SourceFile } from "../../tests/architecture/sourceTree.ts";
import { isTypescript } from "../../tests/architecture/sourceTree.ts";
import { readTypescript } from "../../tests/architecture/typescriptFile.ts";

/** Plugins for shops have packages and a lockfile of their own. */
const OWN_PACKAGES = "edge/plugin/";

/** Files by the name of a package that they import. */
export function packageImporters(
  sources: readonly SourceFile[],
): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const file of sources) {
    if (!isTypescript(file.path) || file.path.startsWith(OWN_PACKAGES)) continue;
    const names = readTypescript(file).imports.map(({ specifier }) => packageOf(specifier));
    for (const name of new Set(names)) {
      if (name === undefined) continue;
      const known = importers.get(name);
      if (known === undefined) importers.set(name, [file.path]);
      else known.push(file.path);
    }
  }
  return importers;
}

/** The package of an import; undefined for files of ours and for modules of Node. */
function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:|virtual:|cloudflare:|@svc\/)/.test(specifier)) return undefined;
  const [first = "", second = ""] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
