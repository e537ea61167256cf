/** Architecture rule: naming conventions of files, folders and members. */
import { basename, dirname } from "node:path";
import type { SourceFile, Violation } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

type Form = { readonly kind: string; readonly ending: RegExp; readonly name: RegExp };

/** Forms of file names by their endings; the first that fits decides. */
const FORMS: readonly Form[] = [
  { kind: "the entry of a page", ending: /Main\.tsx$/, name: /^[a-z][A-Za-z0-9]*$/ },
  { kind: "a page test in camelCase", ending: /\.page\.test\.tsx$/, name: /^[a-z][A-Za-z0-9]*$/ },
  { kind: "a component in PascalCase", ending: /(\.test)?\.tsx$/, name: /^[A-Z][A-Za-z0-9]*$/ },
  {
    kind: "a module in camelCase",
    ending: /(\.(test|process|worker|config|d))*\.ts$/,
    name: /^[a-z][A-Za-z0-9]*$/,
  },
  { kind: "a module in snake_case", ending: /\.rs$/, name: /^[a-z][a-z0-9_]*$/ },
];
/** A folder is named in kebab-case, a Rust module in snake_case. */
const FOLDER = /^[a-z0-9.][a-z0-9.-]*$/;
const MODULE = /^[a-z][a-z0-9_]*$/;

/** Files and folders that are named in another way than their kind. */
export function nameViolations({ path }: SourceFile): Violation[] {
  const form = FORMS.find(({ ending }) => ending.test(path));
  if (form === undefined) return [];
  const folderForm = path.endsWith(".rs") ? MODULE : FOLDER;
  const stem = basename(path).replace(form.ending, "");
  const isNamed = form.name.test(stem);
  const folders = path.endsWith(".rs") ? rustFolders(path) : dirname(path).split("/");
  const odd = folders.find((folder) => !folderForm.test(folder));
  return [
    ...(isNamed ? [] : [{ path, message: `is not named like ${form.kind}` }]),
    ...(odd === undefined ? [] : [{ path, message: `the folder ${odd} has another form of name` }]),
  ];
}

/** Folders below a crate: those above it are named like folders elsewhere. */
function rustFolders(path: string): string[] {
  const [, below = ""] = /^wasm-core\/(?:crates\/[^/]+|glue)\/(.*)$/.exec(dirname(path)) ?? [];
  return below === "" ? [] : below.split("/");
}

/** Members that are hidden by a word and not by their name: `#name` is hidden when the program runs, too. */
export function hiddenMemberViolations(file: SourceFile): Violation[] {
  return readTypescript(file).privateLines.map((line) => ({
    path: `${file.path}:${line}`,
    message: "a member is private by a word; write #name",
  }));
}
