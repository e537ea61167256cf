/**
 * Documentation of `shared`, `node-server` and `package` as pages, `npm run typedoc`, into `.cache/typedoc`. A warning is a failure: a link that
 * leads nowhere, a parameter that is documented and not there.
 *
 * TypeDoc reads the sources with the last TypeScript that it knows, which lies beside it in a workspace of its own. It checks no
 * types: `npm run check` does, with the project's own.
 */
import { Application } from "typedoc";
import { ROOT } from "../lib/command.ts";
import { OneDeclaration } from "./oneDeclaration.ts";

const app = await Application.bootstrap({
  name: "svc",
  entryPointStrategy: "expand",
  entryPoints: ["shared", "node-server", "package"].map((folder) => `${ROOT}${folder}`),
  exclude: ["**/*.test.ts", "**/testkit/**", "**/node_modules/**"],
  tsconfig: `${ROOT}scripts/typedoc/tsconfig.json`,
  readme: `${ROOT}ARCHITECTURE.md`,
  skipErrorChecking: true,
  // A link to the source would need an address that serves it; a module is called by its path.
  disableSources: true,
  // An exported type may use one that its file does not export.
  validation: { notExported: false, invalidLink: true, notDocumented: false },
  out: `${ROOT}.cache/typedoc`,
});
app.logger = new OneDeclaration();
const project = await app.convert();
if (project !== undefined) {
  app.validate(project);
  await app.generateOutputs(project);
}
process.exitCode =
  project === undefined || app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0;
